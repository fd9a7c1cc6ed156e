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
template <class T> cudaError_t cudaMalloc(T **, size_t);
template <class T> cudaError_t cudaMallocManaged(T **, size_t, unsigned int = cudaMemAttachGlobal);
template <class T> cudaError_t cudaMallocHost(T **, size_t, unsigned int = 0);
template <class T> cudaError_t cudaHostAlloc(T **, size_t, unsigned int);
template <class T> cudaError_t cudaHostGetDevicePointer(T **, void *, unsigned int);
template <class T> cudaError_t cudaMallocPitch(T **, size_t *, size_t, size_t);
template <class T> cudaError_t cudaMallocAsync(T **, size_t, cudaStream_t);
template <class T> cudaError_t cudaMallocAsync(T **, size_t, cudaMemPool_t, cudaStream_t);
cudaError_t cudaMallocAsync(void **, size_t, cudaMemPool_t, cudaStream_t);
template <class T> cudaError_t cudaMallocFromPoolAsync(T **, size_t, cudaMemPool_t, cudaStream_t);
cudaError_t cudaMemPrefetchAsync(const void *, size_t, cudaMemLocation, unsigned int,
                                 cudaStream_t = 0);
cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, cudaMemLocation);
cudaError_t cudaEventCreate(cudaEvent_t *, unsigned int);
cudaError_t cudaEventElapsedTime_v2(float *, cudaEvent_t, cudaEvent_t);

// Symbols: any variable of device code.
template <class T>
cudaError_t cudaMemcpyToSymbol(const T &, const void *, size_t, size_t = 0,
                               cudaMemcpyKind = cudaMemcpyHostToDevice);
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T &, const void *, size_t, size_t = 0,
                                    cudaMemcpyKind = cudaMemcpyHostToDevice, cudaStream_t = 0);
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *, const T &, size_t, size_t = 0,
                                 cudaMemcpyKind = cudaMemcpyDeviceToHost);
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void *, const T &, size_t, size_t = 0,
                                      cudaMemcpyKind = cudaMemcpyDeviceToHost, cudaStream_t = 0);
template <class T> cudaError_t cudaGetSymbolAddress(void **, const T &);
template <class T> cudaError_t cudaGetSymbolSize(size_t *, const T &);

// Kernels: any function.
template <class T> cudaError_t cudaFuncSetCacheConfig(T *, cudaFuncCache);
template <class T> cudaError_t cudaFuncSetSharedMemConfig(T *, cudaSharedMemConfig);
template <class T> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *, T *);
template <class T> cudaError_t cudaFuncSetAttribute(T *, cudaFuncAttribute, int);
template <class T>
cudaError_t cudaLaunchKernel(T *, dim3, dim3, void **, size_t = 0, cudaStream_t = 0);
template <class... Wanted, class... Given>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *, void (*)(Wanted...), Given &&...);
template <class T>
cudaError_t cudaLaunchCooperativeKernel(T *, dim3, dim3, void **, size_t = 0, cudaStream_t = 0);
template <class T> cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, T, int, size_t);
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *, T, int, size_t,
                                                                   unsigned int);
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *, int *, T, size_t = 0, int = 0);
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *, int *, T, size_t = 0, int = 0,
                                                        unsigned int = 0);
template <class SizeOfBlock, class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *, int *, T, SizeOfBlock, int = 0);

// Graphs, as before CUDA 12.
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *, cudaGraph_t, cudaGraphNode_t *, char *, size_t);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t, cudaGraph_t, cudaGraphNode_t *,
                                cudaGraphExecUpdateResult *);

// Textures and surfaces.
template <class T> cudaChannelFormatDesc cudaCreateChannelDesc();
template <class T, int D, cudaTextureReadMode M>
cudaError_t cudaBindTexture(size_t *, const texture<T, D, M> &, const void *,
                            const cudaChannelFormatDesc &, size_t = UINT_MAX);
template <class T, int D, cudaTextureReadMode M>
cudaError_t cudaBindTexture(size_t *, const texture<T, D, M> &, const void *, size_t = UINT_MAX);
template <class T, int D, cudaTextureReadMode M>
cudaError_t cudaBindTexture2D(size_t *, const texture<T, D, M> &, const void *,
                              const cudaChannelFormatDesc &, size_t, size_t, size_t);
template <class T, int D, cudaTextureReadMode M>
cudaError_t cudaBindTexture2D(size_t *, const texture<T, D, M> &, const void *, size_t, size_t,
                              size_t);
template <class T, int D, cudaTextureReadMode M>
cudaError_t cudaBindTextureToArray(const texture<T, D, M> &, cudaArray_const_t,
                                   const cudaChannelFormatDesc &);
template <class T, int D, cudaTextureReadMode M>
cudaError_t cudaBindTextureToArray(const texture<T, D, M> &, cudaArray_const_t);
template <class T, int D, cudaTextureReadMode M>
cudaError_t cudaUnbindTexture(const texture<T, D, M> &);
template <class T, int D>
cudaError_t cudaBindSurfaceToArray(const surface<T, D> &, cudaArray_const_t,
                                   const cudaChannelFormatDesc &);
template <class T, int D>
cudaError_t cudaBindSurfaceToArray(const surface<T, D> &, cudaArray_const_t);

#endif // TENSORLEAK_CUDA_CUDA_RUNTIME_TEMPLATES_H
