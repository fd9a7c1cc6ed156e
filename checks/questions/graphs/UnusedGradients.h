//===-- UnusedGradients.h - Gradients that no step ever uses --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_QUESTIONS_GRAPHS_UNUSEDGRADIENTS_H
#define TENSORLEAK_CHECKS_QUESTIONS_GRAPHS_UNUSEDGRADIENTS_H

#include "checks/flow/Unit.h"

namespace tensorleak {

/// A module that a backward pass in a training loop runs through for nothing.
struct UnusedGradients {
  enum Reason : uint8_t {
    InNoOptimizer,   ///< nobody takes its parameters: their gradients pile up
    ResetBeforeStep, ///< another optimizer steps; its own resets before it steps
  };
  Reason Why;
  const clang::ValueDecl *Module;
  unsigned Forward;       ///< the event that runs the module, or a part of it
  const clang::Stmt *Run; ///< what runs it, in code that is not the module's own
  SpliceId In;            ///< the callee's body that this stands in
  unsigned Backward;      ///< the event that differentiates it
  bool StartsGraph;       ///< no gradient has to go on through it to something before it
};

/// For the modules that are local variables of \p F, or members that its file sees whole;
/// once for each and reason.
std::vector<UnusedGradients> findUnusedGradients(Unit &U, const FunctionUnit &F);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_QUESTIONS_GRAPHS_UNUSEDGRADIENTS_H
