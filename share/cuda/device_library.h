//===-- device_library.h - The C library in device code --------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CUDA_DEVICE_LIBRARY_H
#define TENSORLEAK_CUDA_DEVICE_LIBRARY_H

#include "host_defines.h"
#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>
#include <math.h>
#include <new>
#include <stdlib.h>
#include <utility>

// Device code has functions of its own under the names of the host's. Clang
// chooses by the side of the caller.
#define TENSORLEAK_MATH1(Name)                                                                     \
  __device__ double Name(double x);                                                                \
  __device__ float Name##f(float x);
#define TENSORLEAK_MATH2(Name)                                                                     \
  __device__ double Name(double x, double y);                                                      \
  __device__ float Name##f(float x, float y);
TENSORLEAK_MATH1(acos)
TENSORLEAK_MATH1(acosh)
TENSORLEAK_MATH1(asin)
TENSORLEAK_MATH1(asinh)
TENSORLEAK_MATH1(atan)
TENSORLEAK_MATH1(atanh)
TENSORLEAK_MATH1(cbrt)
TENSORLEAK_MATH1(ceil)
TENSORLEAK_MATH1(cos)
TENSORLEAK_MATH1(cosh)
TENSORLEAK_MATH1(erf)
TENSORLEAK_MATH1(erfc)
TENSORLEAK_MATH1(exp)
TENSORLEAK_MATH1(exp10)
TENSORLEAK_MATH1(exp2)
TENSORLEAK_MATH1(expm1)
TENSORLEAK_MATH1(fabs)
TENSORLEAK_MATH1(floor)
TENSORLEAK_MATH1(j0)
TENSORLEAK_MATH1(j1)
TENSORLEAK_MATH1(lgamma)
TENSORLEAK_MATH1(log)
TENSORLEAK_MATH1(log10)
TENSORLEAK_MATH1(log1p)
TENSORLEAK_MATH1(log2)
TENSORLEAK_MATH1(logb)
TENSORLEAK_MATH1(nearbyint)
TENSORLEAK_MATH1(rint)
TENSORLEAK_MATH1(round)
TENSORLEAK_MATH1(sin)
TENSORLEAK_MATH1(sinh)
TENSORLEAK_MATH1(sqrt)
TENSORLEAK_MATH1(tan)
TENSORLEAK_MATH1(tanh)
TENSORLEAK_MATH1(tgamma)
TENSORLEAK_MATH1(trunc)
TENSORLEAK_MATH1(y0)
TENSORLEAK_MATH1(y1)
TENSORLEAK_MATH2(atan2)
TENSORLEAK_MATH2(copysign)
TENSORLEAK_MATH2(fdim)
TENSORLEAK_MATH2(fmax)
TENSORLEAK_MATH2(fmin)
TENSORLEAK_MATH2(fmod)
TENSORLEAK_MATH2(hypot)
TENSORLEAK_MATH2(nextafter)
TENSORLEAK_MATH2(pow)
TENSORLEAK_MATH2(remainder)
#undef TENSORLEAK_MATH1
#undef TENSORLEAK_MATH2
__device__ double fma(double x, double y, double z);
__device__ float fmaf(float x, float y, float z);
__device__ double frexp(double x, int *exponent);
__device__ float frexpf(float x, int *exponent);
__device__ double ldexp(double x, int exponent);
__device__ float ldexpf(float x, int exponent);
__device__ double modf(double x, double *whole);
__device__ float modff(float x, float *whole);
__device__ double remquo(double x, double y, int *quotient);
__device__ float remquof(float x, float y, int *quotient);
__device__ double scalbn(double x, int n);
__device__ float scalbnf(float x, int n);
__device__ double scalbln(double x, long n);
__device__ float scalblnf(float x, long n);
__device__ double jn(int n, double x);
__device__ float jnf(int n, float x);
__device__ double yn(int n, double x);
__device__ float ynf(int n, float x);
__device__ double nan(const char *tag);
__device__ float nanf(const char *tag);
__device__ int ilogb(double x);
__device__ int ilogbf(float x);
__device__ long lrint(double x);
__device__ long lrintf(float x);
__device__ long lround(double x);
__device__ long lroundf(float x);
__device__ long long llrint(double x);
__device__ long long llrintf(float x);
__device__ long long llround(double x);
__device__ long long llroundf(float x);
__device__ void sincos(double x, double *sine, double *cosine);
__device__ void sincosf(float x, float *sine, float *cosine);
__device__ int abs(int x);
__device__ long labs(long x);
__device__ long long llabs(long long x);

__device__ int printf(const char *format, ...);
__device__ void *malloc(size_t size);
__device__ void free(void *p);
__device__ void *memcpy(void *to, const void *from, size_t size);
__device__ void *memmove(void *to, const void *from, size_t size);
__device__ void *memset(void *to, int value, size_t size);
__device__ int memcmp(const void *a, const void *b, size_t size);
__device__ clock_t clock();
__device__ void __assert_fail(const char *assertion, const char *file, unsigned int line,
                              const char *function);

#endif // TENSORLEAK_CUDA_DEVICE_LIBRARY_H
