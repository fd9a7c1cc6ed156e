//===-- NvccLines.h - Calls on later lines of a statement ------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_FACTS_NVCCLINES_H
#define TENSORLEAK_RUNTIME_REPLAY_FACTS_NVCCLINES_H

#include "findings/Finding.h"
#include "runtime/replay/recording/Symbolizer.h"

namespace tensorleak {

/// nvcc gives all code of a statement the line that the statement begins with: in
/// `if (cudaMalloc(&a, n) ||` and `    cudaMalloc(&b, n))` below it, both calls have the first.
/// Findings on CUDA whose call stands on a later line get that one as a further producer.
void addLinesOfNvcc(std::vector<Finding> &Findings, const std::vector<std::string> &Modules,
                    DebugFiles &Files);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_FACTS_NVCCLINES_H
