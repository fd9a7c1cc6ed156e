//===-- HeldPlaces.h - Who keeps what was allocated at a place ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the searches for holders found of the objects of one place in the source: a variable that
// leads to them, a graph that leads to itself, or nobody.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_VERDICTS_HELDPLACES_H
#define TENSORLEAK_RUNTIME_REPLAY_VERDICTS_HELDPLACES_H

#include "runtime/replay/facts/Facts.h"
#include <string>

namespace tensorleak {

/// Whether no pointer was left to most of the objects of a place that were looked for, and nothing
/// keeps the others.
bool nobodyHolds(const SourceSite &Site, const RunFacts &Run);
inline constexpr const char *NobodyHolds = "no pointer to it was found: it is lost";
inline constexpr const char *OnlyNodesHold = "only autograd nodes point to it, and nothing was "
                                             "found that keeps these: they keep each other, "
                                             "or are lost";
inline constexpr const char *PythonsNodesHold = "autograd nodes lead to it, which an object of "
                                                "Python's may keep";

/// What is said of it then: the first, or, if nodes lead to it, the second; in a Python program the
/// third or nothing. Empty if somebody may hold it.
std::string nobodysText(const SourceSite &Site, const RunFacts &Run);

/// The variable that keeps what was allocated there, and not only the newest of what is lost; null
/// if none was found.
const Holder *holderOf(const SourceSite &Site, const RunFacts &Run);

/// Whether nodes lead to most of what was allocated there, and nobody else does.
bool onlyNodesHold(const SourceSite &Site, const RunFacts &Run);

/// The graph that refers to itself and alone leads to what was allocated there; null if there is
/// none, or if several were found and it may be any of them.
const GraphCycle *cycleThatKeeps(const SourceSite &Site, const RunFacts &Run);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_VERDICTS_HELDPLACES_H
