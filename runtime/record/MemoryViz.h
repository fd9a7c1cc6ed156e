//===-- MemoryViz.h - A record for PyTorch's memory viewer ----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The viewer (pytorch.org/memory_viz, or torch/cuda/_memory_viz.py) opens what
// torch.cuda.memory._snapshot() returns, as a pickle. It is given the memory that
// outlived a step, in the order of births and deaths, with its stack, and the verdict
// as its category. Addresses and segments are made up: the record has none.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_RECORD_MEMORYVIZ_H
#define TENSORLEAK_RUNTIME_RECORD_MEMORYVIZ_H

#include "runtime/record/Record.h"

namespace tensorleak {

/// The bytes of the file.
std::string memoryVizSnapshot(const RunRecord &R);

/// "confirmed: tensor-retained-activation", "expected"; "unknown" if no finding claims the site.
std::string categoryOf(const RecordSite &S, const std::vector<Finding> &Findings);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_RECORD_MEMORYVIZ_H
