//===-- PeakParts.h - Who held the peak ------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_TIMELINE_PEAKPARTS_H
#define TENSORLEAK_RUNTIME_REPLAY_TIMELINE_PEAKPARTS_H

#include "runtime/replay/recording/StepClock.h"

namespace tensorleak {

/// What one site held when its device used most.
struct PeakPart {
  int64_t Bytes = 0;
  uint64_t Count = 0;  ///< allocations; 0 if the probe was too old to say
  int64_t Before = 0;  ///< of Bytes: made before the first round had ended
  int64_t Earlier = 0; ///< of Bytes: made in a later round, but before that of the peak
  void add(const PeakPart &Other) {
    Bytes += Other.Bytes;
    Count += Other.Count;
    Before += Other.Before;
    Earlier += Other.Earlier;
  }
};

/// By recorded site. Without rounds everything is of the round.
std::map<uint64_t, PeakPart> peakParts(const Recording &R, const StepClock &Clock);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_TIMELINE_PEAKPARTS_H
