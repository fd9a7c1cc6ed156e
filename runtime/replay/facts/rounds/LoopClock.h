//===-- LoopClock.h - The clock of a loop that was found --------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_FACTS_ROUNDS_LOOPCLOCK_H
#define TENSORLEAK_RUNTIME_REPLAY_FACTS_ROUNDS_LOOPCLOCK_H

#include "runtime/replay/facts/rounds/LoopBeat.h"

namespace tensorleak {

/// Ticks at each execution of the loop's place up to the horizon, which is where what lives two
/// generations is known.
StepClock clockOf(const Recording &R, const LoopBeat &Loop, uint64_t Horizon);

/// A clock that counts allocations.
StepClock inferred(const Recording &R, StepClock Clock);

/// The outermost function: threads that run the same functions are as one.
std::string threadOf(const SourceSite &Site);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_FACTS_ROUNDS_LOOPCLOCK_H
