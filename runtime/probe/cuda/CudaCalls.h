//===-- CudaCalls.h - What calls of CUDA make and free --------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory and other objects (trace/CudaObjects.def) that the program asks CUDA for by
// itself. Two sources report them: interposed functions of a shared CUDA runtime and of
// CUDA's libraries, and CUPTI, which also sees a static runtime. What one reports, the
// other must not.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_CUDA_CUDACALLS_H
#define TENSORLEAK_RUNTIME_PROBE_CUDA_CUDACALLS_H

#include "runtime/trace/Records.h"

#include <cstdint>

namespace tensorleak::probe {

/// \p Function made an object of \p Kind that is known by \p Object: its pointer, or a
/// number. Only memory has a size.
void cudaMade(const char *Function, trace::CudaObject Kind, uint64_t Object, uint64_t Bytes);
/// It is about to be freed. Before the call, for its address may be used again at once.
void cudaGone(trace::CudaObject Kind, uint64_t Object);
/// The device is about to be reset, and everything on it freed. Which of several devices
/// an object is on is not known: all are taken to be gone.
void cudaAllGone();
/// There was not enough memory for it.
void cudaRefused(trace::CudaObject Kind, uint64_t Bytes);

/// While one exists, an interposed call is under way on this thread.
class CudaCallGuard {
public:
  CudaCallGuard();
  ~CudaCallGuard();
  /// Whether another source reports what happens now.
  static bool isInside();
};

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_CUDA_CUDACALLS_H
