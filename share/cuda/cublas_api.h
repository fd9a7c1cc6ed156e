//===-- cublas_api.h - cuBLAS ----------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUBLAS_API_H_
#define CUBLAS_API_H_

#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <library_types.h>
#include <stdint.h>

#define CUBLAS_VERSION 120400
#define CUBLASWINAPI

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef cublasStatus_t cublasStatus;
typedef enum {
  CUBLAS_FILL_MODE_LOWER = 0,
  CUBLAS_FILL_MODE_UPPER = 1,
  CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum {
  CUBLAS_OP_N = 0,
  CUBLAS_OP_T = 1,
  CUBLAS_OP_C = 2,
  CUBLAS_OP_HERMITAN = 2,
  CUBLAS_OP_CONJG = 3
} cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef enum {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_ALGO0 = 0,
  CUBLAS_GEMM_ALGO1 = 1,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99
} cublasGemmAlgo_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef cudaDataType cublasDataType_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73
} cublasComputeType_t;
typedef struct cublasContext *cublasHandle_t;

#ifdef __cplusplus
extern "C" {
#endif

// Acquire and release a cuBLAS handle.
cublasStatus_t cublasCreate(cublasHandle_t *);
cublasStatus_t cublasDestroy(cublasHandle_t);

// Everything else.
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t, cublasAtomicsMode_t *);
cublasStatus_t cublasGetMathMode(cublasHandle_t, cublasMath_t *);
cublasStatus_t cublasGetMatrix(int, int, int, const void *, int, void *, int);
cublasStatus_t cublasGetPointerMode(cublasHandle_t, cublasPointerMode_t *);
const char *cublasGetStatusName(cublasStatus_t);
const char *cublasGetStatusString(cublasStatus_t);
cublasStatus_t cublasGetStream(cublasHandle_t, cudaStream_t *);
cublasStatus_t cublasGetVector(int, int, const void *, int, void *, int);
cublasStatus_t cublasGetVectorAsync(int, int, const void *, int, void *, int, cudaStream_t);
cublasStatus_t cublasGetVersion(cublasHandle_t, int *);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t, cublasAtomicsMode_t);
cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t);
cublasStatus_t cublasSetMatrix(int, int, int, const void *, int, void *, int);
cublasStatus_t cublasSetPointerMode(cublasHandle_t, cublasPointerMode_t);
cublasStatus_t cublasSetStream(cublasHandle_t, cudaStream_t);
cublasStatus_t cublasSetVector(int, int, const void *, int, void *, int);
cublasStatus_t cublasSetVectorAsync(int, int, const void *, int, void *, int, cudaStream_t);
cublasStatus_t cublasSetWorkspace(cublasHandle_t, void *, size_t);

// Each letter has an element type: these are for all four.
#define TENSORLEAK_EACH(Letter, Lower, Element)                                                    \
  cublasStatus_t cublasI##Lower##amax(cublasHandle_t, int, const Element *, int, int *);           \
  cublasStatus_t cublasI##Lower##amin(cublasHandle_t, int, const Element *, int, int *);           \
  cublasStatus_t cublas##Letter##axpy(cublasHandle_t, int, const Element *, const Element *, int,  \
                                      Element *, int);                                             \
  cublasStatus_t cublas##Letter##copy(cublasHandle_t, int, const Element *, int, Element *, int);  \
  cublasStatus_t cublas##Letter##geam(cublasHandle_t, cublasOperation_t, cublasOperation_t, int,   \
                                      int, const Element *, const Element *, int, const Element *, \
                                      const Element *, int, Element *, int);                       \
  cublasStatus_t cublas##Letter##gemm(cublasHandle_t, cublasOperation_t, cublasOperation_t, int,   \
                                      int, int, const Element *, const Element *, int,             \
                                      const Element *, int, const Element *, Element *, int);      \
  cublasStatus_t cublas##Letter##gemmBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, \
                                             int, int, int, const Element *,                       \
                                             const Element *const[], int, const Element *const[],  \
                                             int, const Element *, Element *const[], int, int);    \
  cublasStatus_t cublas##Letter##gemmStridedBatched(                                               \
      cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const Element *,        \
      const Element *, int, long long int, const Element *, int, long long int, const Element *,   \
      Element *, int, long long int, int);                                                         \
  cublasStatus_t cublas##Letter##gemv(cublasHandle_t, cublasOperation_t, int, int,                 \
                                      const Element *, const Element *, int, const Element *, int, \
                                      const Element *, Element *, int);                            \
  cublasStatus_t cublas##Letter##getrfBatched(cublasHandle_t, int, Element *const[], int, int *,   \
                                              int *, int);                                         \
  cublasStatus_t cublas##Letter##getriBatched(cublasHandle_t, int, const Element *const[], int,    \
                                              const int *, Element *const[], int, int *, int);     \
  cublasStatus_t cublas##Letter##matinvBatched(cublasHandle_t, int, const Element *const[], int,   \
                                               Element *const[], int, int *, int);                 \
  cublasStatus_t cublas##Letter##scal(cublasHandle_t, int, const Element *, Element *, int);       \
  cublasStatus_t cublas##Letter##swap(cublasHandle_t, int, Element *, int, Element *, int);        \
  cublasStatus_t cublas##Letter##syrk(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int,    \
                                      int, const Element *, const Element *, int, const Element *, \
                                      Element *, int);
