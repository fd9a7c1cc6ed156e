//===-- FakeLibraries.cpp - cuFFT and NCCL without a GPU -------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests only: gives out plans by number, as cuFFT does, and communicators by pointer.
// Within a group NCCL stores the communicators when the group ends.
//
//===----------------------------------------------------------------------===//
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
