//===-- CudaCalls.cpp - What calls of CUDA make and free -------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CudaCalls.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/cuda/CudaCalls.h"
#include "runtime/probe/torch/Session.h"

namespace tensorleak::probe {
namespace {

thread_local unsigned Depth __attribute__((tls_model("initial-exec"))) = 0;
std::atomic<const char *> WatchState{nullptr};

Device placeOf(trace::CudaObject Kind) { return {uint8_t(Kind), -1}; }

/// The function's name stands where an operator's would, so that sites have it.
class NamedScope {
public:
  NamedScope(ThreadState &Thread, const char *Name) : Scopes(Thread.Scopes) {
    if (Scopes.Depth < OpenScopes::Max)
      Scopes.Stack[Scopes.Depth] = {Name, ScopeKind::Function, false};
    ++Scopes.Depth;
  }
  ~NamedScope() { --Scopes.Depth; }

private:
  OpenScopes &Scopes;
};

} // namespace

void cudaMade(const char *Function, trace::CudaObject Kind, const void *Object, uint64_t Bytes) {
  guarded([&](Session &S, ThreadState &Thread) {
    NamedScope Scope(Thread, Function);
    S.allocated(Thread, const_cast<void *>(Object), Bytes, placeOf(Kind));
  });
}

void cudaGone(const void *Object) {
  guarded([&](Session &S, ThreadState &Thread) { S.freed(Thread, const_cast<void *>(Object)); });
}

void cudaRefused(trace::CudaObject Kind, uint64_t Bytes) {
  guarded([&](Session &S, ThreadState &) { S.outOfMemory(placeOf(Kind), Bytes); });
}

CudaCallGuard::CudaCallGuard() { ++Depth; }
CudaCallGuard::~CudaCallGuard() { --Depth; }
bool CudaCallGuard::isInside() { return Depth != 0; }

const char *cudaWatchState() { return WatchState; }
void setCudaWatchState(const char *State) { WatchState = State; }

} // namespace tensorleak::probe
