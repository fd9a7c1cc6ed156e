//===-- FakeRuntime.cpp - A CUDA runtime without a GPU ---------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests only: gives out host memory, and calls CUPTI as the driver under it would.
// Built as libcudart.so.13 it stands for a shared runtime; linked into the program, for
// nvcc's static one. Loads CUDA_INJECTION64_PATH at the first call, as the driver does.
//
//===----------------------------------------------------------------------===//
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>

namespace {

/// Of FakeCupti.cpp, in the library that the injected one opens.
using FireFn = void (*)(uint32_t Id, const char *Function, bool After, const void *Parameters,
                        const int *Result);

FireFn injected() {
  const char *Path = std::getenv("CUDA_INJECTION64_PATH");
  void *Library = Path ? dlopen(Path, RTLD_NOW) : nullptr;
  auto Start =
      Library ? reinterpret_cast<int (*)()>(dlsym(Library, "InitializeInjection")) : nullptr;
  if (!Start || !Start())
    return nullptr;
  void *Cupti = dlopen("libcupti.so", RTLD_NOW);
  return Cupti ? reinterpret_cast<FireFn>(dlsym(Cupti, "fakeCuptiFire")) : nullptr;
}

void fire(uint32_t Id, const char *Function, bool After, const void *Parameters,
          const int *Result = nullptr) {
  static FireFn Fire = injected();
  if (Fire)
    Fire(Id, Function, After, Parameters, Result);
}

struct MakeParameters {
  void **Object;
  size_t Bytes;
};

int make(uint32_t Id, const char *Function, void **Object, size_t Bytes) {
  constexpr size_t Limit = size_t(1) << 40;
  int Result = Bytes > Limit ? 2 : 0;
  MakeParameters Parameters{Object, Bytes};
  fire(Id, Function, false, &Parameters);
  *Object = Result ? nullptr : std::malloc(Bytes ? Bytes : 1);
  fire(Id, Function, true, &Parameters, &Result);
  return Result;
}

int release(uint32_t Id, const char *Function, void *Object) {
  int Result = 0;
  fire(Id, Function, false, &Object);
  std::free(Object);
  fire(Id, Function, true, &Object, &Result);
  return Result;
}

} // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT int cudaMalloc(void **P, size_t N) { return make(243, "cuMemAlloc_v2", P, N); }
EXPORT int cudaFree(void *P) { return release(245, "cuMemFree_v2", P); }
EXPORT int cudaMallocHost(void **P, size_t N) { return make(294, "cuMemAllocHost_v2", P, N); }
EXPORT int cudaFreeHost(void *P) { return release(38, "cuMemFreeHost", P); }
EXPORT int cudaStreamCreate(void **P) { return make(124, "cuStreamCreate", P, 0); }
EXPORT int cudaStreamDestroy(void *P) { return release(326, "cuStreamDestroy_v2", P); }
EXPORT int cudaMallocPitch(void **P, size_t *Pitch, size_t Width, size_t Height) {
  *Pitch = (Width + 511) / 512 * 512;
  return make(243, "cuMemAllocPitch_v2", P, *Pitch * Height);
}
