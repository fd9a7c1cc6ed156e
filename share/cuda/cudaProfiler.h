//===-- cudaProfiler.h - Another name of cuda.h ----------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef cuda_profiler_H
#define cuda_profiler_H

#include <cuda.h>

#endif // cuda_profiler_H
