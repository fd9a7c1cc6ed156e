// A host file that calls what a newer toolkit has dropped is read with our
// declarations, with a precompiled prelude and without one.
//
// REQUIRES: cuda-toolkit
// RUN: %tensorleak check %s --level note -- 2>&1 | FileCheck %s
// RUN: %tensorleak check %s --level note -- 2>&1 | FileCheck %s
// RUN: %tensorleak check %s --level note --no-cache -- 2>&1 | FileCheck %s
//
// CHECK-NOT: incomplete
// CHECK: 1 file read with bundled declarations of CUDA: the toolkit's give more errors

#include <cuda.h>
#include <cuda_runtime.h>

void waits(float *host, int n) {
  float *device;
  cudaMalloc((void **)&device, n);
  cudaThreadSynchronize();
  cudaMemcpy(host, device, n, cudaMemcpyDeviceToHost);
  cudaFree(device);
}
