//===-- SegmentNotes.h - Memory that LibTorch's allocator reserves ---------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_CUDA_SEGMENTNOTES_H
#define TENSORLEAK_RUNTIME_PROBE_CUDA_SEGMENTNOTES_H

#include "runtime/probe/session/Session.h"
#include "runtime/trace/UserCode.h"

#include <dlfcn.h>
#include <string_view>

namespace tensorleak::probe {

/// Whether the code at \p Caller is the caching allocator's.
inline bool isCachingAllocator(const void *Caller) {
  Dl_info Info;
  if (!dladdr(Caller, &Info) || !Info.dli_fname)
    return false;
  std::string_view Name = fileNameOf(Info.dli_fname);
  return Name.substr(0, 11) == "libc10_cuda" || Name.substr(0, 10) == "libc10_hip";
}

/// A successful cudaMalloc. What others than the caching allocator ask for is no segment.
inline void noteSegmentMade(const void *Caller, void *Data, size_t Bytes) {
  if (isCachingAllocator(Caller))
    guarded([&](Session &S, ThreadState &) {
      S.Pools.segmentMade(reinterpret_cast<uintptr_t>(Data), Bytes);
    });
}

/// Before cudaFree. Any address.
inline void noteSegmentGone(void *Data) {
  if (existingSession())
    guarded(
        [&](Session &S, ThreadState &) { S.Pools.segmentGone(reinterpret_cast<uintptr_t>(Data)); });
}

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_CUDA_SEGMENTNOTES_H
