//===-- device_functions.h - Atomics, barriers, shuffles and other intrinsics ===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CUDA_DEVICE_FUNCTIONS_H
#define TENSORLEAK_CUDA_DEVICE_FUNCTIONS_H

#include "vector_types.h"

// Barriers and fences.
__device__ void __syncthreads();
__device__ int __syncthreads_count(int predicate);
__device__ int __syncthreads_and(int predicate);
__device__ int __syncthreads_or(int predicate);
__device__ void __syncwarp(unsigned int mask = 0xFFFFFFFFu);
__device__ void __threadfence();
__device__ void __threadfence_block();
__device__ void __threadfence_system();
__device__ void __trap();
__device__ void __brkpt(int code = 0);
__device__ void __nanosleep(unsigned int ns);
__device__ long long clock64();
__device__ unsigned long long __nv_globaltimer();
__device__ void __prof_trigger(int counter);

// Atomics, each for the device, the block and the whole system.
#define TENSORLEAK_ATOMIC1(Name, Type)                                                             \
  __device__ Type Name(Type *address, Type value);                                                 \
  __device__ Type Name##_block(Type *address, Type value);                                         \
  __device__ Type Name##_system(Type *address, Type value);
#define TENSORLEAK_ATOMIC(Name)                                                                    \
  TENSORLEAK_ATOMIC1(Name, int)                                                                    \
  TENSORLEAK_ATOMIC1(Name, unsigned int)                                                           \
  TENSORLEAK_ATOMIC1(Name, long long)                                                              \
  TENSORLEAK_ATOMIC1(Name, unsigned long long)
TENSORLEAK_ATOMIC(atomicAdd)
TENSORLEAK_ATOMIC1(atomicAdd, float)
TENSORLEAK_ATOMIC1(atomicAdd, double)
TENSORLEAK_ATOMIC1(atomicAdd, float2)
TENSORLEAK_ATOMIC1(atomicAdd, float4)
TENSORLEAK_ATOMIC1(atomicSub, int)
TENSORLEAK_ATOMIC1(atomicSub, unsigned int)
TENSORLEAK_ATOMIC(atomicExch)
TENSORLEAK_ATOMIC1(atomicExch, float)
TENSORLEAK_ATOMIC(atomicMin)
TENSORLEAK_ATOMIC(atomicMax)
TENSORLEAK_ATOMIC(atomicAnd)
TENSORLEAK_ATOMIC(atomicOr)
TENSORLEAK_ATOMIC(atomicXor)
TENSORLEAK_ATOMIC1(atomicInc, unsigned int)
TENSORLEAK_ATOMIC1(atomicDec, unsigned int)
#undef TENSORLEAK_ATOMIC
#undef TENSORLEAK_ATOMIC1
#define TENSORLEAK_CAS(Type)                                                                       \
  __device__ Type atomicCAS(Type *address, Type compare, Type value);                              \
  __device__ Type atomicCAS_block(Type *address, Type compare, Type value);                        \
  __device__ Type atomicCAS_system(Type *address, Type compare, Type value);
TENSORLEAK_CAS(int)
TENSORLEAK_CAS(unsigned int)
TENSORLEAK_CAS(unsigned long long)
TENSORLEAK_CAS(unsigned short)
#undef TENSORLEAK_CAS

