//===-- SavedOutputs.h - Outputs that their own node keeps -----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Autograd makes the node of a custom function the grad_fn of what its forward() returns
// (torch/csrc/autograd/custom_function.cpp, _wrap_outputs). Where the node's saved data has an
// output, by itself or in an object around it, the two own each other.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RULES_GRAPH_CYCLE_SAVEDOUTPUTS_H
#define TENSORLEAK_CHECKS_RULES_GRAPH_CYCLE_SAVEDOUTPUTS_H

#include "checks/flow/Unit.h"

namespace tensorleak {

struct SavedOutput {
  PlaceId Place = NoId;                        ///< of the output; NoId where it has none
  const clang::ValueDecl *Output = nullptr;    ///< a variable or member; null for a call's result
  const clang::ValueDecl *Object = nullptr;    ///< what is saved around it; null for itself
  const clang::FunctionDecl *Getter = nullptr; ///< an unseen one that gives it, or may
};

/// \p V is the tensor in \p P, or one of the lists and tuples that \p V is has it.
bool isSameTensor(const FunctionFacts &Facts, ValueId V, PlaceId P);

/// The outputs of the function that the event \p E puts into the saved data of its node.
std::vector<SavedOutput> savedOutputs(ApiModel &Model, const FunctionFacts &Facts, const Event &E);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RULES_GRAPH_CYCLE_SAVEDOUTPUTS_H
