//===-- UserHeap.cpp - What the program's own code takes from malloc --------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See UserHeap.h. Nothing here begins a session: every process calls malloc, and only
// those that use LibTorch or CUDA are recorded.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/heap/UserHeap.h"
#include "runtime/probe/core/Modules.h"
#include "runtime/probe/heap/Sampling.h"
#include "runtime/probe/session/Session.h"
#include "runtime/trace/UserCode.h"

namespace tensorleak::probe {

AddressFilter WatchedBlocks;

namespace {

UserCodeRanges UserCode, Unsampled;

constexpr Device Heap{trace::ProgramHeap, -1};

/// It holds locks for which a stack may have to wait.
bool isLoader(const std::string &Path) { return fileNameOf(Path).substr(0, 3) == "ld-"; }

/// What LibTorch's allocator takes for tensors is known to the byte.
bool takesTensors(const std::string &Path) { return fileNameOf(Path).substr(0, 6) == "libc10"; }

bool isRecording() {
  Session *S = existingSession();
  return S && S->isRecording();
}

} // namespace

void watchHeapOf(const LoadedModule &M) {
  if (isOwnCode(M.low()))
    return;
  std::string Path = M.path();
  if (isUserModule(Path))
    UserCode.add(M.low(), M.high());
  else if (isLoader(Path) || takesTensors(Path))
    Unsampled.add(M.low(), M.high());
}

bool heapTaken(void *Data, size_t Bytes, const void *Caller) {
  auto From = reinterpret_cast<uintptr_t>(Caller), Address = reinterpret_cast<uintptr_t>(Data);
  if (!Data || !UserCode.contains(From) || !isRecording())
    return false;
  guarded([&](Session &S, ThreadState &Thread) {
    WatchedBlocks.add(Address);
    S.allocated(Thread, Data, Bytes, Heap);
  });
  return true;
}

/// Until the loaded files are known, nobody is.
static bool isSampled(const void *Caller) {
  return !Unsampled.isEmpty() && glibcServesMalloc() &&
         !Unsampled.contains(reinterpret_cast<uintptr_t>(Caller));
}

bool heapSampled(void *Data, uint64_t Stands, const void *Caller) {
  if (!isSampled(Caller))
    return false;
  return guardedAnywhere([&](Session &S, ThreadState &Thread) {
    WatchedBlocks.add(reinterpret_cast<uintptr_t>(Data));
    S.sampled(Thread, Data, Stands);
  });
}

void watchedGivenBack(void *Data) {
  guardedAnywhere([&](Session &S, ThreadState &Thread) {
    if (S.heapFreed(Thread, Data))
      WatchedBlocks.remove(reinterpret_cast<uintptr_t>(Data));
  });
}

} // namespace tensorleak::probe
