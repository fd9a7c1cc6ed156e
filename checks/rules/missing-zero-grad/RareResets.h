//===-- RareResets.h - Resets that most rounds of a loop pass by ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RULES_MISSING_ZERO_GRAD_RARERESETS_H
#define TENSORLEAK_CHECKS_RULES_MISSING_ZERO_GRAD_RARERESETS_H

#include "checks/facts/Facts.h"

namespace tensorleak {

/// How often a reset comes in the rounds of a loop.
enum class ResetTime : uint8_t {
  AnyRound, ///< in each, or in those that some condition chooses: every fourth, say
  OneRound, ///< `if (i == 0)`, where `i` counts the rounds, and the step is in each
  NoRound,  ///< the condition never holds
};
ResetTime timeOfReset(const FunctionFacts &Facts, const Event &Reset, const Event &Step,
                      LoopId Loop);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RULES_MISSING_ZERO_GRAD_RARERESETS_H
