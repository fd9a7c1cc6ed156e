//===-- nvToolsExtCudaRt.h - NVTX for the CUDA runtime ---------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CUDA_NVTOOLSEXTCUDART_H
#define TENSORLEAK_CUDA_NVTOOLSEXTCUDART_H

#include <cuda_runtime.h>
#include <nvToolsExt.h>

#ifdef __cplusplus
extern "C" {
#endif
void nvtxNameCudaDeviceA(int, const char *);
void nvtxNameCudaEventA(cudaEvent_t, const char *);
void nvtxNameCudaStreamA(cudaStream_t, const char *);
#ifdef __cplusplus
}
#endif
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA

#endif // TENSORLEAK_CUDA_NVTOOLSEXTCUDART_H
