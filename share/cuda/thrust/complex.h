//===-- thrust/complex.h - Thrust's complex numbers
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CUDA_THRUST_COMPLEX_H
#define TENSORLEAK_CUDA_THRUST_COMPLEX_H

#include <cuda_runtime.h>

#ifdef __cplusplus
#include <complex>
namespace thrust {
template <class T> struct complex {
  typedef T value_type;
  __host__ __device__ complex(const T &re = T(), const T &im = T());
  template <class U> __host__ __device__ complex(const complex<U> &other);
  template <class U> __host__ __device__ complex(const std::complex<U> &other);
  __host__ __device__ T real() const;
  __host__ __device__ T imag() const;
  __host__ __device__ void real(T re);
  __host__ __device__ void imag(T im);
  __host__ __device__ complex &operator+=(const complex &other);
  __host__ __device__ complex &operator-=(const complex &other);
  __host__ __device__ complex &operator*=(const complex &other);
  __host__ __device__ complex &operator/=(const complex &other);
};
#define TENSORLEAK_COMPLEX_OPERATOR(Op)                                                            \
  template <class T>                                                                               \
  __host__ __device__ complex<T> operator Op(const complex<T> &a, const complex<T> &b);            \
  template <class T> __host__ __device__ complex<T> operator Op(const complex<T> &a, const T &b);  \
  template <class T> __host__ __device__ complex<T> operator Op(const T &a, const complex<T> &b);
TENSORLEAK_COMPLEX_OPERATOR(+)
TENSORLEAK_COMPLEX_OPERATOR(-)
TENSORLEAK_COMPLEX_OPERATOR(*)
TENSORLEAK_COMPLEX_OPERATOR(/)
#undef TENSORLEAK_COMPLEX_OPERATOR
template <class T> __host__ __device__ T abs(const complex<T> &z);
template <class T> __host__ __device__ T arg(const complex<T> &z);
template <class T> __host__ __device__ T norm(const complex<T> &z);
template <class T> __host__ __device__ complex<T> conj(const complex<T> &z);
template <class T> __host__ __device__ complex<T> polar(const T &rho, const T &theta = T());
template <class T> __host__ __device__ complex<T> exp(const complex<T> &z);
} // namespace thrust
#endif

#endif // TENSORLEAK_CUDA_THRUST_COMPLEX_H
