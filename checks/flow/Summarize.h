//===-- Summarize.h - From a function's facts to its summary --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FLOW_SUMMARIZE_H
#define TENSORLEAK_CHECKS_FLOW_SUMMARIZE_H

#include "checks/facts/Summary.h"
#include "checks/flow/state/TensorState.h"

namespace tensorleak {

/// What callers see of a function. Effects on its own locals are dropped. Nothing where there
/// are more than Budget::SummaryEffects: that keeps deep call trees linear, and a part of the
/// effects would be taken for all of them.
std::optional<Summary> summarize(const FunctionFacts &Facts, const StateResult &State,
                                 ApiModel &Model);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FLOW_SUMMARIZE_H
