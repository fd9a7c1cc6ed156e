//===-- cusolverDn.h - cuSOLVER for dense matrices ------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUSOLVERDN_H_
#define CUSOLVERDN_H_

#include <cusolver_common.h>

typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct syevjInfo *syevjInfo_t;
typedef struct gesvdjInfo *gesvdjInfo_t;
typedef struct cusolverDnParams *cusolverDnParams_t;

#ifdef __cplusplus
extern "C" {
#endif
// Acquire and release a cuSOLVER handle.
cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *);
cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t *);
cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *);
cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t *);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t);
cusolverStatus_t cusolverDnDestroyGesvdjInfo(gesvdjInfo_t);
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t);
cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t);

// Everything else.
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t, cudaStream_t *);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t, cudaStream_t);

// Each letter has an element type: these are for all four.
#define TENSORLEAK_EACH(Letter, Element)                                                           \
  cusolverStatus_t cusolverDn##Letter##geqrf(cusolverDnHandle_t, int, int, Element *, int,         \
                                             Element *, Element *, int, int *);                    \
  cusolverStatus_t cusolverDn##Letter##geqrf_bufferSize(cusolverDnHandle_t, int, int, Element *,   \
                                                        int, int *);                               \
  cusolverStatus_t cusolverDn##Letter##gesvd_bufferSize(cusolverDnHandle_t, int, int, int *);      \
  cusolverStatus_t cusolverDn##Letter##getrf(cusolverDnHandle_t, int, int, Element *, int,         \
                                             Element *, int *, int *);                             \
  cusolverStatus_t cusolverDn##Letter##getrf_bufferSize(cusolverDnHandle_t, int, int, Element *,   \
                                                        int, int *);                               \
  cusolverStatus_t cusolverDn##Letter##getrs(cusolverDnHandle_t, cublasOperation_t, int, int,      \
                                             const Element *, int, const int *, Element *, int,    \
                                             int *);                                               \
  cusolverStatus_t cusolverDn##Letter##potrf(cusolverDnHandle_t, cublasFillMode_t, int, Element *, \
                                             int, Element *, int, int *);                          \
  cusolverStatus_t cusolverDn##Letter##potrf_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, \
                                                        Element *, int, int *);                    \
  cusolverStatus_t cusolverDn##Letter##potrs(cusolverDnHandle_t, cublasFillMode_t, int, int,       \
                                             const Element *, int, Element *, int, int *);
TENSORLEAK_EACH(S, float)
TENSORLEAK_EACH(D, double)
TENSORLEAK_EACH(C, cuComplex)
TENSORLEAK_EACH(Z, cuDoubleComplex)
#undef TENSORLEAK_EACH

// For the real ones.
#define TENSORLEAK_REAL(Letter, Element)                                                           \
  cusolverStatus_t cusolverDn##Letter##gesvd(cusolverDnHandle_t, signed char, signed char, int,    \
                                             int, Element *, int, Element *, Element *, int,       \
                                             Element *, int, Element *, int, Element *, int *);    \
  cusolverStatus_t cusolverDn##Letter##syevd(cusolverDnHandle_t, cusolverEigMode_t,                \
                                             cublasFillMode_t, int, Element *, int, Element *,     \
                                             Element *, int, int *);                               \
  cusolverStatus_t cusolverDn##Letter##syevd_bufferSize(cusolverDnHandle_t, cusolverEigMode_t,     \
                                                        cublasFillMode_t, int, const Element *,    \
                                                        int, const Element *, int *);
TENSORLEAK_REAL(S, float)
TENSORLEAK_REAL(D, double)
#undef TENSORLEAK_REAL

// Those of the complex ones that take real numbers too.
cusolverStatus_t cusolverDnCgesvd(cusolverDnHandle_t, signed char, signed char, int, int,
                                  cuComplex *, int, float *, cuComplex *, int, cuComplex *, int,
                                  cuComplex *, int, float *, int *);
cusolverStatus_t cusolverDnCheevd(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int,
                                  cuComplex *, int, float *, cuComplex *, int, int *);
cusolverStatus_t cusolverDnCheevd_bufferSize(cusolverDnHandle_t, cusolverEigMode_t,
                                             cublasFillMode_t, int, const cuComplex *, int,
                                             const float *, int *);
cusolverStatus_t cusolverDnZgesvd(cusolverDnHandle_t, signed char, signed char, int, int,
                                  cuDoubleComplex *, int, double *, cuDoubleComplex *, int,
                                  cuDoubleComplex *, int, cuDoubleComplex *, int, double *, int *);
cusolverStatus_t cusolverDnZheevd(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int,
                                  cuDoubleComplex *, int, double *, cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZheevd_bufferSize(cusolverDnHandle_t, cusolverEigMode_t,
                                             cublasFillMode_t, int, const cuDoubleComplex *, int,
                                             const double *, int *);
#ifdef __cplusplus
}
#endif

#endif // CUSOLVERDN_H_
