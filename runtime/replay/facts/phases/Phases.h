//===-- Phases.h - What a program does while it makes no steps --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program trains and then serves, or evaluates after each epoch. By the steps of its training
// all that is kept there is of one step: so what it does in the pauses between steps, and after
// the last, is judged by rounds of its own, each loop by those that fit it. A pause is known by a
// place that is executed many times in it and not at all between most steps. A program without
// steps, too, does one thing after the other.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_FACTS_PHASES_PHASES_H
#define TENSORLEAK_RUNTIME_REPLAY_FACTS_PHASES_PHASES_H

#include "runtime/replay/facts/rounds/Beats.h"

namespace tensorleak {

/// Gives the sites of \p Facts, whose clock is the program's own, that allocate in pauses the
/// loop that goes round there. What was before the first step prepares the training.
void inferPhases(const Recording &R, RunFacts &Facts);

/// The same for a program without steps, whose clock, if it has one, is the loop that \p Judged is
/// in, or null.
void inferPhasesBeside(const Recording &R, const Beat *Judged, RunFacts &Facts);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_FACTS_PHASES_PHASES_H
