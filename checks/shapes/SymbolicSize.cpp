//===-- SymbolicSize.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/shapes/SymbolicSize.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

namespace tensorleak {

using Factors = llvm::SmallVectorImpl<const Symbol *>;

std::optional<int64_t> SymbolicSize::number() const {
  if (!Above.empty() || !Below.empty() || Divisor != 1)
    return std::nullopt;
  return Factor;
}

const Symbol *SymbolicSize::onlySymbol() const {
  bool Alone = Factor == 1 && Divisor == 1 && Above.size() == 1 && Below.empty();
  return Alone ? Above.front() : nullptr;
}

/// Removes one factor equal to \p S; false where there is none.
static bool removeOne(Factors &From, const Symbol &S) {
  auto It = llvm::find_if(From, [&](const Symbol *Each) { return *Each == S; });
  if (It == From.end())
    return false;
  From.erase(It);
  return true;
}

void SymbolicSize::cancel() {
  llvm::erase_if(Below, [&](const Symbol *S) { return removeOne(Above, *S); });
  if (Factor % Divisor == 0) {
    Factor /= Divisor;
    Divisor = 1;
  }
}

std::optional<SymbolicSize> product(const SymbolicSize &A, const SymbolicSize &B) {
  SymbolicSize Out = A;
  if (llvm::MulOverflow(A.Factor, B.Factor, Out.Factor) ||
      llvm::MulOverflow(A.Divisor, B.Divisor, Out.Divisor))
    return std::nullopt;
  Out.Above.append(B.Above.begin(), B.Above.end());
  Out.Below.append(B.Below.begin(), B.Below.end());
  Out.cancel();
  return Out;
}

std::optional<SymbolicSize> quotient(const SymbolicSize &A, const SymbolicSize &B) {
  if (B.Factor <= 0)
    return std::nullopt;
  SymbolicSize Inverse = B;
  std::swap(Inverse.Factor, Inverse.Divisor);
  Inverse.Above.assign(B.Below.begin(), B.Below.end());
  Inverse.Below.assign(B.Above.begin(), B.Above.end());
  auto Out = product(A, Inverse);
  bool HasRest = Out && Out->Above.empty() && Out->Below.empty() && Out->Divisor != 1;
  return HasRest ? std::nullopt : Out;
}

static bool sameFactors(llvm::ArrayRef<const Symbol *> A, llvm::ArrayRef<const Symbol *> B) {
  llvm::SmallVector<const Symbol *, 4> Rest(B.begin(), B.end());
  return A.size() == B.size() &&
         llvm::all_of(A, [&](const Symbol *S) { return removeOne(Rest, *S); });
}

bool operator==(const SymbolicSize &A, const SymbolicSize &B) {
  int64_t Left, Right;
  if (llvm::MulOverflow(A.Factor, B.Divisor, Left) || llvm::MulOverflow(B.Factor, A.Divisor, Right))
    return false;
  return Left == Right && sameFactors(A.Above, B.Above) && sameFactors(A.Below, B.Below);
}

static void append(std::string &Out, llvm::StringRef Operator, llvm::StringRef Text) {
  if (!Out.empty())
    Out += (" " + Operator + " ").str();
  Out += Text;
}

std::string SymbolicSize::str() const {
  std::string Out;
  if (Factor != 1 || Above.empty())
    Out = std::to_string(Factor);
  for (const Symbol *S : Above)
    append(Out, "*", S->Text);
  if (Divisor != 1)
    append(Out, "/", std::to_string(Divisor));
  for (const Symbol *S : Below)
    append(Out, "/", S->Text);
  return Out;
}

} // namespace tensorleak
