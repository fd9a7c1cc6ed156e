//===-- cub/cub.cuh - CUB
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CUDA_CUB_CUB_H
#define TENSORLEAK_CUDA_CUB_CUB_H

#include <cuda_runtime.h>

#ifdef __cplusplus
namespace cub {

struct Sum {
  template <class T> __host__ __device__ T operator()(const T &a, const T &b) const;
};
struct Max {
  template <class T> __host__ __device__ T operator()(const T &a, const T &b) const;
};
struct Min {
  template <class T> __host__ __device__ T operator()(const T &a, const T &b) const;
};
struct ArgMax {
  template <class T> __host__ __device__ T operator()(const T &a, const T &b) const;
};
template <class Key, class Value> struct KeyValuePair {
  Key key;
  Value value;
};
template <class T> struct DoubleBuffer {
  T *d_buffers[2];
  int selector;
  DoubleBuffer();
  DoubleBuffer(T *current, T *alternate);
  T *Current();
  T *Alternate();
};

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm { BLOCK_LOAD_DIRECT, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE };
enum BlockStoreAlgorithm { BLOCK_STORE_DIRECT, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE };

/// What the algorithms of a block or a warp have in common.
struct TensorleakCollective {
  struct TempStorage {};
  template <class... Args> __device__ TensorleakCollective(Args &&...args);
  template <class... Args> __device__ void InclusiveSum(Args &&...args);
  template <class... Args> __device__ void ExclusiveSum(Args &&...args);
  template <class... Args> __device__ void InclusiveScan(Args &&...args);
  template <class... Args> __device__ void ExclusiveScan(Args &&...args);
  template <class... Args> __device__ void Sort(Args &&...args);
  template <class... Args> __device__ void SortDescending(Args &&...args);
  template <class... Args> __device__ void Load(Args &&...args);
  template <class... Args> __device__ void Store(Args &&...args);
};
#define TENSORLEAK_REDUCE                                                                          \
  using TensorleakCollective::TensorleakCollective;                                                \
  template <class... Args> __device__ T Sum(Args &&...args);                                       \
  template <class... Args> __device__ T Reduce(Args &&...args);
template <class T, int Threads, BlockReduceAlgorithm A = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1,
          int Z = 1, int Arch = 0>
struct BlockReduce : TensorleakCollective {
  TENSORLEAK_REDUCE
};
template <class T, int Threads = 32, int Arch = 0> struct WarpReduce : TensorleakCollective {
  TENSORLEAK_REDUCE
};
#undef TENSORLEAK_REDUCE
template <class T, int Threads, BlockScanAlgorithm A = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1,
          int Arch = 0>
struct BlockScan : TensorleakCollective {
  using TensorleakCollective::TensorleakCollective;
};
template <class T, int Threads = 32, int Arch = 0> struct WarpScan : TensorleakCollective {
  using TensorleakCollective::TensorleakCollective;
};
template <class Key, int Threads, int Items, class Value = void>
struct BlockRadixSort : TensorleakCollective {
  using TensorleakCollective::TensorleakCollective;
};
template <class T, int Threads, int Items, BlockLoadAlgorithm A = BLOCK_LOAD_DIRECT>
struct BlockLoad : TensorleakCollective {
  using TensorleakCollective::TensorleakCollective;
};
template <class T, int Threads, int Items, BlockStoreAlgorithm A = BLOCK_STORE_DIRECT>
struct BlockStore : TensorleakCollective {
  using TensorleakCollective::TensorleakCollective;
};

// Over the whole device: temporary storage and its size come first.
#define TENSORLEAK_DEVICE(Name)                                                                    \
  template <class... Args>                                                                         \
  static cudaError_t Name(void *d_temp_storage, size_t &temp_storage_bytes, Args &&...args);
struct DeviceReduce {
  TENSORLEAK_DEVICE(Reduce)
  TENSORLEAK_DEVICE(Sum)
  TENSORLEAK_DEVICE(Min)
  TENSORLEAK_DEVICE(Max)
  TENSORLEAK_DEVICE(ArgMin)
  TENSORLEAK_DEVICE(ArgMax)
  TENSORLEAK_DEVICE(ReduceByKey)
  TENSORLEAK_DEVICE(TransformReduce)
};
struct DeviceScan {
  TENSORLEAK_DEVICE(InclusiveSum)
  TENSORLEAK_DEVICE(ExclusiveSum)
  TENSORLEAK_DEVICE(InclusiveScan)
  TENSORLEAK_DEVICE(ExclusiveScan)
};
struct DeviceRadixSort {
  TENSORLEAK_DEVICE(SortKeys)
  TENSORLEAK_DEVICE(SortKeysDescending)
  TENSORLEAK_DEVICE(SortPairs)
  TENSORLEAK_DEVICE(SortPairsDescending)
};
struct DeviceSegmentedReduce {
  TENSORLEAK_DEVICE(Reduce)
  TENSORLEAK_DEVICE(Sum)
  TENSORLEAK_DEVICE(Max)
};
struct DeviceSegmentedRadixSort {
  TENSORLEAK_DEVICE(SortKeys)
  TENSORLEAK_DEVICE(SortPairs)
  TENSORLEAK_DEVICE(SortPairsDescending)
};
struct DeviceSelect {
  TENSORLEAK_DEVICE(If)
  TENSORLEAK_DEVICE(Flagged)
  TENSORLEAK_DEVICE(Unique)
};
struct DevicePartition {
  TENSORLEAK_DEVICE(If)
  TENSORLEAK_DEVICE(Flagged)
};
struct DeviceHistogram {
  TENSORLEAK_DEVICE(HistogramEven)
  TENSORLEAK_DEVICE(HistogramRange)
};
struct DeviceRunLengthEncode {
  TENSORLEAK_DEVICE(Encode)
};
#undef TENSORLEAK_DEVICE

struct CachingDeviceAllocator {
  CachingDeviceAllocator(bool skip_cleanup = false, bool debug = false);
  cudaError_t DeviceAllocate(void **d_ptr, size_t bytes, cudaStream_t stream = 0);
  cudaError_t DeviceFree(void *d_ptr);
  cudaError_t FreeAllCached();
};

} // namespace cub
#endif

#endif // TENSORLEAK_CUDA_CUB_CUB_H
