// CUDA's headers, and those of LibTorch in a file of CUDA, come from a prelude as well: what
// is said does not change, also where the headers are our own.
//
// RUN: rm -rf %t && mkdir %t
// RUN: env TENSORLEAK_CACHE_DIR=%t/own not %tensorleak check %s -q --cuda-path none -- %mock_flags >%t/first 2>&1
// RUN: ls %t/own/* | FileCheck %s --check-prefix=MADE
// RUN: env TENSORLEAK_CACHE_DIR=%t/own not %tensorleak check %s -q --cuda-path none -- %mock_flags >%t/second 2>&1
// RUN: not %tensorleak check %s -q --cuda-path none --no-cache -- %mock_flags >%t/without 2>&1
// RUN: diff %t/first %t/second
// RUN: diff %t/first %t/without
// RUN: FileCheck %s --implicit-check-not=warning: <%t/second
// RUN: env TENSORLEAK_CACHE_DIR=%t/any not %tensorleak check %s -q -- %mock_flags >%t/first 2>&1
// RUN: env TENSORLEAK_CACHE_DIR=%t/any not %tensorleak check %s -q -- %mock_flags >%t/second 2>&1
// RUN: diff %t/first %t/second
//
// Without -q the bundled declarations are named, from the prelude too.
//
// RUN: env TENSORLEAK_CACHE_DIR=%t/own not %tensorleak check %s --cuda-path none -- %mock_flags 2>&1 | FileCheck %s --check-prefix=SAYS
//
// MADE: .pch
// SAYS: tensorleak: no CUDA toolkit found; bundled declarations are used
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <torch/torch.h>

__global__ void kernel(float *P) { P[0] = max(1, 2); }

std::vector<torch::Tensor> Kept;

void run(torch::nn::Linear Net, torch::Tensor X, int N) {
  float *Device;
  // CHECK: prelude.cu:[[#@LINE+1]]:{{.*}}warning: {{.*}}'Device'
  cudaMalloc((void **)&Device, min(N, 8) * sizeof(float));
  kernel<<<1, 32>>>(Device);
  for (int I = 0; I < 9; ++I)
    // CHECK: prelude.cu:[[#@LINE+1]]:{{.*}}warning:
    Kept.push_back(Net->forward(X));
}
