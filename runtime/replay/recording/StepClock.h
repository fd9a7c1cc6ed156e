//===-- StepClock.h - What counts as a step -------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The trace counts ticks, one per boundary of any kind. A clock is the choice of
// those boundaries that are the round trip of the loop: the user's own marker,
// an optimizer's step, a backward pass, or the rounds of a line. Where the trace has none
// of these, facts/rounds/Rounds.h infers rounds, which begin between two ticks: such a clock
// counts allocations instead.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_RECORDING_STEPCLOCK_H
#define TENSORLEAK_RUNTIME_REPLAY_RECORDING_STEPCLOCK_H

#include "runtime/replay/recording/Recording.h"

namespace tensorleak {

struct StepClock {
  std::string Name;            ///< "step of Adam", for reports
  std::vector<uint64_t> Ticks; ///< of its boundaries, ascending; or allocations, see below
  bool Announced = false;      ///< by the program itself

  /// Of an inferred clock: Ticks counts allocations, and these were the allocations before
  /// the first, the second, ... tick of the trace.
  bool Inferred = false;
  std::vector<uint64_t> AllocationsAtTick = {};
  /// Of rounds that are too many only every so many is a step.
  uint64_t RoundsPerStep = 1;
  /// What the first rounds freed is not known, nor so how much there was in them.
  bool FreesUnknown = false;
  /// Of a loop beside the program's steps, what its figures are for: "round of server.cpp:31".
  std::string Per = {};

  uint32_t steps() const { return static_cast<uint32_t>(Ticks.size()); }
  uint64_t rounds() const { return Ticks.size() * RoundsPerStep; }
  /// The step that a tick lies in: 0 before the first boundary, steps() after
  /// the last.
  uint32_t stepOf(uint64_t Tick) const;
  uint32_t birthOf(const RecordedObject &Object) const;
  std::optional<uint32_t> deathOf(const RecordedObject &Object) const;
};

/// The clock of the program as a whole; without steps if it has no boundary.
/// Several optimizers (a GAN's): the least frequent one that steps through most
/// of the run is the enclosing loop. Optimizers that follow each other (a new one
/// per epoch) are one clock.
StepClock chooseClock(const Recording &R);

/// The rounds of a line, in its longest pass: a loop that is entered again and
/// again (validation after each epoch) is judged within one pass, for what it
/// keeps may be dropped between two. A pass ends where \p Program goes on.
StepClock lineClock(const Recording &R, uint64_t PointGroup, const StepClock &Program);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_RECORDING_STEPCLOCK_H
