//===-- CudaHooks.cpp - Hooks: a shared CUDA runtime and its libraries -----===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C functions with stable signatures, declared here so that no CUDA header is
// needed. All return 0 for success.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/cuda/CudaCalls.h"
#include "runtime/probe/cuda/SegmentNotes.h"
#include "runtime/probe/torch/Hooks.h"
#include "runtime/trace/UserCode.h"

#include <climits>
#include <cstdlib>
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
  size_t Width, Height, Depth;
};
struct ChannelFormat {
  int X, Y, Z, W, Kind;
  size_t bytes() const { return size_t(X + Y + Z + W) / 8; }
};

constexpr int OutOfMemory = 2; ///< cudaErrorMemoryAllocation

/// What CUDA makes on the way (a runtime's call of the driver) is the call's own.
template <typename... As> int callCuda(Hook &H, As... Arguments) {
  setCudaWatchState(tensorleak::trace::CudaInterposed);
  CudaCallGuard Guard;
  return callReal<int>(H, Arguments...);
}

/// The main program's name is as it was called.
std::string realPath(const char *Name) {
  char Real[PATH_MAX];
  return realpath(Name, Real) ? Real : Name;
}

/// Calls by LibTorch and by CUDA's own libraries are their affair: LibTorch's allocator
/// keeps what it gets, and says itself what it gives out of it.
bool isByTheProgram(const void *Caller) {
  Dl_info Info;
  return dladdr(Caller, &Info) && Info.dli_fname &&
         tensorleak::isUserModule(realPath(Info.dli_fname));
}

void noteResult(Hook &H, int Error, CudaObject Kind, const void *Object, uint64_t Bytes,
                const void *Caller) {
  if (!isByTheProgram(Caller))
    return;
  if (Error == 0)
    cudaMade(H.Name, Kind, Object, Bytes);
  else if (Error == OutOfMemory && Bytes)
    cudaRefused(Kind, Bytes);
}

} // namespace

