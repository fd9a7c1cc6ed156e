//===-- Ways.h - Which events come after which -----------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions about the ways through the control-flow graph of one function, whatever the
// conditions on them say.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FACTS_WAYS_H
#define TENSORLEAK_CHECKS_FACTS_WAYS_H

#include "checks/facts/Facts.h"

namespace tensorleak {

/// The block that the event \p Index happens in.
const clang::CFGBlock &blockOf(const FunctionFacts &Facts, unsigned Index);

/// Whether the event \p To can happen after the event \p From, in the same call.
bool leadsTo(const FunctionFacts &Facts, unsigned From, unsigned To);

/// Whether the event \p Index happens on each way through the function, and in each round of
/// the loop that it stands in. That a loop may have no round at all does not count. \p InTraining:
/// nor do the ways of a module that `is_training()` says is not trained.
bool isUnconditional(const FunctionFacts &Facts, unsigned Index, bool InTraining = false);

/// Whether no round of the loop \p L has both events, in the same call.
bool excludeEachOther(const FunctionFacts &Facts, unsigned A, unsigned B, LoopId L);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FACTS_WAYS_H
