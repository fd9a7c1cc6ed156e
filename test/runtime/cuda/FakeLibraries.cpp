//===-- FakeLibraries.cpp - CUDA's libraries without a GPU -----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests only: gives out plans by number, as cuFFT does, and communicators by pointer.
// Within a group NCCL stores the communicators when the group ends.
//
//===----------------------------------------------------------------------===//
#include <cstdint>
#include <cstdlib>
#include <vector>

#define EXPORT extern "C" __attribute__((visibility("default")))

static int NextPlan = 0;
static bool InGroup = false;
static std::vector<void **> Waiting;

EXPORT int cufftPlan1d(int *Plan, int Size, int, int) {
  if (Size < 1)
    return 8; // CUFFT_INVALID_SIZE
  *Plan = NextPlan++;
  return 0;
}
EXPORT int cufftPlanMany(int *Plan, int, int *Sizes, int *, int, int, int *, int, int, int,
                         int Batch) {
  return cufftPlan1d(Plan, Batch == 7 ? Sizes[0] : 0, 0, 0);
}
EXPORT int cufftDestroy(int) { return 0; }

// The driver's, which programs call without the runtime.
EXPORT int cuModuleLoadDataEx(void **Module, const void *Image, unsigned Options, void *Keys,
                              void **Values) {
  if (!Image || Options || Keys || Values)
    return 1; // CUDA_ERROR_INVALID_VALUE: the arguments did not arrive
  *Module = std::malloc(1);
  return 0;
}
EXPORT int cuModuleUnload(void *Module) {
  std::free(Module);
  return 0;
}

EXPORT int cusparseCreateDnVec(void **Vector, int64_t Size, void *Values, int Type) {
  if (Size != 64 || Values || Type != 7)
    return 3; // CUSPARSE_STATUS_INVALID_VALUE: the arguments did not arrive
  *Vector = std::malloc(1);
  return 0;
}
EXPORT int cusparseDestroyDnVec(void *Vector) {
  std::free(Vector);
  return 0;
}
EXPORT int cublasLtMatrixLayoutCreate(void **Layout, int, uint64_t Rows, uint64_t Columns,
                                      int64_t Leading) {
  if (Rows != 2 || Columns != 3 || Leading != 4)
    return 7; // CUBLAS_STATUS_INVALID_VALUE
  *Layout = std::malloc(1);
  return 0;
}
EXPORT int cublasLtMatrixLayoutDestroy(void *Layout) {
  std::free(Layout);
  return 0;
}

struct ncclUniqueId {
  char Bytes[128];
};

EXPORT int ncclGroupStart() {
  InGroup = true;
  return 0;
}
EXPORT int ncclGroupEnd() {
  InGroup = false;
  for (void **Comm : Waiting)
    *Comm = std::malloc(1);
  Waiting.clear();
  return 0;
}
EXPORT int ncclCommInitRank(void **Comm, int, ncclUniqueId Id, int) {
  if (Id.Bytes[127] != 'x')
    return 4; // ncclInvalidArgument: the id did not arrive whole
  if (InGroup)
    Waiting.push_back(Comm);
  else
    *Comm = std::malloc(1);
  return 0;
}
EXPORT int ncclCommInitAll(void **Comms, int Count, const int *) {
  for (int I = 0; I < Count; ++I)
    Comms[I] = std::malloc(1);
  return 0;
}
EXPORT int ncclCommDestroy(void *Comm) {
  std::free(Comm);
  return 0;
}
