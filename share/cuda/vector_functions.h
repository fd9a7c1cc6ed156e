//===-- vector_functions.h - make_int2 and the like ------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#define TENSORLEAK_MAKE(Type, Parameters, ...)                                                     \
  static inline __host__ __device__ struct Type make_##Type Parameters {                           \
    struct Type Out = {__VA_ARGS__};                                                               \
    return Out;                                                                                    \
  }

// clang-format off
TENSORLEAK_MAKE(char1, (signed char X), X)
TENSORLEAK_MAKE(char2, (signed char X, signed char Y), X, Y)
TENSORLEAK_MAKE(char3, (signed char X, signed char Y, signed char Z), X, Y, Z)
TENSORLEAK_MAKE(char4, (signed char X, signed char Y, signed char Z, signed char W), X, Y, Z, W)
TENSORLEAK_MAKE(uchar1, (unsigned char X), X)
TENSORLEAK_MAKE(uchar2, (unsigned char X, unsigned char Y), X, Y)
TENSORLEAK_MAKE(uchar3, (unsigned char X, unsigned char Y, unsigned char Z), X, Y, Z)
TENSORLEAK_MAKE(uchar4, (unsigned char X, unsigned char Y, unsigned char Z, unsigned char W),
                X, Y, Z, W)
TENSORLEAK_MAKE(short1, (short X), X)
TENSORLEAK_MAKE(short2, (short X, short Y), X, Y)
TENSORLEAK_MAKE(short3, (short X, short Y, short Z), X, Y, Z)
TENSORLEAK_MAKE(short4, (short X, short Y, short Z, short W), X, Y, Z, W)
TENSORLEAK_MAKE(ushort1, (unsigned short X), X)
TENSORLEAK_MAKE(ushort2, (unsigned short X, unsigned short Y), X, Y)
TENSORLEAK_MAKE(ushort3, (unsigned short X, unsigned short Y, unsigned short Z), X, Y, Z)
TENSORLEAK_MAKE(ushort4, (unsigned short X, unsigned short Y, unsigned short Z, unsigned short W),
                X, Y, Z, W)
TENSORLEAK_MAKE(int1, (int X), X)
TENSORLEAK_MAKE(int2, (int X, int Y), X, Y)
TENSORLEAK_MAKE(int3, (int X, int Y, int Z), X, Y, Z)
TENSORLEAK_MAKE(int4, (int X, int Y, int Z, int W), X, Y, Z, W)
TENSORLEAK_MAKE(uint1, (unsigned int X), X)
TENSORLEAK_MAKE(uint2, (unsigned int X, unsigned int Y), X, Y)
TENSORLEAK_MAKE(uint3, (unsigned int X, unsigned int Y, unsigned int Z), X, Y, Z)
TENSORLEAK_MAKE(uint4, (unsigned int X, unsigned int Y, unsigned int Z, unsigned int W), X, Y, Z, W)
TENSORLEAK_MAKE(long1, (long X), X)
TENSORLEAK_MAKE(long2, (long X, long Y), X, Y)
TENSORLEAK_MAKE(long3, (long X, long Y, long Z), X, Y, Z)
TENSORLEAK_MAKE(long4, (long X, long Y, long Z, long W), X, Y, Z, W)
TENSORLEAK_MAKE(ulong1, (unsigned long X), X)
TENSORLEAK_MAKE(ulong2, (unsigned long X, unsigned long Y), X, Y)
TENSORLEAK_MAKE(ulong3, (unsigned long X, unsigned long Y, unsigned long Z), X, Y, Z)
TENSORLEAK_MAKE(ulong4, (unsigned long X, unsigned long Y, unsigned long Z, unsigned long W),
                X, Y, Z, W)
TENSORLEAK_MAKE(longlong1, (long long X), X)
TENSORLEAK_MAKE(longlong2, (long long X, long long Y), X, Y)
TENSORLEAK_MAKE(longlong3, (long long X, long long Y, long long Z), X, Y, Z)
TENSORLEAK_MAKE(longlong4, (long long X, long long Y, long long Z, long long W), X, Y, Z, W)
TENSORLEAK_MAKE(ulonglong1, (unsigned long long X), X)
TENSORLEAK_MAKE(ulonglong2, (unsigned long long X, unsigned long long Y), X, Y)
TENSORLEAK_MAKE(ulonglong3, (unsigned long long X, unsigned long long Y, unsigned long long Z),
                X, Y, Z)
TENSORLEAK_MAKE(ulonglong4, (unsigned long long X, unsigned long long Y, unsigned long long Z,
                 unsigned long long W), X, Y, Z, W)
TENSORLEAK_MAKE(float1, (float X), X)
TENSORLEAK_MAKE(float2, (float X, float Y), X, Y)
TENSORLEAK_MAKE(float3, (float X, float Y, float Z), X, Y, Z)
TENSORLEAK_MAKE(float4, (float X, float Y, float Z, float W), X, Y, Z, W)
TENSORLEAK_MAKE(double1, (double X), X)
TENSORLEAK_MAKE(double2, (double X, double Y), X, Y)
TENSORLEAK_MAKE(double3, (double X, double Y, double Z), X, Y, Z)
TENSORLEAK_MAKE(double4, (double X, double Y, double Z, double W), X, Y, Z, W)
// clang-format on

#undef TENSORLEAK_MAKE

#endif // __VECTOR_FUNCTIONS_H__