TENSORLEAK_EACH(S, s, float)
TENSORLEAK_EACH(D, d, double)
TENSORLEAK_EACH(C, c, cuComplex)
TENSORLEAK_EACH(Z, z, cuDoubleComplex)
#undef TENSORLEAK_EACH

// For the real ones.
#define TENSORLEAK_REAL(Letter, Lower, Element)                                                    \
  cublasStatus_t cublas##Letter##asum(cublasHandle_t, int, const Element *, int, Element *);       \
  cublasStatus_t cublas##Letter##dot(cublasHandle_t, int, const Element *, int, const Element *,   \
                                     int, Element *);                                              \
  cublasStatus_t cublas##Letter##ger(cublasHandle_t, int, int, const Element *, const Element *,   \
                                     int, const Element *, int, Element *, int);                   \
  cublasStatus_t cublas##Letter##nrm2(cublasHandle_t, int, const Element *, int, Element *);       \
  cublasStatus_t cublas##Letter##symv(cublasHandle_t, cublasFillMode_t, int, const Element *,      \
                                      const Element *, int, const Element *, int, const Element *, \
                                      Element *, int);
TENSORLEAK_REAL(S, s, float)
TENSORLEAK_REAL(D, d, double)
#undef TENSORLEAK_REAL

// For the complex ones.
#define TENSORLEAK_COMPLEX(Letter, Lower, Element)                                                 \
  cublasStatus_t cublas##Letter##dgmm(cublasHandle_t, cublasSideMode_t, int, int, const Element *, \
                                      int, const Element *, int, Element *, int);                  \
  cublasStatus_t cublas##Letter##dotc(cublasHandle_t, int, const Element *, int, const Element *,  \
                                      int, Element *);                                             \
  cublasStatus_t cublas##Letter##dotu(cublasHandle_t, int, const Element *, int, const Element *,  \
                                      int, Element *);                                             \
  cublasStatus_t cublas##Letter##gerc(cublasHandle_t, int, int, const Element *, const Element *,  \
                                      int, const Element *, int, Element *, int);                  \
  cublasStatus_t cublas##Letter##geru(cublasHandle_t, int, int, const Element *, const Element *,  \
                                      int, const Element *, int, Element *, int);                  \
  cublasStatus_t cublas##Letter##hemv(cublasHandle_t, cublasFillMode_t, int, const Element *,      \
                                      const Element *, int, const Element *, int, const Element *, \
                                      Element *, int);                                             \
  cublasStatus_t cublas##Letter##symm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int,     \
                                      int, const Element *, const Element *, int, const Element *, \
                                      int, const Element *, Element *, int);                       \
  cublasStatus_t cublas##Letter##trsm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t,          \
                                      cublasOperation_t, cublasDiagType_t, int, int,               \
                                      const Element *, const Element *, int, Element *, int);      \
  cublasStatus_t cublas##Letter##trsv(cublasHandle_t, cublasFillMode_t, cublasOperation_t,         \
                                      cublasDiagType_t, int, const Element *, int, Element *,      \
                                      int);
