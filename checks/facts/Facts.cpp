//===-- Facts.cpp ---------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/facts/Facts.h"

#include "llvm/ADT/STLExtras.h"
#include <numeric>

namespace tensorleak {

const clang::Expr *Splice::given(const clang::ParmVarDecl &Param) const {
  const unsigned I = Param.getFunctionScopeIndex();
  return Body == Param.getDeclContext() && I < Operands.size() ? Operands[I] : nullptr;
}

PlaceId PlaceTable::intern(Place P) {
  auto [It, Fresh] = Index.try_emplace(nameOf(P), Places.size());
  if (Fresh)
    Places.push_back(P);
  return It->second;
}

PlaceId PlaceTable::find(const clang::ValueDecl *D, PlaceId Parent) const {
  auto It = Index.find(nameOf({Place::Local, D, Parent}));
  return It == Index.end() ? NoId : It->second;
}

llvm::SmallVector<clang::Stmt *, 4> FunctionFacts::bodies() const {
  llvm::SmallVector<clang::Stmt *, 4> Out{Function->getBody()};
  for (const Splice &S : Splices)
    Out.push_back(S.Body->getBody());
  return Out;
}

LoopId FunctionFacts::loopOfDecl(const clang::ValueDecl *D) const {
  auto It = DeclLoops.find(D);
  return It == DeclLoops.end() ? NoId : It->second;
}

LoopId FunctionFacts::loopOfDecl(PlaceId P) const { return loopOfDecl(Places[rootOf(P)].Decl); }

namespace {

/// The events of \p Sorted of which \p Key is \p Wanted.
template <class T, class KeyOf>
llvm::ArrayRef<unsigned> withKey(const std::vector<unsigned> &Sorted, T Wanted, KeyOf Key) {
  auto Begin = llvm::partition_point(Sorted, [&](unsigned I) { return Key(I) < Wanted; });
  auto End =
      std::partition_point(Begin, Sorted.end(), [&](unsigned I) { return Key(I) == Wanted; });
  return llvm::ArrayRef<unsigned>(Sorted).slice(Begin - Sorted.begin(), End - Begin);
}

template <class KeyOf> std::vector<unsigned> sortedBy(size_t Count, KeyOf Key) {
  std::vector<unsigned> Out(Count);
  std::iota(Out.begin(), Out.end(), 0U);
  llvm::stable_sort(Out, [&](unsigned A, unsigned B) { return Key(A) < Key(B); });
  return Out;
}

} // namespace

llvm::ArrayRef<unsigned> FunctionFacts::eventsOf(PlaceId P) const {
  return withKey(ByPlace, P, [&](unsigned I) { return Events[I].Place; });
}

llvm::ArrayRef<unsigned> FunctionFacts::eventsAt(const clang::Stmt *S) const {
  return withKey(ByCode, uintptr_t(S), [&](unsigned I) { return uintptr_t(Events[I].At); });
}

void FunctionFacts::indexEvents() {
  ByPlace = sortedBy(Events.size(), [&](unsigned I) { return Events[I].Place; });
  ByCode = sortedBy(Events.size(), [&](unsigned I) { return uintptr_t(Events[I].At); });
}

} // namespace tensorleak
