//===-- half_functions.h - What half precision and bfloat16 have in common -===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CUDA_HALF_FUNCTIONS_H
#define TENSORLEAK_CUDA_HALF_FUNCTIONS_H

#define TENSORLEAK_HALF_OPERATOR1(T, Op)                                                           \
  __host__ __device__ T operator Op(const T &a, const T &b);                                       \
  __host__ __device__ T &operator Op## = (T & a, const T &b);
#define TENSORLEAK_HALF_COMPARE(T, Op) __host__ __device__ bool operator Op(const T &a, const T &b);
#define TENSORLEAK_HALF_OPERATORS1(T)                                                              \
  TENSORLEAK_HALF_OPERATOR1(T, +)                                                                  \
  TENSORLEAK_HALF_OPERATOR1(T, -)                                                                  \
  TENSORLEAK_HALF_OPERATOR1(T, *)                                                                  \
  TENSORLEAK_HALF_OPERATOR1(T, /)                                                                  \
  TENSORLEAK_HALF_COMPARE(T, ==)                                                                   \
  TENSORLEAK_HALF_COMPARE(T, !=)                                                                   \
  TENSORLEAK_HALF_COMPARE(T, <)                                                                    \
  TENSORLEAK_HALF_COMPARE(T, >)                                                                    \
  TENSORLEAK_HALF_COMPARE(T, <=)                                                                   \
  TENSORLEAK_HALF_COMPARE(T, >=)                                                                   \
  __host__ __device__ T operator+(const T &a);                                                     \
  __host__ __device__ T operator-(const T &a);                                                     \
  __host__ __device__ T &operator++(T &a);                                                         \
  __host__ __device__ T &operator--(T &a);
#define TENSORLEAK_HALF_OPERATORS(T, T2)                                                           \
  TENSORLEAK_HALF_OPERATORS1(T)                                                                    \
  TENSORLEAK_HALF_OPERATORS1(T2)

#define TENSORLEAK_HALF1(Name, T, T2)                                                              \
  __host__ __device__ T h##Name(T a);                                                              \
  __host__ __device__ T2 h2##Name(T2 a);
#define TENSORLEAK_HALF2(Name, T, T2)                                                              \
  __host__ __device__ T __h##Name(T a, T b);                                                       \
  __host__ __device__ T2 __h##Name##2(T2 a, T2 b);
#define TENSORLEAK_HALF_IS(Name, T, T2)                                                            \
  __host__ __device__ bool __h##Name(T a, T b);                                                    \
  __host__ __device__ T2 __h##Name##2(T2 a, T2 b);                                                 \
  __host__ __device__ bool __hb##Name##2(T2 a, T2 b);
#define TENSORLEAK_HALF_SHUFFLE(T)                                                                 \
  __device__ T atomicAdd(T *address, T value);                                                     \
  __device__ T atomicAdd_block(T *address, T value);
#define TENSORLEAK_HALF_FUNCTIONS(T, T2)                                                           \
  TENSORLEAK_HALF1(sqrt, T, T2)                                                                    \
  TENSORLEAK_HALF1(rsqrt, T, T2)                                                                   \
  TENSORLEAK_HALF1(rcp, T, T2)                                                                     \
  TENSORLEAK_HALF1(exp, T, T2)                                                                     \
  TENSORLEAK_HALF1(exp2, T, T2)                                                                    \
  TENSORLEAK_HALF1(exp10, T, T2)                                                                   \
  TENSORLEAK_HALF1(log, T, T2)                                                                     \
  TENSORLEAK_HALF1(log2, T, T2)                                                                    \
  TENSORLEAK_HALF1(log10, T, T2)                                                                   \
  TENSORLEAK_HALF1(sin, T, T2)                                                                     \
  TENSORLEAK_HALF1(cos, T, T2)                                                                     \
  TENSORLEAK_HALF1(tanh, T, T2)                                                                    \
  TENSORLEAK_HALF1(floor, T, T2)                                                                   \
  TENSORLEAK_HALF1(ceil, T, T2)                                                                    \
  TENSORLEAK_HALF1(trunc, T, T2)                                                                   \
  TENSORLEAK_HALF1(rint, T, T2)                                                                    \
  TENSORLEAK_HALF2(add, T, T2)                                                                     \
  TENSORLEAK_HALF2(sub, T, T2)                                                                     \
  TENSORLEAK_HALF2(mul, T, T2)                                                                     \
  TENSORLEAK_HALF2(add_sat, T, T2)                                                                 \
  TENSORLEAK_HALF2(max, T, T2)                                                                     \
  TENSORLEAK_HALF2(min, T, T2)                                                                     \
  TENSORLEAK_HALF2(max_nan, T, T2)                                                                 \
  TENSORLEAK_HALF2(min_nan, T, T2)                                                                 \
  TENSORLEAK_HALF_IS(eq, T, T2)                                                                    \
  TENSORLEAK_HALF_IS(ne, T, T2)                                                                    \
  TENSORLEAK_HALF_IS(lt, T, T2)                                                                    \
  TENSORLEAK_HALF_IS(le, T, T2)                                                                    \
  TENSORLEAK_HALF_IS(gt, T, T2)                                                                    \
  TENSORLEAK_HALF_IS(ge, T, T2)                                                                    \
  TENSORLEAK_HALF_SHUFFLE(T)                                                                       \
  TENSORLEAK_HALF_SHUFFLE(T2)                                                                      \
  __host__ __device__ T __hdiv(T a, T b);                                                          \
  __host__ __device__ T2 __h2div(T2 a, T2 b);                                                      \
  __host__ __device__ T __hneg(T a);                                                               \
  __host__ __device__ T2 __hneg2(T2 a);                                                            \
  __host__ __device__ T __habs(T a);                                                               \
  __host__ __device__ T2 __habs2(T2 a);                                                            \
  __host__ __device__ T __hfma(T a, T b, T c);                                                     \
  __host__ __device__ T2 __hfma2(T2 a, T2 b, T2 c);                                                \
  __host__ __device__ T __hfma_relu(T a, T b, T c);                                                \
  __host__ __device__ bool __hisnan(T a);                                                          \
  __host__ __device__ int __hisinf(T a);                                                           \
  __host__ __device__ T __low2half(T2 a);                                                          \
  __host__ __device__ T __high2half(T2 a);                                                         \
  __host__ __device__ T __low2bfloat16(T2 a);                                                      \
  __host__ __device__ T __high2bfloat16(T2 a);                                                     \
  __host__ __device__ T2 __lows2half2(T2 a, T2 b);                                                 \
  __host__ __device__ T2 __highs2half2(T2 a, T2 b);                                                \
  __host__ __device__ T2 __lowhigh2highlow(T2 a);                                                  \
  __host__ __device__ T2 __low2half2(T2 a);                                                        \
  __host__ __device__ T2 __high2half2(T2 a);

#endif // TENSORLEAK_CUDA_HALF_FUNCTIONS_H
