//===-- Steps.h - Which rounds are steps, and which elements come back ------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop over the layers or parameters of a network ends with them: it is a part of one step.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RULES_RETAINED_ACTIVATION_STEPS_H
#define TENSORLEAK_CHECKS_RULES_RETAINED_ACTIVATION_STEPS_H

#include "checks/flow/Unit.h"

namespace tensorleak {

/// What \p P holds came from `net->parameters()`.
bool holdsParameters(const FunctionFacts &Facts, PlaceId P);

/// Whether each round of \p L takes the next module of several, or the next parameter.
bool goesOverParts(const FunctionFacts &Facts, ApiModel &Model, LoopId L);

/// The innermost loop from \p L outwards whose rounds may be steps; NoId for none.
LoopId stepsAround(const FunctionFacts &Facts, ApiModel &Model, LoopId L);

/// `h[i] = f(h[i])`: what \p E stores in an element is computed, with its graph, from that very
/// element, which the rounds of \p L come back to. NoId: the calls of the function.
bool dependsOnItsElement(const FunctionFacts &Facts, const Event &E, LoopId L);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RULES_RETAINED_ACTIVATION_STEPS_H
