//===-- Segments.cpp - Hooks: memory that LibTorch's allocator reserves ----===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For the probe that leaves the program's own calls of CUDA alone; the other has these
// functions in CudaHooks.cpp.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/cuda/SegmentNotes.h"
#include "runtime/probe/session/Hooks.h"

using namespace tensorleak::probe;

TENSORLEAK_HOOK(cudaMallocHook, "cudaMalloc", cudaMalloc)
TENSORLEAK_EXPORT int cudaMalloc(void **Data, size_t Bytes) {
  const void *Caller = __builtin_return_address(0);
  int Error = callReal<int>(cudaMallocHook, Data, Bytes);
  if (Error == 0)
    noteSegmentMade(Caller, *Data, Bytes);
  return Error;
}

TENSORLEAK_HOOK(cudaFreeHook, "cudaFree", cudaFree)
TENSORLEAK_EXPORT int cudaFree(void *Data) {
  noteSegmentGone(Data);
  return callReal<int>(cudaFreeHook, Data);
}
