//===-- Reads.h - Is what a place holds read again? -----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Liveness along the control-flow graph of one function. What is assigned to is not read by
// that, and whoever reads a member does not read the members beside it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_QUESTIONS_READS_H
#define TENSORLEAK_CHECKS_QUESTIONS_READS_H

#include "checks/facts/Facts.h"
#include "llvm/ADT/DenseSet.h"

namespace tensorleak {

/// Whether \p V is memory of its own, that nothing else refers to yet.
bool isFresh(const Value &V);

class Reads {
public:
  explicit Reads(const FunctionFacts &Facts);

  /// Whether the event needs what \p P, a part of it or an object that it is a part of holds.
  bool reads(unsigned Event, PlaceId P) const { return reads(Event, P, NoId); }
  /// Whether a path from the event on reads \p P before something else is put there. What only
  /// reads \p Without, a part of \p P, does not count.
  bool isReadAfter(PlaceId P, unsigned Event, PlaceId Without = NoId) const;
  /// Whether a path from the beginning of the function does.
  bool isReadFirst(PlaceId P) const;
  /// The last event before \p End, in the order of the source, that reads \p P; NoId for none.
  unsigned lastReadBefore(PlaceId P, unsigned End) const;
  /// The place that the expression is a name of; NoId where it is none.
  PlaceId placeNamedBy(const clang::Expr &E) const;
  /// Whether \p Part is \p Whole or in it.
  bool isIn(PlaceId Part, PlaceId Whole) const;

private:
  enum class Found : uint8_t { Nothing, Read, Replaced };
  void note(const Event &E);
  void noteOperands(llvm::ArrayRef<ValueId> Values, llvm::SmallVectorImpl<PlaceId> &Into) const;
  bool reads(unsigned Event, PlaceId P, PlaceId Without) const;
  bool replaces(const Event &E, PlaceId P) const;
  Found look(unsigned Begin, unsigned End, PlaceId P, PlaceId Without) const;
  bool isReadFrom(const clang::CFGBlock &Block, PlaceId P, PlaceId Without) const;

  const FunctionFacts &Facts;
  std::vector<llvm::SmallVector<PlaceId, 2>> ReadAt; ///< by event
  llvm::DenseSet<const clang::Stmt *> NotRead;       ///< assigned to, or asked for a member
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_QUESTIONS_READS_H
