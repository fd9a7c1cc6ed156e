//===-- cuda_fp16.h - Half precision ---------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

#include <cuda_runtime.h>

#ifdef __cplusplus
#define __CUDA_FP16_TYPES_EXIST__

struct __align__(2) __half_raw {
  unsigned short x;
};
struct __align__(4) __half2_raw {
  unsigned short x, y;
};

struct __align__(2) __half {
  __half() = default;
  __host__ __device__ constexpr __half(const __half_raw &Raw) : Bits(Raw.x) {}
  __host__ __device__ __half(float f);
  __host__ __device__ __half(double f);
  __host__ __device__ __half(int i);
  __host__ __device__ __half(unsigned int i);
  __host__ __device__ __half(short i);
  __host__ __device__ __half(unsigned short i);
  __host__ __device__ __half(long i);
  __host__ __device__ __half(unsigned long i);
  __host__ __device__ __half(long long i);
  __host__ __device__ __half(unsigned long long i);
  __host__ __device__ operator float() const;
  __host__ __device__ operator __half_raw() const;
  __host__ __device__ explicit operator bool() const;
  __host__ __device__ __half &operator=(float f);
  __host__ __device__ __half &operator=(double f);

protected:
  unsigned short Bits;
};
struct __align__(4) __half2 {
  __half x, y;
  __half2() = default;
  __host__ __device__ __half2(const __half &a, const __half &b);
  __host__ __device__ __half2(const __half2_raw &Raw);
};
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;

#include "half_functions.h"
TENSORLEAK_HALF_OPERATORS(__half, __half2)
TENSORLEAK_HALF_FUNCTIONS(__half, __half2)

__host__ __device__ __half __float2half(float a);
__host__ __device__ __half __float2half_rn(float a);
__host__ __device__ __half __float2half_rz(float a);
__host__ __device__ __half __float2half_rd(float a);
__host__ __device__ __half __float2half_ru(float a);
__host__ __device__ __half __double2half(double a);
__host__ __device__ float __half2float(__half a);
__host__ __device__ __half2 __float2half2_rn(float a);
__host__ __device__ __half2 __floats2half2_rn(float a, float b);
__host__ __device__ __half2 __float22half2_rn(float2 a);
__host__ __device__ float2 __half22float2(__half2 a);
__host__ __device__ float __low2float(__half2 a);
__host__ __device__ float __high2float(__half2 a);
__host__ __device__ __half2 make_half2(__half x, __half y);
__host__ __device__ __half2 __half2half2(__half a);
__host__ __device__ __half2 __halves2half2(__half a, __half b);
__host__ __device__ unsigned short __half_as_ushort(__half h);
__host__ __device__ short __half_as_short(__half h);
__host__ __device__ __half __ushort_as_half(unsigned short i);
__host__ __device__ __half __short_as_half(short i);
__device__ int __half2int_rn(__half h);
__device__ int __half2int_rz(__half h);
__device__ unsigned int __half2uint_rn(__half h);
__device__ __half __int2half_rn(int i);
__device__ __half __uint2half_rn(unsigned int i);
__device__ __half __ll2half_rn(long long i);
#endif

#endif // __CUDA_FP16_H__
