//===-- Steps.h - What is computed from what an earlier step left -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tensor that is copied into a larger one.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RULES_RETAINED_ACTIVATION_STEPS_H
#define TENSORLEAK_CHECKS_RULES_RETAINED_ACTIVATION_STEPS_H

#include "checks/flow/parts/Parts.h"

namespace tensorleak {

/// What \p E stores is a concatenation of all that its place held and more: itself, or by way of
/// a variable or a choice. `cat({x, queue.slice(0, 0, n)})` is a window, which does not grow.
bool concatenatesItself(const FunctionFacts &Facts, const Event &E, LoopId L);

/// Some of what \p E stores is computed in the rounds of \p L, or may be. Else they only hand about
/// what is there before them: `for (Tensor &t : taps) reversed.push_back(t);`.
bool isMadeInRounds(const FunctionFacts &Facts, const Event &E, LoopId L);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RULES_RETAINED_ACTIVATION_STEPS_H
