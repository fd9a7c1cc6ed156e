//===-- cuComplex.h - Complex numbers in C ---------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

#include <vector_types.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

// Bodies are looked into by nobody: what counts is what they return.
#ifdef __cplusplus
#define TENSORLEAK_COMPLEX(Type, Real, Tail)                                                       \
  __host__ __device__ Real cuCreal##Tail(Type x);                                                  \
  __host__ __device__ Real cuCimag##Tail(Type x);                                                  \
  __host__ __device__ Real cuCabs##Tail(Type x);                                                   \
  __host__ __device__ Type cuConj##Tail(Type x);                                                   \
  __host__ __device__ Type cuCadd##Tail(Type x, Type y);                                           \
  __host__ __device__ Type cuCsub##Tail(Type x, Type y);                                           \
  __host__ __device__ Type cuCmul##Tail(Type x, Type y);                                           \
  __host__ __device__ Type cuCdiv##Tail(Type x, Type y);                                           \
  __host__ __device__ Type cuCfma##Tail(Type x, Type y, Type z);
TENSORLEAK_COMPLEX(cuFloatComplex, float, f)
TENSORLEAK_COMPLEX(cuDoubleComplex, double, )
#undef TENSORLEAK_COMPLEX
__host__ __device__ cuFloatComplex make_cuFloatComplex(float r, float i);
__host__ __device__ cuDoubleComplex make_cuDoubleComplex(double r, double i);
__host__ __device__ cuComplex make_cuComplex(float x, float y);
__host__ __device__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex c);
__host__ __device__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex c);
#endif

#endif // CU_COMPLEX_H_
