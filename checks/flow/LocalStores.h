//===-- LocalStores.h - Which stores of a local variable are read where ---===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reaching definitions, for local variables that are written and read in this
// function only. One variable often serves a training loop and a validation loop
// after it: what is stored in the one is not what is read in the other.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FLOW_LOCALSTORES_H
#define TENSORLEAK_CHECKS_FLOW_LOCALSTORES_H

#include "checks/facts/Facts.h"
#include "llvm/ADT/DenseSet.h"

namespace tensorleak {

/// Variables that are read or written other than in the order of the graph: in a lambda whose
/// body is not in it, or through a pointer.
llvm::DenseSet<const clang::ValueDecl *> usedOutOfOrder(const FunctionFacts &Facts);

class LocalStores {
public:
  explicit LocalStores(const FunctionFacts &Facts);

  /// Every read and write of the place is an event of this function, in the order of
  /// its control flow, and it is known which reads see which writes.
  bool follows(PlaceId P) const { return P != NoId && Followed.count(P); }

  struct Read {
    unsigned Store; ///< the event that wrote
    ValueId Load;   ///< the value that may be what it wrote
  };
  const std::vector<Read> &reads() const { return Reads; }

private:
  void findFollowed();
  /// False where that goes over a budget.
  bool solve();

  const FunctionFacts &Facts;
  llvm::DenseSet<PlaceId> Followed;
  std::vector<Read> Reads;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FLOW_LOCALSTORES_H
