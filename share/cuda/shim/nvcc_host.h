//===-- nvcc_host.h - What nvcc gives host code beyond the toolkit ---------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// nvcc's cuda_runtime.h brings these headers of C along (crt/common_functions.h), and
// gives max(int, int) and its like to both sides. Clang with a toolkit does neither:
// there this header adds what the host has. TENSORLEAK_SIDES is where the functions may
// be called, the host if it is not set.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CUDA_NVCC_HOST_H
#define TENSORLEAK_CUDA_NVCC_HOST_H

#include <string.h>
#include <time.h>

#ifndef TENSORLEAK_SIDES
#define TENSORLEAK_SIDES __host__
#define TENSORLEAK_HOST_ONLY
#endif

// min and max without std::, for every pair of arithmetic types.
#define TENSORLEAK_MIN_MAX(Type)                                                                   \
  TENSORLEAK_SIDES Type min(Type a, Type b);                                                       \
  TENSORLEAK_SIDES Type max(Type a, Type b);
TENSORLEAK_MIN_MAX(int)
TENSORLEAK_MIN_MAX(unsigned int)
TENSORLEAK_MIN_MAX(long)
TENSORLEAK_MIN_MAX(unsigned long)
TENSORLEAK_MIN_MAX(long long)
TENSORLEAK_MIN_MAX(unsigned long long)
TENSORLEAK_MIN_MAX(float)
TENSORLEAK_MIN_MAX(double)
#undef TENSORLEAK_MIN_MAX
#define TENSORLEAK_MIXED(A, B, Result)                                                             \
  TENSORLEAK_SIDES Result min(A a, B b);                                                           \
  TENSORLEAK_SIDES Result max(A a, B b);                                                           \
  TENSORLEAK_SIDES Result min(B a, A b);                                                           \
  TENSORLEAK_SIDES Result max(B a, A b);
TENSORLEAK_MIXED(int, unsigned int, unsigned int)
TENSORLEAK_MIXED(long, unsigned long, unsigned long)
TENSORLEAK_MIXED(long long, unsigned long long, unsigned long long)
TENSORLEAK_MIXED(float, double, double)
#undef TENSORLEAK_MIXED
TENSORLEAK_SIDES unsigned int umin(unsigned int a, unsigned int b);
TENSORLEAK_SIDES unsigned int umax(unsigned int a, unsigned int b);
TENSORLEAK_SIDES long long llmin(long long a, long long b);
TENSORLEAK_SIDES long long llmax(long long a, long long b);

#ifdef TENSORLEAK_HOST_ONLY
#undef TENSORLEAK_SIDES
#undef TENSORLEAK_HOST_ONLY
#endif

#endif // TENSORLEAK_CUDA_NVCC_HOST_H
