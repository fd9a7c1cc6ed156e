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
#include "runtime/probe/session/Session.h"
#include "runtime/trace/UserCode.h"

namespace tensorleak::probe {

AddressFilter WatchedBlocks;

namespace {

UserCodeRanges UserCode;

constexpr Device Heap{trace::ProgramHeap, -1};

bool isRecording() {
  Session *S = existingSession();
  return S && S->isRecording();
}

} // namespace

void watchHeapOf(const LoadedModule &M) {
  if (!isOwnCode(M.low()) && isUserModule(M.path()))
    UserCode.add(M.low(), M.high());
}

void heapTaken(void *Data, size_t Bytes, const void *Caller) {
  auto From = reinterpret_cast<uintptr_t>(Caller), Address = reinterpret_cast<uintptr_t>(Data);
  if (!Data || !UserCode.contains(From) || !isRecording())
    return;
  guarded([&](Session &S, ThreadState &Thread) {
    WatchedBlocks.add(Address);
    S.allocated(Thread, Data, Bytes, Heap);
  });
}

void watchedGivenBack(void *Data) {
  if (!isRecording())
    return;
  guarded([&](Session &S, ThreadState &Thread) {
    if (S.heapFreed(Thread, Data))
      WatchedBlocks.remove(reinterpret_cast<uintptr_t>(Data));
  });
}

} // namespace tensorleak::probe
