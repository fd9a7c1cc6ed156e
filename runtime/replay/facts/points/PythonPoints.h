//===-- PythonPoints.h - Which lines of Python were seen ------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's lines have no addresses for a breakpoint. They are known from the stacks on
// which Python called LibTorch.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_FACTS_PYTHONPOINTS_H
#define TENSORLEAK_RUNTIME_REPLAY_FACTS_PYTHONPOINTS_H

#include "runtime/replay/facts/Facts.h"
#include "runtime/replay/recording/Symbolizer.h"

namespace tensorleak {

/// Completes what is known of those findings that speak of a file of Python's. \p Facts
/// belongs to \p Findings by position.
void addPythonPoints(const Recording &R, Symbolizer &Symbols, const std::vector<Finding> &Findings,
                     std::vector<FindingFacts> &Facts);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_FACTS_PYTHONPOINTS_H
