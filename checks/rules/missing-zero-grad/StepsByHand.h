//===-- StepsByHand.h - Gradient descent without an optimizer --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `w -= rate * w.grad()` in a loop that runs backward: the gradient is added to the old one
// there as with an optimizer, and whoever steps by hand has to reset it by hand.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RULES_MISSING_ZERO_GRAD_STEPSBYHAND_H
#define TENSORLEAK_CHECKS_RULES_MISSING_ZERO_GRAD_STEPSBYHAND_H

#include "checks/flow/Unit.h"

namespace tensorleak {

struct StepByHand {
  unsigned Write = NoId;    ///< the event that moves the tensor along its gradient
  unsigned Backward = NoId; ///< where the gradient is added to
  LoopId Loop = NoId;
};

/// Those of \p F whose gradients nothing in the loop resets; the first for each loop and tensor.
std::vector<StepByHand> stepsByHandWithoutReset(Unit &U, const FunctionUnit &F);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RULES_MISSING_ZERO_GRAD_STEPSBYHAND_H
