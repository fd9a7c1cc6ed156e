//===-- Loading.h - Loops that read what stays, and leak nothing ----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_FACTS_ROUNDS_LOADING_H
#define TENSORLEAK_RUNTIME_REPLAY_FACTS_ROUNDS_LOADING_H

#include "runtime/replay/facts/Facts.h"

namespace tensorleak {

/// Whether nearly all that is allocated while that clock runs is alive when it ends, and was made
/// or copied: so it is where a model is built or data is read, but in a loop that works only if
/// that has nothing else to do. What is kept by graphs, or what layers return, was calculated and
/// not read.
bool onlyLoads(const RunFacts &Facts, const StepClock &Clock);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_FACTS_ROUNDS_LOADING_H
