//===-- Gathering.h - What a loop collects for a use after it ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An evaluation keeps the outputs of all batches, makes one tensor of them and is done. To the end
// of the loop that looks as a leak does, and so does a queue that another thread has yet to empty.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_FACTS_ROUNDS_GATHERING_H
#define TENSORLEAK_RUNTIME_REPLAY_FACTS_ROUNDS_GATHERING_H

#include "runtime/replay/facts/rounds/Beats.h"

namespace tensorleak {

/// Marks the sites of that loop, or without a number those of the program's, for which nearly all
/// that its rounds, which that place beats, had kept to their end was freed before the program
/// ended: if at least half as much as the loop kept was made of it before.
void markGathered(const Recording &R, const Beat &OfLoop, std::optional<size_t> Loop,
                  RunFacts &Facts);

/// The same of all that was freed before the program had done the rest, used or not.
void markFreedLater(const Recording &R, const Beat &OfLoop, size_t Loop, RunFacts &Facts);

/// If that loop lasted no longer than a thread may wait for its turn, what another thread freed
/// after it counts as freed at once: who fills a queue may be done before the one that empties it
/// has begun.
void endHandedOver(const Recording &R, const Beat &OfLoop, std::optional<size_t> Loop,
                   RunFacts &Facts);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_FACTS_ROUNDS_GATHERING_H
