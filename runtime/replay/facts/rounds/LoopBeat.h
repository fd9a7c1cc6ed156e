//===-- LoopBeat.h - The place that is executed once in a round -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// It is looked for from the outermost function inwards, down to where calls part that run all
// through the program: of these calls most are executed once in a round, some more often (a loop
// within) and some more rarely (a condition).
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_FACTS_ROUNDS_LOOPBEAT_H
#define TENSORLEAK_RUNTIME_REPLAY_FACTS_ROUNDS_LOOPBEAT_H

#include "runtime/replay/facts/rounds/Beats.h"

namespace tensorleak {

struct LoopBeat {
  const Beat *Chosen = nullptr;
  size_t Depth = 0; ///< of the function that the loop is in, from the outermost
};

/// \p Among are beats that run all through the program, at least one; \p Depth is that of the
/// function in which to begin.
LoopBeat loopBeat(const Beats &Among, size_t Depth = 0);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_FACTS_ROUNDS_LOOPBEAT_H
