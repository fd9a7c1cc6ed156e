//===-- cublasXt.h - cuBLAS over several GPUs ------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CUDA_CUBLASXT_H
#define TENSORLEAK_CUDA_CUBLASXT_H

#include <cublas_api.h>

typedef struct cublasXtContext *cublasXtHandle_t;

#ifdef __cplusplus
extern "C" {
#endif
cublasStatus_t cublasXtCreate(cublasXtHandle_t *handle);
cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle);
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int nbDevices, int deviceId[]);
cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int blockDim);
#ifdef __cplusplus
}
#endif

#endif // TENSORLEAK_CUDA_CUBLASXT_H
