//===-- Steps.h - What is computed from what an earlier step left -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An element that each step comes back to, and a tensor that is copied into a larger one.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RULES_RETAINED_ACTIVATION_STEPS_H
#define TENSORLEAK_CHECKS_RULES_RETAINED_ACTIVATION_STEPS_H

#include "checks/flow/parts/Parts.h"

namespace tensorleak {

/// `h[i] = f(h[i])`: what \p E stores in an element is computed, with its graph, from that very
/// element, which the rounds of \p L come back to. NoId: the calls of the function.
bool dependsOnItsElement(const FunctionFacts &Facts, const Event &E, LoopId L);

/// `outputs[step] = y`: each round of \p L fills an element of its own.
bool fillsNextElement(const FunctionFacts &Facts, const Event &E, LoopId L);

/// What \p E stores is a concatenation of all that its place held and more: itself, or by way of
/// a variable or a choice. `cat({x, queue.slice(0, 0, n)})` is a window, which does not grow.
bool concatenatesItself(const FunctionFacts &Facts, const Event &E, LoopId L);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RULES_RETAINED_ACTIVATION_STEPS_H
