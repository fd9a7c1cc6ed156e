//===-- cuda_runtime_templates.h - The runtime's functions for any pointer type ===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CUDA_CUDA_RUNTIME_TEMPLATES_H
#define TENSORLEAK_CUDA_CUDA_RUNTIME_TEMPLATES_H

#include "cuda_runtime_api.h"

// Memory.
template <class T> inline cudaError_t cudaMalloc(T **devPtr, size_t size) {
  return ::cudaMalloc((void **)devPtr, size);
}
template <class T>
inline cudaError_t cudaMallocManaged(T **devPtr, size_t size,
                                     unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged((void **)devPtr, size, flags);
}
template <class T>
inline cudaError_t cudaMallocHost(T **ptr, size_t size, unsigned int flags = 0) {
  return ::cudaHostAlloc((void **)ptr, size, flags);
}
template <class T> inline cudaError_t cudaHostAlloc(T **ptr, size_t size, unsigned int flags) {
  return ::cudaHostAlloc((void **)ptr, size, flags);
}
template <class T>
inline cudaError_t cudaHostGetDevicePointer(T **pDevice, void *pHost, unsigned int flags) {
  return ::cudaHostGetDevicePointer((void **)pDevice, pHost, flags);
}
template <class T>
inline cudaError_t cudaMallocPitch(T **devPtr, size_t *pitch, size_t width, size_t height) {
  return ::cudaMallocPitch((void **)devPtr, pitch, width, height);
}
template <class T>
inline cudaError_t cudaMallocAsync(T **ptr, size_t size, cudaStream_t stream) {
  return ::cudaMallocAsync((void **)ptr, size, stream);
}
template <class T>
inline cudaError_t cudaMallocAsync(T **ptr, size_t size, cudaMemPool_t memPool,
                                   cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void **)ptr, size, memPool, stream);
}
inline cudaError_t cudaMallocAsync(void **ptr, size_t size, cudaMemPool_t memPool,
                                   cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(ptr, size, memPool, stream);
}
template <class T>
inline cudaError_t cudaMallocFromPoolAsync(T **ptr, size_t size, cudaMemPool_t memPool,
                                           cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void **)ptr, size, memPool, stream);
}
cudaError_t cudaMemPrefetchAsync(const void *devPtr, size_t count, cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream = 0);
cudaError_t cudaMemAdvise(const void *devPtr, size_t count, cudaMemoryAdvise advice,
                          cudaMemLocation location);
inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags) {
  return ::cudaEventCreateWithFlags(event, flags);
}
cudaError_t cudaEventElapsedTime_v2(float *ms, cudaEvent_t start, cudaEvent_t end);

// Symbols: any variable of device code.
template <class T>
inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *src, size_t count,
                                      size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol((const void *)&symbol, src, count, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t count,
                                           size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                           cudaStream_t stream = 0) {
  return ::cudaMemcpyToSymbolAsync((const void *)&symbol, src, count, offset, kind, stream);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t count, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(dst, (const void *)&symbol, count, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t count,
                                             size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                             cudaStream_t stream = 0) {
  return ::cudaMemcpyFromSymbolAsync(dst, (const void *)&symbol, count, offset, kind, stream);
}
template <class T> inline cudaError_t cudaGetSymbolAddress(void **devPtr, const T &symbol) {
  return ::cudaGetSymbolAddress(devPtr, (const void *)&symbol);
}
template <class T> inline cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol) {
  return ::cudaGetSymbolSize(size, (const void *)&symbol);
}

