//===-- device_math.h - Mathematics of device code -------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CUDA_DEVICE_MATH_H
#define TENSORLEAK_CUDA_DEVICE_MATH_H

#include "vector_types.h"

// What <cmath> lacks, for both sides. Bodies are never looked into.
#define TENSORLEAK_MATH1(Name)                                                                     \
  __host__ __device__ double Name(double x);                                                       \
  __host__ __device__ float Name##f(float x);
TENSORLEAK_MATH1(rsqrt)
TENSORLEAK_MATH1(rcbrt)
TENSORLEAK_MATH1(sinpi)
TENSORLEAK_MATH1(cospi)
TENSORLEAK_MATH1(tanpi)
TENSORLEAK_MATH1(erfinv)
TENSORLEAK_MATH1(erfcinv)
TENSORLEAK_MATH1(erfcx)
TENSORLEAK_MATH1(normcdf)
TENSORLEAK_MATH1(normcdfinv)
TENSORLEAK_MATH1(cyl_bessel_i0)
TENSORLEAK_MATH1(cyl_bessel_i1)
#undef TENSORLEAK_MATH1
__host__ __device__ float rsqrt(float x);
__host__ __device__ float rcbrt(float x);
__host__ __device__ double rhypot(double x, double y);
__host__ __device__ float rhypotf(float x, float y);
__host__ __device__ double norm3d(double a, double b, double c);
__host__ __device__ float norm3df(float a, float b, float c);
__host__ __device__ double rnorm3d(double a, double b, double c);
__host__ __device__ float rnorm3df(float a, float b, float c);
__host__ __device__ double norm4d(double a, double b, double c, double d);
__host__ __device__ float norm4df(float a, float b, float c, float d);
__host__ __device__ double rnorm4d(double a, double b, double c, double d);
__host__ __device__ float rnorm4df(float a, float b, float c, float d);
__host__ __device__ void sincospi(double x, double *sine, double *cosine);
__host__ __device__ void sincospif(float x, float *sine, float *cosine);
__host__ __device__ void sincos(float x, float *sine, float *cosine);

#define TENSORLEAK_SIDES __host__ __device__
#include "shim/nvcc_host.h"
#undef TENSORLEAK_SIDES

// Fast versions.
#define TENSORLEAK_FAST1(Name) __device__ float __##Name##f(float x);
TENSORLEAK_FAST1(sin)
TENSORLEAK_FAST1(cos)
TENSORLEAK_FAST1(tan)
TENSORLEAK_FAST1(exp)
TENSORLEAK_FAST1(exp10)
TENSORLEAK_FAST1(log)
TENSORLEAK_FAST1(log2)
TENSORLEAK_FAST1(log10)
TENSORLEAK_FAST1(saturate)
TENSORLEAK_FAST1(tanh)
#undef TENSORLEAK_FAST1
__device__ float __powf(float x, float y);
__device__ float __fdividef(float x, float y);
__device__ double __fdivide(double x, double y);
__device__ void __sincosf(float x, float *sine, float *cosine);
__device__ float __frsqrt_rn(float x);

// Versions with a rounding mode.
#define TENSORLEAK_ROUNDED(Mode)                                                                   \
  __device__ float __fadd_##Mode(float x, float y);                                                \
  __device__ float __fsub_##Mode(float x, float y);                                                \
  __device__ float __fmul_##Mode(float x, float y);                                                \
  __device__ float __fdiv_##Mode(float x, float y);                                                \
  __device__ float __fmaf_##Mode(float x, float y, float z);                                       \
  __device__ float __fsqrt_##Mode(float x);                                                        \
  __device__ float __frcp_##Mode(float x);                                                         \
  __device__ double __dadd_##Mode(double x, double y);                                             \
  __device__ double __dsub_##Mode(double x, double y);                                             \
  __device__ double __dmul_##Mode(double x, double y);                                             \
  __device__ double __ddiv_##Mode(double x, double y);                                             \
  __device__ double __fma_##Mode(double x, double y, double z);                                    \
  __device__ double __dsqrt_##Mode(double x);                                                      \
  __device__ double __drcp_##Mode(double x);                                                       \
  __device__ int __float2int_##Mode(float x);                                                      \
  __device__ unsigned int __float2uint_##Mode(float x);                                            \
  __device__ long long __float2ll_##Mode(float x);                                                 \
  __device__ unsigned long long __float2ull_##Mode(float x);                                       \
  __device__ int __double2int_##Mode(double x);                                                    \
  __device__ unsigned int __double2uint_##Mode(double x);                                          \
  __device__ long long __double2ll_##Mode(double x);                                               \
  __device__ unsigned long long __double2ull_##Mode(double x);                                     \
  __device__ float __double2float_##Mode(double x);                                                \
  __device__ float __int2float_##Mode(int x);                                                      \
  __device__ float __uint2float_##Mode(unsigned int x);                                            \
  __device__ float __ll2float_##Mode(long long x);                                                 \
  __device__ float __ull2float_##Mode(unsigned long long x);                                       \
  __device__ double __ll2double_##Mode(long long x);                                               \
  __device__ double __ull2double_##Mode(unsigned long long x);
TENSORLEAK_ROUNDED(rn)
TENSORLEAK_ROUNDED(rz)
TENSORLEAK_ROUNDED(ru)
TENSORLEAK_ROUNDED(rd)
#undef TENSORLEAK_ROUNDED
__device__ double __int2double_rn(int x);
__device__ double __uint2double_rn(unsigned int x);
__device__ int __float_as_int(float x);
__device__ unsigned int __float_as_uint(float x);
__device__ float __int_as_float(int x);
__device__ float __uint_as_float(unsigned int x);
__device__ long long __double_as_longlong(double x);
__device__ double __longlong_as_double(long long x);
__device__ int __double2hiint(double x);
__device__ int __double2loint(double x);
__device__ double __hiloint2double(int hi, int lo);

#endif // TENSORLEAK_CUDA_DEVICE_MATH_H
