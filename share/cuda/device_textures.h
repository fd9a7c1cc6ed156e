//===-- device_textures.h - Reads and writes of textures and surfaces in device code ===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CUDA_DEVICE_TEXTURES_H
#define TENSORLEAK_CUDA_DEVICE_TEXTURES_H

#include "surface_types.h"
#include "texture_types.h"

// What a texture gives: its element, or floats of the same width.
template <class T, cudaTextureReadMode Mode> struct TensorleakTexel {
  typedef T Type;
};
#define TENSORLEAK_TEXEL(Element, Texel)                                                           \
  template <> struct TensorleakTexel<Element, cudaReadModeNormalizedFloat> {                       \
    typedef Texel Type;                                                                            \
  };
TENSORLEAK_TEXEL(char, float)
TENSORLEAK_TEXEL(signed char, float)
TENSORLEAK_TEXEL(unsigned char, float)
TENSORLEAK_TEXEL(short, float)
TENSORLEAK_TEXEL(unsigned short, float)
TENSORLEAK_TEXEL(char2, float2)
TENSORLEAK_TEXEL(uchar2, float2)
TENSORLEAK_TEXEL(short2, float2)
TENSORLEAK_TEXEL(ushort2, float2)
TENSORLEAK_TEXEL(char4, float4)
TENSORLEAK_TEXEL(uchar4, float4)
TENSORLEAK_TEXEL(short4, float4)
TENSORLEAK_TEXEL(ushort4, float4)
#undef TENSORLEAK_TEXEL

// Each function for a texture reference, a texture object, and an object whose
// result is written to a pointer.
#define TENSORLEAK_TEXTURE(Name, ...)                                                              \
  template <class T, int D, cudaTextureReadMode M>                                                 \
  __device__ typename TensorleakTexel<T, M>::Type Name(texture<T, D, M> t, __VA_ARGS__);           \
  template <class T> __device__ T Name(cudaTextureObject_t t, __VA_ARGS__);                        \
  template <class T> __device__ void Name(T *out, cudaTextureObject_t t, __VA_ARGS__);
TENSORLEAK_TEXTURE(tex1Dfetch, int x)
TENSORLEAK_TEXTURE(tex1D, float x)
TENSORLEAK_TEXTURE(tex2D, float x, float y)
TENSORLEAK_TEXTURE(tex3D, float x, float y, float z)
TENSORLEAK_TEXTURE(tex1DLayered, float x, int layer)
TENSORLEAK_TEXTURE(tex2DLayered, float x, float y, int layer)
TENSORLEAK_TEXTURE(texCubemap, float x, float y, float z)
TENSORLEAK_TEXTURE(texCubemapLayered, float x, float y, float z, int layer)
TENSORLEAK_TEXTURE(tex1DLod, float x, float level)
TENSORLEAK_TEXTURE(tex2DLod, float x, float y, float level)
TENSORLEAK_TEXTURE(tex3DLod, float x, float y, float z, float level)
TENSORLEAK_TEXTURE(tex1DGrad, float x, float dx, float dy)
TENSORLEAK_TEXTURE(tex2DGrad, float x, float y, float2 dx, float2 dy)
TENSORLEAK_TEXTURE(tex3DGrad, float x, float y, float z, float4 dx, float4 dy)
#undef TENSORLEAK_TEXTURE
template <class T> __device__ T tex2Dgather(cudaTextureObject_t t, float x, float y, int comp = 0);

#define TENSORLEAK_SURFACE(Read, Write, ...)                                                       \
  template <class T>                                                                               \
  __device__ T Read(cudaSurfaceObject_t s, __VA_ARGS__,                                            \
                    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);                          \
  template <class T>                                                                               \
  __device__ void Read(T *out, cudaSurfaceObject_t s, __VA_ARGS__,                                 \
                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);                       \
  template <class T>                                                                               \
  __device__ void Write(T value, cudaSurfaceObject_t s, __VA_ARGS__,                               \
                        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);                      \
  template <class T, class E, int D>                                                               \
  __device__ void Read(T *out, surface<E, D> s, __VA_ARGS__,                                       \
                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);                       \
  template <class T, class E, int D>                                                               \
  __device__ void Write(T value, surface<E, D> s, __VA_ARGS__,                                     \
                        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
TENSORLEAK_SURFACE(surf1Dread, surf1Dwrite, int x)
TENSORLEAK_SURFACE(surf2Dread, surf2Dwrite, int x, int y)
TENSORLEAK_SURFACE(surf3Dread, surf3Dwrite, int x, int y, int z)
TENSORLEAK_SURFACE(surf1DLayeredread, surf1DLayeredwrite, int x, int layer)
TENSORLEAK_SURFACE(surf2DLayeredread, surf2DLayeredwrite, int x, int y, int layer)
#undef TENSORLEAK_SURFACE

#endif // TENSORLEAK_CUDA_DEVICE_TEXTURES_H