// Kernels: any function.
template <class T> inline cudaError_t cudaFuncSetCacheConfig(T *func, cudaFuncCache cacheConfig) {
  return ::cudaFuncSetCacheConfig((const void *)func, cacheConfig);
}
template <class T> inline cudaError_t cudaFuncSetSharedMemConfig(T *func, cudaSharedMemConfig c) {
  return ::cudaFuncSetSharedMemConfig((const void *)func, c);
}
template <class T> inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attr, T *entry) {
  return ::cudaFuncGetAttributes(attr, (const void *)entry);
}
template <class T>
inline cudaError_t cudaFuncSetAttribute(T *func, cudaFuncAttribute attr, int value) {
  return ::cudaFuncSetAttribute((const void *)func, attr, value);
}
template <class T>
inline cudaError_t cudaLaunchKernel(T *func, dim3 gridDim, dim3 blockDim, void **args,
                                    size_t sharedMem = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchKernel((const void *)func, gridDim, blockDim, args, sharedMem, stream);
}
template <class... Wanted, class... Given>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                      void (*kernel)(Wanted...), Given &&...args);
template <class T>
inline cudaError_t cudaLaunchCooperativeKernel(T *func, dim3 gridDim, dim3 blockDim, void **args,
                                               size_t sharedMem = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel((const void *)func, gridDim, blockDim, args, sharedMem,
                                       stream);
}
template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, T func,
                                                                 int blockSize,
                                                                 size_t dynamicSMemSize) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, (const void *)func, blockSize,
                                                         dynamicSMemSize);
}
template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *numBlocks, T func, int blockSize, size_t dynamicSMemSize, unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      numBlocks, (const void *)func, blockSize, dynamicSMemSize, flags);
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, T func,
                                               size_t dynamicSMemSize = 0, int blockSizeLimit = 0);
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize, T func,
                                                        size_t dynamicSMemSize = 0,
                                                        int blockSizeLimit = 0,
                                                        unsigned int flags = 0);
template <class SizeOfBlock, class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *minGridSize, int *blockSize, T func,
                                                           SizeOfBlock blockSizeToDynamicSMemSize,
                                                           int blockSizeLimit = 0);

// Graphs, as before CUDA 12.
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                                 cudaGraphNode_t *pErrorNode, char *pLogBuffer, size_t bufferSize);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph,
                                cudaGraphNode_t *hErrorNode_out,
                                cudaGraphExecUpdateResult *updateResult_out);

// Textures and surfaces.
template <class T> cudaChannelFormatDesc cudaCreateChannelDesc();
template <class T, int D, cudaTextureReadMode M>
cudaError_t cudaBindTexture(size_t *offset, const texture<T, D, M> &tex, const void *devPtr,
                            const cudaChannelFormatDesc &desc, size_t size = UINT_MAX);
template <class T, int D, cudaTextureReadMode M>
cudaError_t cudaBindTexture(size_t *offset, const texture<T, D, M> &tex, const void *devPtr,
                            size_t size = UINT_MAX);
template <class T, int D, cudaTextureReadMode M>
cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, D, M> &tex, const void *devPtr,
                              const cudaChannelFormatDesc &desc, size_t width, size_t height,
                              size_t pitch);
template <class T, int D, cudaTextureReadMode M>
cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, D, M> &tex, const void *devPtr,
                              size_t width, size_t height, size_t pitch);
template <class T, int D, cudaTextureReadMode M>
cudaError_t cudaBindTextureToArray(const texture<T, D, M> &tex, cudaArray_const_t array,
                                   const cudaChannelFormatDesc &desc);
template <class T, int D, cudaTextureReadMode M>
cudaError_t cudaBindTextureToArray(const texture<T, D, M> &tex, cudaArray_const_t array);
template <class T, int D, cudaTextureReadMode M>
cudaError_t cudaUnbindTexture(const texture<T, D, M> &tex);
template <class T, int D>
cudaError_t cudaBindSurfaceToArray(const surface<T, D> &surf, cudaArray_const_t array,
                                   const cudaChannelFormatDesc &desc);
template <class T, int D>
cudaError_t cudaBindSurfaceToArray(const surface<T, D> &surf, cudaArray_const_t array);

#endif // TENSORLEAK_CUDA_CUDA_RUNTIME_TEMPLATES_H
