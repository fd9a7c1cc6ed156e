//===-- cufftXt.h - cuFFT over several GPUs and with callbacks -------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CUDA_CUFFTXT_H
#define TENSORLEAK_CUDA_CUFFTXT_H

#include <cufft.h>

typedef enum cudaXtCopyType_t {
  CUDA_XT_COPY_HOST_TO_DEVICE = 0,
  CUDA_XT_COPY_DEVICE_TO_HOST = 1
} cufftXtCopyType;
typedef enum cufftXtSubFormat_t {
  CUFFT_XT_FORMAT_INPUT = 0,
  CUFFT_XT_FORMAT_OUTPUT = 1,
  CUFFT_XT_FORMAT_INPLACE = 2
} cufftXtSubFormat;
typedef enum cufftXtCallbackType_t {
  CUFFT_CB_LD_COMPLEX = 0,
  CUFFT_CB_LD_COMPLEX_DOUBLE = 1,
  CUFFT_CB_LD_REAL = 2,
  CUFFT_CB_LD_REAL_DOUBLE = 3,
  CUFFT_CB_ST_COMPLEX = 4,
  CUFFT_CB_ST_COMPLEX_DOUBLE = 5,
  CUFFT_CB_ST_REAL = 6,
  CUFFT_CB_ST_REAL_DOUBLE = 7
} cufftXtCallbackType;
typedef struct cudaLibXtDesc_t cudaLibXtDesc;

#ifdef __cplusplus
extern "C" {
#endif
cufftResult cufftXtSetGPUs(cufftHandle handle, int nGPUs, int *whichGPUs);
cufftResult cufftXtMalloc(cufftHandle plan, cudaLibXtDesc **descriptor, cufftXtSubFormat format);
cufftResult cufftXtFree(cudaLibXtDesc *descriptor);
cufftResult cufftXtMemcpy(cufftHandle plan, void *dstPointer, void *srcPointer,
                          cufftXtCopyType type);
cufftResult cufftXtSetCallback(cufftHandle plan, void **callback_routine, cufftXtCallbackType cbType,
                               void **caller_info);
#ifdef __cplusplus
}
#endif

#endif // TENSORLEAK_CUDA_CUFFTXT_H
