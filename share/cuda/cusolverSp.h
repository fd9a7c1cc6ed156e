//===-- cusolverSp.h - cuSOLVER for sparse matrices -----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUSOLVERSP_H_
#define CUSOLVERSP_H_

#include <cusolver_common.h>
#include <cusparse.h>

typedef struct cusolverSpContext *cusolverSpHandle_t;

#ifdef __cplusplus
extern "C" {
#endif
// Acquire and release a cuSOLVER handle.
cusolverStatus_t cusolverSpCreate(cusolverSpHandle_t *);
cusolverStatus_t cusolverSpDestroy(cusolverSpHandle_t);

// Everything else.
cusolverStatus_t cusolverSpDcsrlsvqr(cusolverSpHandle_t, int, int, const cusparseMatDescr_t,
                                     const double *, const int *, const int *, const double *,
                                     double, int, double *, int *);
cusolverStatus_t cusolverSpScsrlsvqr(cusolverSpHandle_t, int, int, const cusparseMatDescr_t,
                                     const float *, const int *, const int *, const float *, float,
                                     int, float *, int *);
cusolverStatus_t cusolverSpSetStream(cusolverSpHandle_t, cudaStream_t);
#ifdef __cplusplus
}
#endif

#endif // CUSOLVERSP_H_
