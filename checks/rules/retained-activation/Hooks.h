//===-- Hooks.h - Hooks that are hung on and taken off ---------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A hook on each tensor of a list, and where hooks end.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RULES_RETAINED_ACTIVATION_HOOKS_H
#define TENSORLEAK_CHECKS_RULES_RETAINED_ACTIVATION_HOOKS_H

#include "checks/flow/Unit.h"
#include "checks/flow/parts/Parts.h"

namespace tensorleak {

/// The loop around \p E of which each round is a step: not one that goes over the elements of what
/// \p E happens to, `for (Tensor &p : params_) p.register_hook(f);`.
LoopId stepsOfElements(const FunctionFacts &Facts, ApiModel &Model, const Event &E);

/// The hook that \p E hangs on ends in the same step: it is removed there, what it hangs on gets
/// another tensor, or the object that hung it on has a method that removes hooks.
bool isHookEnded(const Unit &U, const FunctionFacts &Facts, const Event &E, LoopId Steps);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RULES_RETAINED_ACTIVATION_HOOKS_H
