//===-- Activity.h - When a place is busy, and with which others ----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program trains, evaluates and serves one after the other. Each of these loops has places of
// its own, which are busy for a while and then rest for long. Places that are busy at the same
// times belong to one loop.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_FACTS_PHASES_ACTIVITY_H
#define TENSORLEAK_RUNTIME_REPLAY_FACTS_PHASES_ACTIVITY_H

#include "runtime/replay/facts/rounds/Beats.h"

namespace tensorleak {

/// A time in which a place is executed again and again, by the allocations at its first and its
/// last execution.
struct Spell {
  uint64_t From = 0, To = 0;
};
using Spells = std::vector<Spell>; ///< ascending, apart

/// Of what is executed in even paces all through, one.
Spells spellsOf(const Beat &B);

/// Executions of a place in these times.
uint64_t executionsIn(const Beat &B, const Spells &Times);

/// What goes round together, and when.
struct Activity {
  Beats Members;
  Spells When;
};

/// The loops that these places of one thread are in. What is executed mostly while another place is
/// busy is in a loop with it, or in one within.
std::vector<Activity> activitiesOf(Beats OfThread);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_FACTS_PHASES_ACTIVITY_H
