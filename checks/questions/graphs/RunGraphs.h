//===-- RunGraphs.h - What is kept of a graph that was run ------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LibTorch releases what the nodes of a graph saved as soon as a backward pass has run them, unless
// it is told to retain the graph (torch/csrc/autograd/engine.cpp, release_variables). Then a tensor
// that is kept keeps the nodes behind it, but none of the activations.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_QUESTIONS_GRAPHS_RUNGRAPHS_H
#define TENSORLEAK_CHECKS_QUESTIONS_GRAPHS_RUNGRAPHS_H

#include "checks/facts/Facts.h"

namespace tensorleak {

/// What \p E, an event of \p Facts, keeps was run backward by itself, or in the same round as a
/// part of what is computed from it: its saved tensors are gone.
bool wasRunBackward(const FunctionFacts &Facts, const Event &E);

/// The first of these.
bool wasRunByItself(const FunctionFacts &Facts, const Event &E);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_QUESTIONS_GRAPHS_RUNGRAPHS_H
