//===-- cusolverSp.h - cuSOLVER for sparse matrices -----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CUDA_CUSOLVERSP_H
#define TENSORLEAK_CUDA_CUSOLVERSP_H

#include <cusolver_common.h>
#include <cusparse.h>

typedef struct cusolverSpContext *cusolverSpHandle_t;

#ifdef __cplusplus
extern "C" {
#endif
cusolverStatus_t cusolverSpCreate(cusolverSpHandle_t *handle);
cusolverStatus_t cusolverSpDestroy(cusolverSpHandle_t handle);
cusolverStatus_t cusolverSpSetStream(cusolverSpHandle_t handle, cudaStream_t streamId);
cusolverStatus_t cusolverSpScsrlsvqr(cusolverSpHandle_t handle, int m, int nnz,
                                     const cusparseMatDescr_t descrA, const float *csrVal,
                                     const int *csrRowPtr, const int *csrColInd, const float *b,
                                     float tol, int reorder, float *x, int *singularity);
cusolverStatus_t cusolverSpDcsrlsvqr(cusolverSpHandle_t handle, int m, int nnz,
                                     const cusparseMatDescr_t descrA, const double *csrVal,
                                     const int *csrRowPtr, const int *csrColInd, const double *b,
                                     double tol, int reorder, double *x, int *singularity);
#ifdef __cplusplus
}
#endif

#endif // TENSORLEAK_CUDA_CUSOLVERSP_H
