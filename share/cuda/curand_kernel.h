//===-- curand_kernel.h - cuRAND in device code ----------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_

#include <curand.h>

#if defined(__cplusplus) && defined(__CUDA__)
struct curandStateXORWOW {
  unsigned int d, v[5];
};
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
};
struct curandStateMRG32k3a {
  unsigned int s1[3], s2[3];
};
struct curandStateMtgp32 {
  unsigned int s[1024];
};
struct curandStateSobol32 {
  unsigned int i, x, c, direction_vectors[32];
};
struct curandStateScrambledSobol32 {
  unsigned int i, x, c, direction_vectors[32];
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;
typedef struct curandStateMtgp32 curandStateMtgp32_t;
typedef struct curandStateSobol32 curandStateSobol32_t;
typedef struct curandStateScrambledSobol32 curandStateScrambledSobol32_t;

template <class State>
__device__ void curand_init(unsigned long long seed, unsigned long long sequence,
                            unsigned long long offset, State *state);
template <class Directions, class State>
__device__ void curand_init(Directions *directions, unsigned int offset, State *state);
template <class State> __device__ void skipahead(unsigned long long n, State *state);
template <class State> __device__ void skipahead_sequence(unsigned long long n, State *state);
template <class State> __device__ unsigned int curand(State *state);
template <class State> __device__ uint4 curand4(State *state);
template <class State> __device__ float curand_uniform(State *state);
template <class State> __device__ double curand_uniform_double(State *state);
template <class State> __device__ double2 curand_uniform2_double(State *state);
template <class State> __device__ float4 curand_uniform4(State *state);
template <class State> __device__ float curand_normal(State *state);
template <class State> __device__ float2 curand_normal2(State *state);
template <class State> __device__ float4 curand_normal4(State *state);
template <class State> __device__ double curand_normal_double(State *state);
template <class State> __device__ double2 curand_normal2_double(State *state);
template <class State> __device__ float curand_log_normal(State *state, float mean, float stddev);
template <class State> __device__ float2 curand_log_normal2(State *state, float mean, float stddev);
template <class State>
__device__ double curand_log_normal_double(State *state, double mean, double stddev);
template <class State> __device__ unsigned int curand_poisson(State *state, double lambda);
template <class State> __device__ uint4 curand_poisson4(State *state, double lambda);
#endif

#endif // CURAND_KERNEL_H_
