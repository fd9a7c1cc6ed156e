//===-- CudaCalls.cpp - What calls of CUDA make and free ------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CudaCalls.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/cuda/CudaCalls.h"
#include "runtime/probe/session/Session.h"

#include <unistd.h>

namespace tensorleak::probe {
namespace {

thread_local unsigned Depth __attribute__((tls_model("initial-exec"))) = 0;

Device placeOf(trace::CudaObject Kind) { return {uint8_t(Kind), -1}; }

constexpr bool Pointer = false, Number = true;

bool isKnownByNumber(trace::CudaObject Kind) {
  switch (Kind) {
#define CUDA_MEMORY(Name, Value)
#define CUDA_THING(Name, Value, KnownBy, One, Several)                                             \
  case trace::CudaObject::Name:                                                                    \
    return KnownBy;
#include "runtime/trace/CudaObjects.def"
  default:
    return false;
  }
}

/// What stands for the object in the table of live ones. Numbers are distinguished from
/// addresses and from each other by a kind in the bits that no address has.
void *keyOf(trace::CudaObject Kind, uint64_t Object) {
  if (isKnownByNumber(Kind))
    Object = LiveObject::numbered(uint8_t(Kind), Object);
  return reinterpret_cast<void *>(Object);
}

/// The function's name stands where an operator's would, so that sites have it.
class NamedScope {
public:
  NamedScope(ThreadState &Thread, const char *Name) : Scopes(Thread.Scopes) {
    if (Scopes.Depth < OpenScopes::Max)
      Scopes.Stack[Scopes.Depth] = {Name, ScopeKind::Function, false, 0};
    ++Scopes.Depth;
  }
  ~NamedScope() { --Scopes.Depth; }

private:
  OpenScopes &Scopes;
};

} // namespace

/// A program ends for us when main returns; the destructors of its globals run later.
static Session *endedSession() {
  Session *S = existingSession();
  return S && !S->isRecording() && S->pid() == getpid() ? S : nullptr;
}

static void goneLate(Session &Ended, void *Key) noexcept {
  try {
    Ended.freedLate(Key);
  } catch (...) {
    giveUp();
  }
}

void cudaMade(const char *Function, trace::CudaObject Kind, uint64_t Object, uint64_t Bytes) {
  void *Key = keyOf(Kind, Object);
  if (!Key)
    return;
  guarded([&](Session &S, ThreadState &Thread) {
    NamedScope Scope(Thread, Function);
    S.allocated(Thread, Key, Bytes, placeOf(Kind));
  });
}

/// `cudaFree(array)`, `cudaFree(pinned)`: CUDA refuses what another call has made, and all stays.
/// Measured with CUDA 13 on an H200: "invalid argument", and the memory is lost.
static bool isOfAnotherKind(Session &S, trace::CudaObject Kind, void *Key) {
  const auto Live = S.Live.at(reinterpret_cast<uintptr_t>(Key));
  const uint8_t Made = Live ? S.Sites[Live->SiteId].TheDevice.Type : 0;
  return Made >= uint8_t(trace::CudaObject::DeviceMemory) && Made != uint8_t(Kind);
}

void cudaGone(trace::CudaObject Kind, uint64_t Object) {
  void *Key = keyOf(Kind, Object);
  if (Session *Ended = Key ? endedSession() : nullptr) {
    if (!isOfAnotherKind(*Ended, Kind, Key))
      goneLate(*Ended, Key);
  } else if (Key) {
    guarded([&](Session &S, ThreadState &Thread) {
      if (!isOfAnotherKind(S, Kind, Key))
        S.freed(Thread, Key);
    });
  }
}

void cudaAllGone() {
  guarded([](Session &S, ThreadState &Thread) {
    std::vector<uintptr_t> Gone;
    S.Live.forEach([&](const LiveObject &O) {
      if (S.Sites[O.SiteId].TheDevice.Type >= uint8_t(trace::CudaObject::DeviceMemory))
        Gone.push_back(O.Address);
    });
    for (uintptr_t Address : Gone)
      S.freed(Thread, reinterpret_cast<void *>(Address));
  });
}

void cudaRefused(trace::CudaObject Kind, uint64_t Bytes) {
  // An array lacks the same memory.
  const auto Of = Kind == trace::CudaObject::Array ? trace::CudaObject::DeviceMemory : Kind;
  guarded([&](Session &S, ThreadState &) { S.outOfMemory(placeOf(Of), Bytes); });
}

CudaCallGuard::CudaCallGuard() { ++Depth; }
CudaCallGuard::~CudaCallGuard() { --Depth; }
bool CudaCallGuard::isInside() { return Depth != 0; }

} // namespace tensorleak::probe
