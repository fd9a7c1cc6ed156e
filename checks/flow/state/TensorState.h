//===-- TensorState.h - Grad mode, graphs and shapes along the code -------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One forward dataflow over a function's events: is grad mode on here, does
// this tensor carry a graph, how large is it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FLOW_STATE_TENSORSTATE_H
#define TENSORLEAK_CHECKS_FLOW_STATE_TENSORSTATE_H

#include "checks/facts/Facts.h"
#include "checks/model/ApiModel.h"
#include "checks/shapes/TypeInference.h"

namespace tensorleak {

/// Does a tensor carry an autograd graph? Ordered: a join takes the larger.
enum class Graph : uint8_t {
  Unset,   ///< nothing was stored yet
  No,      ///< provably none
  Unknown, ///< it depends on what we did not see
  Leaf,    ///< a leaf that requires grad: what is computed from it carries a graph
  Yes,     ///< the result of a differentiable computation under grad mode
};

struct TensorInfo {
  Graph Carries = Graph::Unset;
  ValueId Origin = NoId; ///< where the graph starts
  TensorType Type;
};

/// What holds right before an event, for its Val (or its first argument).
struct EventState {
  Mode GradMode = Mode::On;
  TensorInfo Info;
  bool Reached = false;
};

struct StateResult {
  std::vector<EventState> AtEvent; ///< parallel to FunctionFacts::Events
  std::vector<TensorInfo> Values;  ///< parallel to FunctionFacts::Values
  std::vector<TensorInfo> SelfOf;  ///< the first input, when the value was made
  std::vector<TensorInfo> RestOf;  ///< the other inputs, joined
  /// What the arguments look like, by the call of a function in view.
  llvm::DenseMap<unsigned, llvm::SmallVector<TensorType, 2>> Given;
  bool Converged = true; ///< else nothing of the above is known
};

/// Runs the dataflow from grad mode \p Entry to its fixpoint. \p Given: what the parameters
/// look like; empty, or nothing of one, where only its name is known.
StateResult computeState(const FunctionFacts &Facts, clang::ASTContext &Context, ApiModel &Model,
                         TypeSources Sources, Mode Entry, llvm::ArrayRef<TensorType> Given = {});

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FLOW_STATE_TENSORSTATE_H
