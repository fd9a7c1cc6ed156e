//===-- mma.h - Tensor cores in device code -------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CUDA_MMA_H
#define TENSORLEAK_CUDA_MMA_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#if defined(__cplusplus) && defined(__CUDA__)
namespace nvcuda {
namespace wmma {
struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
namespace precision {
struct tf32;
}
enum layout_t { mem_row_major, mem_col_major };

template <class Use, int M, int N, int K, class T, class Layout = void> class fragment {
public:
  static constexpr int num_elements = 8;
  T x[num_elements];
};
template <class Fragment, class T> __device__ void fill_fragment(Fragment &a, const T &value);
template <class Fragment, class T>
__device__ void load_matrix_sync(Fragment &a, const T *from, unsigned int stride);
template <class Fragment, class T>
__device__ void load_matrix_sync(Fragment &a, const T *from, unsigned int stride, layout_t layout);
template <class Fragment, class T>
__device__ void store_matrix_sync(T *to, const Fragment &a, unsigned int stride, layout_t layout);
template <class D, class A, class B, class C>
__device__ void mma_sync(D &d, const A &a, const B &b, const C &c);
} // namespace wmma
} // namespace nvcuda
#endif

#endif // TENSORLEAK_CUDA_MMA_H