/// A function that makes something: its parameters, their names, what it is known by,
/// and its size. The object is looked at only if the call succeeded.
#define TENSORLEAK_CUDA_MAKES(NAME, KIND, PARAMETERS, OBJECT, BYTES, ...)                          \
  TENSORLEAK_HOOK(NAME##Hook, #NAME, NAME)                                                         \
  TENSORLEAK_EXPORT int NAME PARAMETERS {                                                          \
    int Error = callCuda(NAME##Hook, __VA_ARGS__);                                                 \
    noteResult(NAME##Hook, Error, CudaObject::KIND, Error ? nullptr : (OBJECT), BYTES,             \
               __builtin_return_address(0));                                                       \
    return Error;                                                                                  \
  }

TENSORLEAK_HOOK(cudaMallocHook, "cudaMalloc", cudaMalloc)
TENSORLEAK_EXPORT int cudaMalloc(void **P, size_t N) {
  const void *Caller = __builtin_return_address(0);
  int Error = callCuda(cudaMallocHook, P, N);
  if (Error == 0)
    noteSegmentMade(Caller, *P, N);
  noteResult(cudaMallocHook, Error, CudaObject::DeviceMemory, Error ? nullptr : *P, N, Caller);
  return Error;
}

TENSORLEAK_CUDA_MAKES(cudaMallocManaged, DeviceMemory, (void **P, size_t N, unsigned F), *P, N, P,
                      N, F)
TENSORLEAK_CUDA_MAKES(cudaMallocAsync, DeviceMemory, (void **P, size_t N, void *S), *P, N, P, N, S)
TENSORLEAK_CUDA_MAKES(cudaMallocAsync_ptsz, DeviceMemory, (void **P, size_t N, void *S), *P, N, P,
                      N, S)
TENSORLEAK_CUDA_MAKES(cudaMallocFromPoolAsync, DeviceMemory,
                      (void **P, size_t N, void *Pool, void *S), *P, N, P, N, Pool, S)
TENSORLEAK_CUDA_MAKES(cudaMallocFromPoolAsync_ptsz, DeviceMemory,
                      (void **P, size_t N, void *Pool, void *S), *P, N, P, N, Pool, S)
TENSORLEAK_CUDA_MAKES(cudaMallocPitch, DeviceMemory,
                      (void **P, size_t *Pitch, size_t Width, size_t Height), *P,
                      Error ? Width *Height : *Pitch *Height, P, Pitch, Width, Height)
TENSORLEAK_CUDA_MAKES(cudaMalloc3D, DeviceMemory, (PitchedPointer * P, Extent E), P->Data,
                      (Error ? E.Width : P->Pitch) * E.Height * E.Depth, P, E)
TENSORLEAK_CUDA_MAKES(cudaMallocArray, DeviceMemory,
                      (void **P, const ChannelFormat *C, size_t Width, size_t Height, unsigned F),
                      *P, C->bytes() * Width * (Height ? Height : 1), P, C, Width, Height, F)
TENSORLEAK_CUDA_MAKES(cudaMallocHost, HostMemory, (void **P, size_t N), *P, N, P, N)
TENSORLEAK_CUDA_MAKES(cudaHostAlloc, HostMemory, (void **P, size_t N, unsigned F), *P, N, P, N, F)
TENSORLEAK_CUDA_MAKES(cudaStreamCreate, Handle, (void **P), *P, 0, P)
TENSORLEAK_CUDA_MAKES(cudaStreamCreateWithFlags, Handle, (void **P, unsigned F), *P, 0, P, F)
TENSORLEAK_CUDA_MAKES(cudaStreamCreateWithPriority, Handle, (void **P, unsigned F, int Priority),
                      *P, 0, P, F, Priority)
TENSORLEAK_CUDA_MAKES(cudaEventCreate, Handle, (void **P), *P, 0, P)
TENSORLEAK_CUDA_MAKES(cudaEventCreateWithFlags, Handle, (void **P, unsigned F), *P, 0, P, F)
TENSORLEAK_CUDA_MAKES(cublasCreate_v2, Handle, (void **P), *P, 0, P)
TENSORLEAK_CUDA_MAKES(cudnnCreate, Handle, (void **P), *P, 0, P)
TENSORLEAK_CUDA_MAKES(cusparseCreate, Handle, (void **P), *P, 0, P)
TENSORLEAK_CUDA_MAKES(cusolverDnCreate, Handle, (void **P), *P, 0, P)

/// A function that frees what its first argument is.
#define TENSORLEAK_CUDA_FREES(NAME, PARAMETERS, OBJECT, ...)                                       \
  TENSORLEAK_HOOK(NAME##Hook, #NAME, NAME)                                                         \
  TENSORLEAK_EXPORT int NAME PARAMETERS {                                                          \
    if (OBJECT)                                                                                    \
      cudaGone(OBJECT);                                                                            \
    return callCuda(NAME##Hook, __VA_ARGS__);                                                      \
  }

TENSORLEAK_HOOK(cudaFreeHook, "cudaFree", cudaFree)
TENSORLEAK_EXPORT int cudaFree(void *P) {
  noteSegmentGone(P);
  if (P)
    cudaGone(P);
  return callCuda(cudaFreeHook, P);
}
TENSORLEAK_CUDA_FREES(cudaFreeAsync, (void *P, void *S), P, P, S)
TENSORLEAK_CUDA_FREES(cudaFreeAsync_ptsz, (void *P, void *S), P, P, S)
TENSORLEAK_CUDA_FREES(cudaFreeArray, (void *P), P, P)
TENSORLEAK_CUDA_FREES(cudaFreeHost, (void *P), P, P)
TENSORLEAK_CUDA_FREES(cudaStreamDestroy, (void *P), P, P)
TENSORLEAK_CUDA_FREES(cudaEventDestroy, (void *P), P, P)
TENSORLEAK_CUDA_FREES(cublasDestroy_v2, (void *P), P, P)
TENSORLEAK_CUDA_FREES(cudnnDestroy, (void *P), P, P)
TENSORLEAK_CUDA_FREES(cusparseDestroy, (void *P), P, P)
TENSORLEAK_CUDA_FREES(cusolverDnDestroy, (void *P), P, P)
