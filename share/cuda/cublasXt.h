//===-- cublasXt.h - cuBLAS over several GPUs ------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUBLAS_XT_H_
#define CUBLAS_XT_H_

#include <cublas_api.h>

typedef struct cublasXtContext *cublasXtHandle_t;

#ifdef __cplusplus
extern "C" {
#endif
// Acquire and release a cuBLAS handle.
cublasStatus_t cublasXtCreate(cublasXtHandle_t *);
cublasStatus_t cublasXtDestroy(cublasXtHandle_t);

// Everything else.
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t, int, int[]);
cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t, int);
#ifdef __cplusplus
}
#endif

#endif // CUBLAS_XT_H_
