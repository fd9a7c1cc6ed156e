//===-- Leaks.h - Which places that grow are one leak ----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph that is kept keeps memory of several lines, and one line may be called from
// several places: that is one leak each, and who reads of it wants one entry.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_VERDICTS_LEAKS_H
#define TENSORLEAK_RUNTIME_REPLAY_VERDICTS_LEAKS_H

#include "findings/Finding.h"
#include "runtime/replay/verdicts/Matcher.h"

namespace tensorleak {

/// Places with the same keeper, the one that keeps most first.
struct Leak {
  std::vector<SiteGrowth> Places;
  const Holder *Held = nullptr;
  const GraphCycle *Cycle = nullptr; ///< if no variable was found
  std::string Nobody;                ///< what is said if there is neither
};

/// \p All by leak.
std::vector<Leak> leaksAmong(const std::vector<SiteGrowth> &All, const RunFacts &Run);

/// How much of a leak was allocated where: a note for each place, if there are several. One
/// on the line of the finding itself names its caller.
std::vector<PathNote> partsOf(const Leak &L);

/// "itself: a hook keeps a tensor that leads back to the hook".
std::string itself(const GraphCycle &Cycle);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_VERDICTS_LEAKS_H
