//===-- Elements.h - Elements that each step comes back to ------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage flow. Which element of a container a round reads and writes: the one of the round
// before, or the next one.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FLOW_PARTS_ELEMENTS_H
#define TENSORLEAK_CHECKS_FLOW_PARTS_ELEMENTS_H

#include "checks/flow/parts/Parts.h"

namespace tensorleak {

/// `h[i] = f(h[i])`: what \p E stores in an element is computed, with its graph, from that very
/// element, which the rounds of \p L come back to. NoId: the calls of the function.
bool dependsOnItsElement(const FunctionFacts &Facts, ApiModel &Model, const Event &E, LoopId L);

/// `outputs[step] = y`: each round of \p L fills an element of its own.
bool fillsNextElement(const FunctionFacts &Facts, const Event &E, LoopId L);

/// `items[chosen[k]].score = x`, `ring[next] = x; next = ...`: rounds of \p L may fill different
/// elements, and none of them is made of what it held. NoId: the calls of the function.
bool fillsAnyElement(const FunctionFacts &Facts, ApiModel &Model, const Event &E, LoopId L);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FLOW_PARTS_ELEMENTS_H
