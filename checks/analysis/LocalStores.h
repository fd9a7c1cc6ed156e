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
#ifndef TENSORLEAK_CHECKS_ANALYSIS_LOCALSTORES_H
#define TENSORLEAK_CHECKS_ANALYSIS_LOCALSTORES_H

#include "checks/analysis/Facts.h"
#include "llvm/ADT/DenseSet.h"

namespace tensorleak {

/// The event changes what its place holds, or a part of it.
bool isWrite(EventKind Kind);

class LocalStores {
public:
  explicit LocalStores(const FunctionFacts &Facts);

  /// Every read and write of the place is an event of this function, in the order of
  /// its control flow.
  bool follows(PlaceId P) const { return P != NoId && Followed.count(P); }

  struct Read {
    unsigned Store; ///< the event that wrote
    ValueId Load;   ///< the value that may be what it wrote
  };
  const std::vector<Read> &reads() const { return Reads; }

private:
  using Stores = llvm::SmallVector<unsigned, 4>; ///< events, sorted
  using State = llvm::DenseMap<PlaceId, Stores>;

  void findFollowed();
  void solve();
  void runBlock(unsigned Block, State &Now, bool Record);
  void transfer(unsigned Index, State &Now) const;
  void record(ValueId V, const State &Now, unsigned Depth);
  static bool join(State &Into, const State &From);

  const FunctionFacts &Facts;
  llvm::DenseSet<PlaceId> Followed;
  std::vector<Read> Reads;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_ANALYSIS_LOCALSTORES_H
