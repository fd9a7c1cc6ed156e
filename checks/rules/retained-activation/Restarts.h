//===-- Restarts.h - Does what begins anew let go of anything? --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `if (i == 0) all = x; else all = cat({all, x});`: what happens in the first round alone,
// or where there is nothing yet, lets go of nothing.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RULES_RETAINED_ACTIVATION_RESTARTS_H
#define TENSORLEAK_CHECKS_RULES_RETAINED_ACTIVATION_RESTARTS_H

#include "checks/flow/Unit.h"

namespace tensorleak {

/// Whether the event \p Index happens in one round of \p L at most. No where that cannot be
/// told.
bool isInOneRound(const FunctionFacts &Facts, unsigned Index, LoopId L);

/// Whether the place of the event \p Index holds nothing for certain when that happens: it was not
/// filled yet, or somebody has just asked.
bool holdsNothing(Unit &U, const FunctionFacts &Facts, unsigned Index);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RULES_RETAINED_ACTIVATION_RESTARTS_H
