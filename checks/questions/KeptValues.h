//===-- KeptValues.h - What stays alive with a tensor that is kept ---------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_QUESTIONS_KEPTVALUES_H
#define TENSORLEAK_CHECKS_QUESTIONS_KEPTVALUES_H

#include "checks/flow/Unit.h"

namespace tensorleak {

/// The node of \p V keeps a tensor for its backward: all but views, copies, concatenations,
/// sums, differences and products with a plain number.
bool keepsTensors(const FunctionFacts &Facts, ValueId V);

/// What \p E, an event of \p Facts, stores adds nodes in every step, but no memory of
/// tensors (an average of parameters).
bool keepsNodesOnly(const FunctionFacts &Facts, const Event &E);

/// Whether the graphs that \p F builds keep tensors: it runs a module, or an operator that
/// needs its operands again. Views, copies and concatenations of parameters do not.
bool buildsGraphOverTensors(const FunctionUnit &F);

/// A small view that is kept, and the large tensor that it keeps alive.
struct PinnedBase {
  const clang::ValueDecl *Base; ///< null where no variable holds it
  TensorType Whole;
  bool IsCertain; ///< it is many times the view; else as many times as the program makes it
};
/// For a container that grows by a view of a tensor that is made anew in every round.
std::optional<PinnedBase> pinnedBase(const FunctionUnit &F, unsigned GrowEvent);

/// Of all that a graph keeps, the tensor of type \p T that it hangs on. One number is
/// not worth its words.
TensorType keptAtLeast(const TensorType &T);

/// No backward pass of the file lets go of what it ran: the graph of the last step is still there
/// in this one, as what is computed from itself needs it. No where there is none.
bool allBackwardsRetain(Unit &U);

/// Some run backward goes as far as \p Holder, and none further: `grad({loss}, {table})` leaves the
/// graph that the table itself comes from.
bool allBackwardsStopAt(Unit &U, const clang::ValueDecl &Holder);

/// `all.emplace(key, torch::zeros(n))`: the entry of a table, which says nothing of the step.
bool addsFreshEntry(const FunctionFacts &Facts, const Event &Grow);

/// `x = secondOrder ? y : y.detach()`: the program has a switch for it.
bool isDetachedOnDemand(const FunctionFacts &Facts, ValueId V);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_QUESTIONS_KEPTVALUES_H