TENSORLEAK_COMPLEX(C, c, cuComplex)
TENSORLEAK_COMPLEX(Z, z, cuDoubleComplex)
#undef TENSORLEAK_COMPLEX

// Those of the complex ones that take real numbers too.
cublasStatus_t cublasSdgmm(cublasHandle_t, cublasSideMode_t, int, int, const float *, int,
                           const float *, int, float *, int);
cublasStatus_t cublasSsymm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int, int,
                           const float *, const float *, int, const float *, int, const float *,
                           float *, int);
cublasStatus_t cublasStrsm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
                           cublasDiagType_t, int, int, const float *, const float *, int, float *,
                           int);
cublasStatus_t cublasStrsv(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
                           int, const float *, int, float *, int);
cublasStatus_t cublasDdgmm(cublasHandle_t, cublasSideMode_t, int, int, const double *, int,
                           const double *, int, double *, int);
cublasStatus_t cublasDsymm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int, int,
                           const double *, const double *, int, const double *, int, const double *,
                           double *, int);
cublasStatus_t cublasDtrsm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
                           cublasDiagType_t, int, int, const double *, const double *, int,
                           double *, int);
cublasStatus_t cublasDtrsv(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
                           int, const double *, int, double *, int);
cublasStatus_t cublasScasum(cublasHandle_t, int, const cuComplex *, int, float *);
cublasStatus_t cublasScnrm2(cublasHandle_t, int, const cuComplex *, int, float *);
cublasStatus_t cublasDzasum(cublasHandle_t, int, const cuDoubleComplex *, int, double *);
cublasStatus_t cublasDznrm2(cublasHandle_t, int, const cuDoubleComplex *, int, double *);

// Any element type.
cublasStatus_t cublasSgemmEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                             const float *, const void *, cudaDataType, int, const void *,
                             cudaDataType, int, const float *, void *, cudaDataType, int);
#ifdef __cplusplus
}

// The type of the computation was an element type before CUDA 11.
#define TENSORLEAK_GEMM(Compute)                                                                   \
  cublasStatus_t cublasGemmEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, \
                              const void *, const void *, cudaDataType, int, const void *,         \
                              cudaDataType, int, const void *, void *, cudaDataType, int, Compute, \
                              cublasGemmAlgo_t);                                                   \
  cublasStatus_t cublasGemmBatchedEx(                                                              \
      cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void *,           \
      const void *const[], cudaDataType, int, const void *const[], cudaDataType, int,              \
      const void *, void *const[], cudaDataType, int, int, Compute, cublasGemmAlgo_t);             \
  cublasStatus_t cublasGemmStridedBatchedEx(                                                       \
      cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void *,           \
      const void *, cudaDataType, int, long long int, const void *, cudaDataType, int,             \
      long long int, const void *, void *, cudaDataType, int, long long int, int, Compute,         \
      cublasGemmAlgo_t);
TENSORLEAK_GEMM(cublasComputeType_t)
TENSORLEAK_GEMM(cudaDataType)
#undef TENSORLEAK_GEMM

// Half precision: its type is a class.
extern "C" {
cublasStatus_t cublasHgemm(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                           const __half *, const __half *, int, const __half *, int, const __half *,
                           __half *, int);
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int,
                                         int, int, const __half *, const __half *, int,
                                         long long int, const __half *, int, long long int,
                                         const __half *, __half *, int, long long int, int);
}
#endif

// The names that the functions have in the library.
#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasSetStream_v2 cublasSetStream
#define cublasGetStream_v2 cublasGetStream
#define cublasSetPointerMode_v2 cublasSetPointerMode
#define cublasSgemm_v2 cublasSgemm
#define cublasDgemm_v2 cublasDgemm
#define cublasSgemv_v2 cublasSgemv
#define cublasSaxpy_v2 cublasSaxpy
#define cublasSscal_v2 cublasSscal
#define cublasSdot_v2 cublasSdot

#endif // CUBLAS_API_H_
