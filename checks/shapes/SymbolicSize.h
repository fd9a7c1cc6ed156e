//===-- SymbolicSize.h - A number times what only the run knows ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `4 * batch * 512`: a product of a number and of symbols, over another such
// product. It knows nothing of tensors, and of the source only the names.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_SHAPES_SYMBOLICSIZE_H
#define TENSORLEAK_CHECKS_SHAPES_SYMBOLICSIZE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace tensorleak {

/// A positive number that the source names and the run knows. Two are the same
/// when all three parts are.
struct Symbol {
  const void *Root = nullptr;         ///< the declaration that it belongs to; null: an expression
  int Part = Whole;                   ///< of a tensor: the index of a dimension, or Elements
  llvm::StringRef Text;               ///< as the source spells it; outlives the symbol
  static constexpr int Whole = -1;    ///< an integer variable itself
  static constexpr int Elements = -2; ///< all elements of a tensor
  friend bool operator==(const Symbol &A, const Symbol &B) {
    return A.Root == B.Root && A.Part == B.Part && A.Text == B.Text;
  }
};

/// Symbols are referred to: whoever makes them keeps them for as long.
class SymbolicSize {
public:
  /*implicit*/ SymbolicSize(int64_t Number) : Factor(Number) {}
  /*implicit*/ SymbolicSize(const Symbol &S) : Above{&S} {}

  /// The number, where no symbol is in it.
  std::optional<int64_t> number() const;
  /// The symbol, where it is one and nothing else.
  const Symbol *onlySymbol() const;
  llvm::ArrayRef<const Symbol *> factors() const { return Above; }
  llvm::ArrayRef<const Symbol *> divisors() const { return Below; }
  int64_t numericFactor() const { return Factor; }
  int64_t numericDivisor() const { return Divisor; }
  /// "2048 * batch", "256 * x.numel() / 784"
  std::string str() const;

  friend bool operator==(const SymbolicSize &A, const SymbolicSize &B);

private:
  friend std::optional<SymbolicSize> product(const SymbolicSize &, const SymbolicSize &);
  friend std::optional<SymbolicSize> quotient(const SymbolicSize &, const SymbolicSize &);
  void cancel();

  int64_t Factor = 1, Divisor = 1; ///< the divisor is positive, and 1 where it divides the factor
  llvm::SmallVector<const Symbol *, 2> Above;
  llvm::SmallVector<const Symbol *, 1> Below;
};

/// Nothing where a number overflows.
std::optional<SymbolicSize> product(const SymbolicSize &A, const SymbolicSize &B);
/// Of what is known to divide without a rest; nothing for a division by zero, or
/// where numbers do not divide.
std::optional<SymbolicSize> quotient(const SymbolicSize &A, const SymbolicSize &B);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_SHAPES_SYMBOLICSIZE_H
