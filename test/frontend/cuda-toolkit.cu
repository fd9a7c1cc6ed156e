// With a toolkit its own headers are read; where they give more errors than our
// declarations do, ours are taken instead, and the output says so.
//
// REQUIRES: cuda-toolkit
// RUN: not %tensorleak check %s --no-cache -- %mock_flags 2>&1 | FileCheck %s --check-prefixes=ALL,OWN --implicit-check-not=bundled
// RUN: not %tensorleak check %s --no-cache -- %mock_flags -DOLD 2>&1 | FileCheck %s --check-prefixes=ALL,OLD
// RUN: not %tensorleak check %s --cuda-path %t -- %mock_flags 2>&1 | FileCheck %s --check-prefix=WRONG
//
// ALL: cuda-toolkit.cu:[[#@LINE+20]]:{{.*}}warning:
// OLD: 1 file read with bundled declarations of CUDA: the toolkit's give more errors
// OWN: 1 warning in 1 file
// WRONG: does not exist
#include <torch/torch.h>

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <thrust/device_vector.h>

std::vector<torch::Tensor> Kept;

__global__ void kernel(float *P) { atomicAdd(P, sqrtf(P[threadIdx.x])); }

void train(torch::nn::Linear Net, torch::Tensor X, float *Device) {
  for (int I = 0; I < min(9, 10); ++I) { // of nvcc, not of std
    kernel<<<1, 32>>>(Device);
#ifdef OLD
    cudaThreadSynchronize();
#endif
    Kept.push_back(Net->forward(X));
  }
}
