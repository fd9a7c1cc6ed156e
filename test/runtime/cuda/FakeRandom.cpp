//===-- FakeRandom.cpp - cuRAND without a GPU ------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests only. As the real one it has a CUDA runtime of its own, linked statically
// (FakeRuntime.cpp), and allocates its states when numbers are asked for first.
//
//===----------------------------------------------------------------------===//
#include <cstddef>

#define EXPORT extern "C" __attribute__((visibility("default")))

extern "C" int cudaMalloc(void **, size_t);
extern "C" int cudaFree(void *);

struct Generator {
  void *States = nullptr;
};

EXPORT int curandCreateGenerator(Generator **Made, int) {
  *Made = new Generator;
  return 0;
}
EXPORT int curandGenerateUniform(Generator *Of, float *, size_t) {
  return Of->States ? 0 : cudaMalloc(&Of->States, 4096);
}
EXPORT int curandDestroyGenerator(Generator *Of) {
  int Error = Of->States ? cudaFree(Of->States) : 0;
  delete Of;
  return Error;
}
