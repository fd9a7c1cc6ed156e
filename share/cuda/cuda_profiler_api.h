//===-- cuda_profiler_api.h - Another name of cuda_runtime_api.h -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef __CUDA_PROFILER_API_H__
#define __CUDA_PROFILER_API_H__

#include <cuda_runtime_api.h>

#endif // __CUDA_PROFILER_API_H__
