//===-- Summarize.h - From a function's facts to its summary --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_ANALYSIS_SUMMARIZE_H
#define TENSORLEAK_CHECKS_ANALYSIS_SUMMARIZE_H

#include "checks/analysis/Summary.h"
#include "checks/analysis/TensorState.h"

namespace tensorleak {

/// What callers see of a function. Effects on its own locals are dropped; more
/// than 64 effects are cut (the budget that keeps deep call trees linear).
Summary summarize(const FunctionFacts &Facts, const StateResult &State, ApiModel &Model);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_ANALYSIS_SUMMARIZE_H
