//===-- npp.h - NPP: types, and memory ------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef NV_NPP_H
#define NV_NPP_H

#include <cuda_runtime_api.h>

typedef unsigned char Npp8u;
typedef signed char Npp8s;
typedef unsigned short Npp16u;
typedef short Npp16s;
typedef unsigned int Npp32u;
typedef int Npp32s;
typedef unsigned long long Npp64u;
typedef long long Npp64s;
typedef float Npp32f;
typedef double Npp64f;
typedef struct {
  Npp32f re, im;
} Npp32fc;
typedef struct {
  Npp64f re, im;
} Npp64fc;
typedef struct {
  int x, y;
} NppiPoint;
typedef struct {
  int width, height;
} NppiSize;
typedef struct {
  int x, y, width, height;
} NppiRect;
typedef enum {
  NPP_ERROR_RESERVED = -1003,
  NPP_CUDA_KERNEL_EXECUTION_ERROR = -1000,
  NPP_NOT_SUPPORTED_MODE_ERROR = -9999,
  NPP_MEMORY_ALLOCATION_ERR = -9,
  NPP_NULL_POINTER_ERROR = -8,
  NPP_SIZE_ERROR = -6,
  NPP_BAD_ARGUMENT_ERROR = -5,
  NPP_NO_MEMORY_ERROR = -4,
  NPP_ERROR = -2,
  NPP_NO_ERROR = 0,
  NPP_SUCCESS = 0
} NppStatus;
typedef enum {
  NPPI_INTER_UNDEFINED = 0,
  NPPI_INTER_NN = 1,
  NPPI_INTER_LINEAR = 2,
  NPPI_INTER_CUBIC = 4,
  NPPI_INTER_SUPER = 8,
  NPPI_INTER_LANCZOS = 16
} NppiInterpolationMode;
typedef enum {
  NPP_CMP_LESS,
  NPP_CMP_LESS_EQ,
  NPP_CMP_EQ,
  NPP_CMP_GREATER_EQ,
  NPP_CMP_GREATER
} NppCmpOp;
typedef enum { NPP_RND_NEAR, NPP_RND_FINANCIAL, NPP_RND_ZERO } NppRoundMode;
typedef enum { NPP_MASK_SIZE_1_X_3, NPP_MASK_SIZE_3_X_3 = 200, NPP_MASK_SIZE_5_X_5 } NppiMaskSize;
typedef enum {
  NPP_BORDER_UNDEFINED = 0,
  NPP_BORDER_CONSTANT = 1,
  NPP_BORDER_REPLICATE = 2,
  NPP_BORDER_WRAP = 3,
  NPP_BORDER_MIRROR = 4
} NppiBorderType;
typedef struct {
  int major, minor, build;
} NppLibraryVersion;
typedef struct {
  cudaStream_t hStream;
  int nCudaDeviceId, nMultiProcessorCount, nMaxThreadsPerMultiProcessor, nMaxThreadsPerBlock;
  size_t nSharedMemPerBlock;
  int nCudaDevAttrComputeCapabilityMajor, nCudaDevAttrComputeCapabilityMinor;
  unsigned int nStreamFlags;
  int nReserved0;
} NppStreamContext;

#if defined(__cplusplus)
extern "C" {
#endif

#define TENSORLEAK_NPPI(Suffix, Type) Type *nppiMalloc_##Suffix(int, int, int *);
TENSORLEAK_NPPI(8u_C1, Npp8u)
TENSORLEAK_NPPI(8u_C2, Npp8u)
TENSORLEAK_NPPI(8u_C3, Npp8u)
TENSORLEAK_NPPI(8u_C4, Npp8u)
TENSORLEAK_NPPI(16u_C1, Npp16u)
TENSORLEAK_NPPI(16u_C2, Npp16u)
TENSORLEAK_NPPI(16u_C3, Npp16u)
TENSORLEAK_NPPI(16u_C4, Npp16u)
TENSORLEAK_NPPI(16s_C1, Npp16s)
TENSORLEAK_NPPI(16s_C2, Npp16s)
TENSORLEAK_NPPI(16s_C4, Npp16s)
TENSORLEAK_NPPI(32s_C1, Npp32s)
TENSORLEAK_NPPI(32s_C3, Npp32s)
TENSORLEAK_NPPI(32s_C4, Npp32s)
TENSORLEAK_NPPI(32f_C1, Npp32f)
TENSORLEAK_NPPI(32f_C2, Npp32f)
TENSORLEAK_NPPI(32f_C3, Npp32f)
TENSORLEAK_NPPI(32f_C4, Npp32f)
#undef TENSORLEAK_NPPI
void nppiFree(void *);

#define TENSORLEAK_NPPS(Suffix, Type) Type *nppsMalloc_##Suffix(size_t);
TENSORLEAK_NPPS(8u, Npp8u)
TENSORLEAK_NPPS(8s, Npp8s)
TENSORLEAK_NPPS(16u, Npp16u)
TENSORLEAK_NPPS(16s, Npp16s)
TENSORLEAK_NPPS(32u, Npp32u)
TENSORLEAK_NPPS(32s, Npp32s)
TENSORLEAK_NPPS(32f, Npp32f)
TENSORLEAK_NPPS(64s, Npp64s)
TENSORLEAK_NPPS(64f, Npp64f)
TENSORLEAK_NPPS(32fc, Npp32fc)
TENSORLEAK_NPPS(64fc, Npp64fc)
#undef TENSORLEAK_NPPS
void nppsFree(void *);

const NppLibraryVersion *nppGetLibVersion(void);
NppStatus nppGetStreamContext(NppStreamContext *);
NppStatus nppSetStream(cudaStream_t);
cudaStream_t nppGetStream(void);

#if defined(__cplusplus)
}
#endif

#endif // NV_NPP_H
