//===-- host_defines.h - The words that CUDA adds to C++ -------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__

// In a C++ file these are nothing; in a .cu file, attributes.
#ifdef __CUDA__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#endif

#define __grid_constant__
#define __cluster_dims__(...)
#define __maxnreg__(...)
#define __block_size__(...)
#define __nv_pure__
#define __device_builtin__
#define __cudart_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#ifndef __forceinline__
#define __forceinline__ inline __attribute__((always_inline))
#endif
#ifdef __CUDA__
// The name of an attribute in gcc's and libstdc++'s own headers too.
#define __noinline__ __attribute__((noinline))
#endif
#define __inline_hint__
#define __align__(Bytes) __attribute__((aligned(Bytes)))
#define __builtin_align__(Bytes) __align__(Bytes)
#define __annotate__(...)
#define __location__(Where) __##Where##__
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB

#endif // __HOST_DEFINES_H__
