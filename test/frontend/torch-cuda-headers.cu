// A LibTorch for the CPU alone has the headers of its CUDA half, but not the two that the build of
// that half writes. An extension is understood all the same, and what it forgets is a warning.
//
// REQUIRES: torch
// RUN: not %tensorleak check %s --cuda-path none -q -- %torch_flags 2>&1 | FileCheck %s --implicit-check-not=incomplete --implicit-check-not=warning:
// In C++ too, and where a header of the project's includes them.
// RUN: rm -rf %t && mkdir -p %t/.git && echo '#include <c10/cuda/CUDAGuard.h>' >%t/common.h
// RUN: echo '#include "common.h"' >%t/a.cpp && echo 'int count() { return c10::cuda::device_count(); }' >>%t/a.cpp
// RUN: %tensorleak check %t/a.cpp --cuda-path none -- %torch_flags 2>&1 | FileCheck %s --check-prefix=HEADER --implicit-check-not=incomplete
// HEADER: no findings
#include <ATen/cuda/CUDAConfig.h>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/Exceptions.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/torch.h>

__global__ void twice(float *Data, int64_t N) {
  int64_t I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    Data[I] *= 2;
}

torch::Tensor forgets(torch::Tensor X) {
  at::cuda::CUDAGuard Device(X.device());
  cudaStream_t Stream = at::cuda::getCurrentCUDAStream();
  float *Copy = nullptr;
  // CHECK: torch-cuda-headers.cu:[[#@LINE+1]]:{{.*}}warning: {{.*}}'Copy' is not given back
  AT_CUDA_CHECK(cudaMalloc(&Copy, X.nbytes()));
  cudaMemcpyAsync(Copy, X.data_ptr(), X.nbytes(), cudaMemcpyDeviceToDevice, Stream);
  twice<<<1, 256, 0, Stream>>>(Copy, X.numel());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  cudaStreamSynchronize(Stream);
  return torch::empty_like(X);
}

torch::Tensor gives_back(torch::Tensor X) {
  cudaStream_t Stream = c10::cuda::getStreamFromPool();
  float *Copy = nullptr;
  C10_CUDA_CHECK(cudaMalloc(&Copy, X.nbytes()));
  twice<<<1, 256, 0, Stream>>>(Copy, X.numel());
  cudaFree(Copy);
  return torch::empty_like(X);
}
