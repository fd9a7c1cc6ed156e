//===-- cuda_bf16.h - Bfloat16 ---------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__

#include <cuda_runtime.h>

#ifdef __cplusplus
#define __CUDA_BF16_TYPES_EXIST__

struct __align__(2) __nv_bfloat16_raw {
  unsigned short x;
};
struct __align__(4) __nv_bfloat162_raw {
  unsigned short x, y;
};

struct __align__(2) __nv_bfloat16 {
  __nv_bfloat16() = default;
  __host__ __device__ constexpr __nv_bfloat16(const __nv_bfloat16_raw &Raw) : Bits(Raw.x) {}
  __host__ __device__ __nv_bfloat16(float f);
  __host__ __device__ __nv_bfloat16(double f);
  __host__ __device__ __nv_bfloat16(int i);
  __host__ __device__ __nv_bfloat16(unsigned int i);
  __host__ __device__ __nv_bfloat16(short i);
  __host__ __device__ __nv_bfloat16(unsigned short i);
  __host__ __device__ __nv_bfloat16(long i);
  __host__ __device__ __nv_bfloat16(unsigned long i);
  __host__ __device__ __nv_bfloat16(long long i);
  __host__ __device__ __nv_bfloat16(unsigned long long i);
  __host__ __device__ operator float() const;
  __host__ __device__ operator __nv_bfloat16_raw() const;
  __host__ __device__ explicit operator bool() const;
  __host__ __device__ __nv_bfloat16 &operator=(float f);
  __host__ __device__ __nv_bfloat16 &operator=(double f);

protected:
  unsigned short Bits;
};
struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  __host__ __device__ __nv_bfloat162(const __nv_bfloat16 &a, const __nv_bfloat16 &b);
  __host__ __device__ __nv_bfloat162(const __nv_bfloat162_raw &Raw);
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#include "half_functions.h"
TENSORLEAK_HALF_OPERATORS(__nv_bfloat16, __nv_bfloat162)
TENSORLEAK_HALF_FUNCTIONS(__nv_bfloat16, __nv_bfloat162)

__host__ __device__ __nv_bfloat16 __float2bfloat16(float a);
__host__ __device__ __nv_bfloat16 __float2bfloat16_rn(float a);
__host__ __device__ __nv_bfloat16 __float2bfloat16_rz(float a);
__host__ __device__ __nv_bfloat16 __float2bfloat16_rd(float a);
__host__ __device__ __nv_bfloat16 __float2bfloat16_ru(float a);
__host__ __device__ __nv_bfloat16 __double2bfloat16(double a);
__host__ __device__ float __bfloat162float(__nv_bfloat16 a);
__host__ __device__ __nv_bfloat162 __float2bfloat162_rn(float a);
__host__ __device__ __nv_bfloat162 __floats2bfloat162_rn(float a, float b);
__host__ __device__ __nv_bfloat162 __float22bfloat162_rn(float2 a);
__host__ __device__ float2 __bfloat1622float2(__nv_bfloat162 a);
__host__ __device__ float __low2float(__nv_bfloat162 a);
__host__ __device__ float __high2float(__nv_bfloat162 a);
__host__ __device__ __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y);
__host__ __device__ __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a);
__host__ __device__ __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b);
__host__ __device__ unsigned short __bfloat16_as_ushort(__nv_bfloat16 h);
__host__ __device__ short __bfloat16_as_short(__nv_bfloat16 h);
__host__ __device__ __nv_bfloat16 __ushort_as_bfloat16(unsigned short i);
__device__ int __bfloat162int_rn(__nv_bfloat16 h);
__device__ __nv_bfloat16 __int2bfloat16_rn(int i);
#endif

#endif // __CUDA_BF16_H__
