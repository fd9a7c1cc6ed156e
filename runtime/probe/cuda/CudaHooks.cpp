//===-- CudaHooks.cpp - Hooks: a shared CUDA runtime and its libraries ----===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C functions with stable signatures, declared here so that no CUDA header is
// needed. All return 0 for success.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/core/Modules.h"
#include "runtime/probe/cuda/CudaCalls.h"
#include "runtime/probe/cuda/SegmentNotes.h"
#include "runtime/probe/session/Hooks.h"
#include "runtime/probe/session/Settings.h"
#include "runtime/trace/UserCode.h"

#include <algorithm>
#include <dlfcn.h>
#include <string>

using namespace tensorleak::probe;
using tensorleak::trace::CudaObject;

namespace {

struct PitchedPointer {
  void *Data;
  size_t Pitch, Width, Height;
};
struct Extent {
  size_t Width, Height, Depth; ///< 0 where there is no such dimension
  size_t elements() const {
    return Width * std::max<size_t>(Height, 1) * std::max<size_t>(Depth, 1);
  }
  Extent halved() const { return {std::max<size_t>(Width / 2, 1), Height / 2, Depth / 2}; }
};
struct ChannelFormat {
  int X, Y, Z, W, Kind;
  /// Of an array, with its smaller copies.
  size_t bytes(Extent E, unsigned Levels = 1) const {
    size_t Sum = 0;
    for (; Levels; --Levels, E = E.halved())
      Sum += E.elements() * size_t(X + Y + Z + W) / 8;
    return Sum;
  }
};
struct NcclId {
  char Bytes[128];
};

constexpr int OutOfMemory = 2; ///< cudaErrorMemoryAllocation
/// Who asks whether the function exists finds ours, also where there is no real one.
constexpr int NotThere = 999; ///< cudaErrorUnknown

/// What CUDA makes on the way (a runtime's call of the driver) is the call's own.
template <typename... As> int callCuda(Hook &H, As... Arguments) {
  noteCudaInterposed();
  CudaCallGuard Guard;
  void *Real = H.enter();
  return Real ? reinterpret_cast<int (*)(As...)>(Real)(Arguments...) : NotThere;
}

bool isInUserModule(const void *Code) {
  Dl_info Info;
  return dladdr(Code, &Info) && Info.dli_fname &&
         tensorleak::isUserModule(realPath(Info.dli_fname));
}

/// What is known of a caller, until another file is loaded or unloaded.
struct KnownCaller {
  const void *Caller;
  uint64_t Generation;
  bool IsUser;
};
constexpr size_t KnownCallers = 16;
thread_local KnownCaller Known[KnownCallers] __attribute__((tls_model("initial-exec")));

/// Calls by LibTorch and by CUDA's own libraries are their affair: LibTorch's allocator
/// keeps what it gets, and its own hooks report what it gives out of it.
bool isByTheProgram(const void *Caller) {
  KnownCaller &Last = Known[reinterpret_cast<uintptr_t>(Caller) / 4 % KnownCallers];
  const uint64_t Now = moduleGeneration();
  if (Last.Caller != Caller || Last.Generation != Now)
    Last = {Caller, Now, isInUserModule(Caller)};
  return Last.IsUser;
}

void noteResult(Hook &H, int Error, CudaObject Kind, uint64_t Object, uint64_t Bytes,
                const void *Caller) {
  if (!isByTheProgram(Caller))
    return;
  if (Error == 0)
    cudaMade(H.Name, Kind, Object, Bytes);
  else if (Error == OutOfMemory && Bytes)
    cudaRefused(Kind, Bytes);
}

uint64_t idOf(const void *Object) { return reinterpret_cast<uintptr_t>(Object); }
uint64_t idOf(uint64_t Object) { return Object; }
uint64_t idOf(int Object) { return unsigned(Object); }

thread_local unsigned NcclGroups __attribute__((tls_model("initial-exec"))) = 0;

void *madeByNccl(void *const *Communicator) { return NcclGroups ? nullptr : *Communicator; }

} // namespace

TENSORLEAK_HOOK(cudaMallocHook, "cudaMalloc", cudaMalloc)
TENSORLEAK_EXPORT int cudaMalloc(void **P, size_t N) {
  const void *Caller = __builtin_return_address(0);
  int Error = callCuda(cudaMallocHook, P, N);
  if (Error == 0)
    noteSegmentMade(Caller, *P, N);
  noteResult(cudaMallocHook, Error, CudaObject::DeviceMemory, Error ? 0 : idOf(*P), N, Caller);
  return Error;
}

TENSORLEAK_HOOK(cudaFreeHook, "cudaFree", cudaFree)
TENSORLEAK_EXPORT int cudaFree(void *P) {
  noteSegmentGone(P);
  cudaGone(CudaObject::DeviceMemory, idOf(P));
  return callCuda(cudaFreeHook, P);
}

TENSORLEAK_HOOK(cudaDeviceResetHook, "cudaDeviceReset", cudaDeviceReset)
TENSORLEAK_EXPORT int cudaDeviceReset() {
  cudaAllGone();
  return callCuda(cudaDeviceResetHook);
}

static Hook ncclGroupStartHook{"ncclGroupStart", "ncclGroupStart"};
TENSORLEAK_EXPORT int ncclGroupStart() {
  ++NcclGroups;
  return callCuda(ncclGroupStartHook);
}

static Hook ncclGroupEndHook{"ncclGroupEnd", "ncclGroupEnd"};
TENSORLEAK_EXPORT int ncclGroupEnd() {
  NcclGroups -= NcclGroups != 0;
  return callCuda(ncclGroupEndHook);
}

/// Makes several at once.
static Hook ncclCommInitAllHook{"ncclCommInitAll", "ncclCommInitAll"};
TENSORLEAK_EXPORT int ncclCommInitAll(void **P, int Count, const int *Devices) {
  int Error = callCuda(ncclCommInitAllHook, P, Count, Devices);
  for (int I = 0; !Error && I < Count; ++I)
    noteResult(ncclCommInitAllHook, Error, CudaObject::Communicator, idOf(P[I]), 0,
               __builtin_return_address(0));
  return Error;
}

// Too many to write all their states into a trace: none is a KnownHook.
#define MAKES(NAME, KIND, PARAMETERS, OBJECT, BYTES, ...)                                          \
  static Hook NAME##Hook{#NAME, #NAME};                                                            \
  TENSORLEAK_EXPORT int NAME PARAMETERS {                                                          \
    int Error = callCuda(NAME##Hook, __VA_ARGS__);                                                 \
    noteResult(NAME##Hook, Error, CudaObject::KIND, Error ? 0 : idOf(OBJECT), BYTES,               \
               __builtin_return_address(0));                                                       \
    return Error;                                                                                  \
  }
#define FREES(NAME, KIND, PARAMETERS, OBJECT, ...)                                                 \
  static Hook NAME##Hook{#NAME, #NAME};                                                            \
  TENSORLEAK_EXPORT int NAME PARAMETERS {                                                          \
    cudaGone(CudaObject::KIND, idOf(OBJECT));                                                      \
    return callCuda(NAME##Hook, __VA_ARGS__);                                                      \
  }
#define NEW(NAME, KIND) MAKES(NAME, KIND, (void **P), *P, 0, P)
#define DELETE(NAME, KIND) FREES(NAME, KIND, (void *P), P, P)
#include "runtime/probe/cuda/CudaFunctions.def"
