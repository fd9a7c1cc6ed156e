//===-- Rounds.h - The loop of a program that announces no steps ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An inference server steps no optimizer, and yet it goes round: what its loop executes
// once in a round allocates once in a round. The clock is such a place (LoopBeat.h). Where no
// place is that regular, stretches of equally many allocations count.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_FACTS_ROUNDS_ROUNDS_H
#define TENSORLEAK_RUNTIME_REPLAY_FACTS_ROUNDS_ROUNDS_H

#include "runtime/replay/facts/Facts.h"
#include "runtime/replay/recording/Recording.h"

namespace tensorleak {

/// Sets the clock of \p Facts, whose sites are known; leaves it empty if there is no loop, or
/// one of too few rounds. Says in either case what was found.
void inferRounds(const Recording &R, RunFacts &Facts);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_FACTS_ROUNDS_ROUNDS_H
