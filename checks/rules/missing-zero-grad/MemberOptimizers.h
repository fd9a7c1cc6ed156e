//===-- MemberOptimizers.h - Who resets what an optimizer member steps -----===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A method that runs backward and steps is called again and again by somebody
// who is not in view. That nothing resets the gradients can be told where the
// optimizer and its networks are members that nobody else can reach.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RULES_MISSING_ZERO_GRAD_MEMBEROPTIMIZERS_H
#define TENSORLEAK_CHECKS_RULES_MISSING_ZERO_GRAD_MEMBEROPTIMIZERS_H

#include "checks/flow/Unit.h"

namespace tensorleak {

/// Something may reset the gradients of the parameters that \p Optimizer steps: in its
/// class, or somewhere that is not seen.
bool mayBeReset(Unit &U, const clang::FieldDecl &Optimizer);

/// Gradients are let go of, or others take their place, as what torch::autograd::grad gave:
/// the next step sees no sum with the old ones. What is computed from the old ones, as in
/// clipping, is no other.
bool replacesGradients(const FunctionFacts &Facts, const Event &E);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RULES_MISSING_ZERO_GRAD_MEMBEROPTIMIZERS_H