// Warps.
__device__ unsigned int __activemask();
__device__ int __all_sync(unsigned int mask, int predicate);
__device__ int __any_sync(unsigned int mask, int predicate);
__device__ int __uni_sync(unsigned int mask, int predicate);
__device__ unsigned int __ballot_sync(unsigned int mask, int predicate);
__device__ unsigned int __fns(unsigned int mask, unsigned int base, int offset);
__device__ int __all(int predicate);
__device__ int __any(int predicate);
__device__ unsigned int __ballot(int predicate);
template <class T> __device__ T __shfl_sync(unsigned int mask, T v, int lane, int width = 32);
template <class T>
__device__ T __shfl_up_sync(unsigned int mask, T v, unsigned int delta, int width = 32);
template <class T>
__device__ T __shfl_down_sync(unsigned int mask, T v, unsigned int delta, int width = 32);
template <class T>
__device__ T __shfl_xor_sync(unsigned int mask, T v, int laneMask, int width = 32);
template <class T> __device__ T __shfl(T v, int lane, int width = 32);
template <class T> __device__ T __shfl_up(T v, unsigned int delta, int width = 32);
template <class T> __device__ T __shfl_down(T v, unsigned int delta, int width = 32);
template <class T> __device__ T __shfl_xor(T v, int laneMask, int width = 32);
template <class T> __device__ unsigned int __match_any_sync(unsigned int mask, T value);
template <class T> __device__ unsigned int __match_all_sync(unsigned int mask, T value, int *pred);
__device__ unsigned int __reduce_add_sync(unsigned int mask, unsigned int value);
__device__ unsigned int __reduce_min_sync(unsigned int mask, unsigned int value);
__device__ unsigned int __reduce_max_sync(unsigned int mask, unsigned int value);
__device__ int __reduce_add_sync(unsigned int mask, int value);
__device__ int __reduce_min_sync(unsigned int mask, int value);
__device__ int __reduce_max_sync(unsigned int mask, int value);
__device__ unsigned int __reduce_and_sync(unsigned int mask, unsigned int value);
__device__ unsigned int __reduce_or_sync(unsigned int mask, unsigned int value);
__device__ unsigned int __reduce_xor_sync(unsigned int mask, unsigned int value);

// Loads and stores with a cache hint.
#define TENSORLEAK_LOAD(Name) template <class T> __device__ T Name(const T *address);
TENSORLEAK_LOAD(__ldg)
TENSORLEAK_LOAD(__ldca)
TENSORLEAK_LOAD(__ldcg)
TENSORLEAK_LOAD(__ldcs)
TENSORLEAK_LOAD(__ldcv)
TENSORLEAK_LOAD(__ldlu)
#undef TENSORLEAK_LOAD
template <class T> struct TensorleakSame {
  typedef T Type;
};
#define TENSORLEAK_STORE(Name)                                                                     \
  template <class T> __device__ void Name(T *address, typename TensorleakSame<T>::Type value);
TENSORLEAK_STORE(__stwb)
TENSORLEAK_STORE(__stcg)
TENSORLEAK_STORE(__stcs)
TENSORLEAK_STORE(__stwt)
#undef TENSORLEAK_STORE

// Integers.
__device__ int __clz(int x);
__device__ int __clzll(long long x);
__device__ int __ffs(int x);
__device__ int __ffsll(long long x);
__device__ int __popc(unsigned int x);
__device__ int __popcll(unsigned long long x);
__device__ unsigned int __brev(unsigned int x);
__device__ unsigned long long __brevll(unsigned long long x);
__device__ unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector);
__device__ unsigned int __funnelshift_l(unsigned int lo, unsigned int hi, unsigned int shift);
__device__ unsigned int __funnelshift_r(unsigned int lo, unsigned int hi, unsigned int shift);
__device__ int __mul24(int x, int y);
__device__ unsigned int __umul24(unsigned int x, unsigned int y);
__device__ int __mulhi(int x, int y);
__device__ unsigned int __umulhi(unsigned int x, unsigned int y);
__device__ long long __mul64hi(long long x, long long y);
__device__ unsigned long long __umul64hi(unsigned long long x, unsigned long long y);
__device__ int __hadd(int x, int y);
__device__ int __rhadd(int x, int y);
__device__ unsigned int __sad(int x, int y, unsigned int z);
__device__ unsigned int __usad(unsigned int x, unsigned int y, unsigned int z);
__device__ int __dp4a(int a, int b, int c);
__device__ unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c);
__device__ int mul24(int x, int y);
__device__ unsigned int umul24(unsigned int x, unsigned int y);
__device__ int mulhi(int x, int y);

// Address spaces.
__device__ unsigned int __isGlobal(const void *p);
__device__ unsigned int __isShared(const void *p);
__device__ size_t __cvta_generic_to_shared(const void *p);
__device__ size_t __cvta_generic_to_global(const void *p);
__device__ size_t __cvta_generic_to_local(const void *p);

#define TENSORLEAK_BUILTIN_HINT(Name) __host__ __device__ void Name(bool condition);
TENSORLEAK_BUILTIN_HINT(__nv_assume)
#undef TENSORLEAK_BUILTIN_HINT

#endif // TENSORLEAK_CUDA_DEVICE_FUNCTIONS_H
