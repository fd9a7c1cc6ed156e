//===-- Beats.h - When the sites of a run allocated -----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A site that allocates once in each round of a loop is like its beat.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_FACTS_ROUNDS_BEATS_H
#define TENSORLEAK_RUNTIME_REPLAY_FACTS_ROUNDS_BEATS_H

#include "runtime/replay/facts/Facts.h"
#include "runtime/replay/recording/Recording.h"

namespace tensorleak {

/// When one recorded site allocated.
struct Beat {
  const SourceSite *Site = nullptr;
  uint64_t SiteId = 0;
  std::vector<uint64_t> At; ///< allocations before it, itself counted; ascending
  uint64_t Stride = 1;      ///< executions from one to the next
  uint64_t Executions = 0;  ///< all
  uint64_t Micros[2] = {};  ///< of the first and the last
  uint64_t span() const { return At.empty() ? 0 : At.back() - At.front(); }
};

using Beats = std::vector<const Beat *>;

/// The longest time between two of them, in allocations.
uint64_t largestGap(const Beat &B);

/// What lives two generations is recorded. Of what was born after the last but one it is only
/// known whether it is alive at the end: the number of allocations until then.
uint64_t horizonOf(const Recording &R);

/// Of the sites in \p Facts, those that allocated more than once.
std::vector<Beat> beatsOf(const Recording &R, const RunFacts &Facts);

/// Whether it lasts for most of the run and reaches its end, without a long pause.
bool runsThrough(const Beat &B, const Recording &R);

/// The same of what is only the last part of the run, but a good part: what comes after loading,
/// warming up or other loops. It must have gone round often enough to leave no doubt.
bool isLastPart(const Beat &B, const Recording &R);

/// Whether little is allocated after it, and the program ends soon. A loop that builds a model, or
/// fills buffers that are used without allocating, has an end, and the program goes on.
bool reachesTheEnd(const Beat &B, const Recording &R);

/// Whether the program ends soon after it.
bool reachesEndInTime(const Beat &B, const Recording &R);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_FACTS_ROUNDS_BEATS_H
