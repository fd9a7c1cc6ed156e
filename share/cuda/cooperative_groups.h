//===-- cooperative_groups.h - Groups of threads in device code ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_

#include <cuda_runtime.h>

#if defined(__cplusplus) && defined(__CUDA__)
namespace cooperative_groups {

class thread_group {
public:
  __device__ void sync() const;
  __device__ unsigned int size() const;
  __device__ unsigned int num_threads() const;
  __device__ unsigned int thread_rank() const;
  __device__ bool is_valid() const;
};

class thread_block : public thread_group {
public:
  struct arrival_token {};
  __device__ arrival_token barrier_arrive() const;
  __device__ void barrier_wait(arrival_token &&token) const;
  __device__ dim3 group_index() const;
  __device__ dim3 thread_index() const;
  __device__ dim3 group_dim() const;
  __device__ dim3 dim_threads() const;
};

class grid_group : public thread_group {
public:
  struct arrival_token {};
  __device__ arrival_token barrier_arrive() const;
  __device__ void barrier_wait(arrival_token &&token) const;
  __device__ unsigned long long size() const;
  __device__ unsigned long long thread_rank() const;
  __device__ unsigned long long block_rank() const;
  __device__ unsigned long long num_blocks() const;
  __device__ dim3 group_dim() const;
  __device__ dim3 dim_blocks() const;
  __device__ dim3 block_index() const;
};
class multi_grid_group : public thread_group {
public:
  __device__ unsigned int grid_rank() const;
  __device__ unsigned int num_grids() const;
};
class cluster_group : public thread_group {
public:
  __device__ unsigned int block_rank() const;
  __device__ unsigned int num_blocks() const;
  __device__ dim3 block_index() const;
  __device__ dim3 dim_blocks() const;
  template <class T> __device__ T *map_shared_rank(T *address, int rank) const;
};

/// What groups within a warp can do.
class TensorleakWarpGroup : public thread_group {
public:
  template <class T> __device__ T shfl(T v, int rank) const;
  template <class T> __device__ T shfl_up(T v, unsigned int delta) const;
  template <class T> __device__ T shfl_down(T v, unsigned int delta) const;
  template <class T> __device__ T shfl_xor(T v, unsigned int mask) const;
  __device__ int any(int predicate) const;
  __device__ int all(int predicate) const;
  __device__ unsigned int ballot(int predicate) const;
  template <class T> __device__ unsigned int match_any(T value) const;
  template <class T> __device__ unsigned int match_all(T value, int &predicate) const;
  __device__ unsigned long long meta_group_rank() const;
  __device__ unsigned long long meta_group_size() const;
};
class coalesced_group : public TensorleakWarpGroup {};
template <unsigned int Size, class Parent = void>
class thread_block_tile : public TensorleakWarpGroup {};
template <unsigned int Size> class thread_block_tile<Size, void> : public TensorleakWarpGroup {
public:
  template <class Parent> __device__ thread_block_tile(const thread_block_tile<Size, Parent> &);
};

__device__ thread_block this_thread_block();
__device__ grid_group this_grid();
__device__ multi_grid_group this_multi_grid();
__device__ cluster_group this_cluster();
__device__ thread_group this_thread();
__device__ coalesced_group coalesced_threads();
__device__ thread_group tiled_partition(const thread_group &parent, unsigned int size);
template <unsigned int Size, class Parent>
__device__ thread_block_tile<Size, Parent> tiled_partition(const Parent &parent);
template <class Group> __device__ coalesced_group binary_partition(const Group &g, bool predicate);
template <class Group> __device__ void sync(const Group &g);
template <class Group> __device__ unsigned int thread_rank(const Group &g);
template <class Group> __device__ unsigned int group_size(const Group &g);

template <class T> struct plus {
  __device__ T operator()(T a, T b) const;
};
template <class T> struct less {
  __device__ T operator()(T a, T b) const;
};
template <class T> struct greater {
  __device__ T operator()(T a, T b) const;
};
template <class T> struct bit_and {
  __device__ T operator()(T a, T b) const;
};
template <class T> struct bit_or {
  __device__ T operator()(T a, T b) const;
};
template <class T> struct bit_xor {
  __device__ T operator()(T a, T b) const;
};
template <class Group, class T, class Op> __device__ T reduce(const Group &g, T value, Op &&op);
template <class Group, class T> __device__ T inclusive_scan(const Group &g, T value);
template <class Group, class T, class Op>
__device__ T inclusive_scan(const Group &g, T value, Op &&op);
template <class Group, class T> __device__ T exclusive_scan(const Group &g, T value);
template <class Group, class T, class Op>
__device__ T exclusive_scan(const Group &g, T value, Op &&op);
template <class Group, class Fn> __device__ void invoke_one(const Group &g, Fn &&fn);

template <class Group, class T, class Size>
__device__ void memcpy_async(const Group &g, T *to, const T *from, Size size);
template <class Group> __device__ void wait(const Group &g);
template <unsigned int Stages, class Group> __device__ void wait_prior(const Group &g);

} // namespace cooperative_groups
#endif

#endif // _COOPERATIVE_GROUPS_H_
