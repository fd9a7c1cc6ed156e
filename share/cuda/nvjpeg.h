//===-- nvjpeg.h - nvJPEG -------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef NV_JPEG_HEADER
#define NV_JPEG_HEADER

#include <cuda_runtime_api.h>
#include <library_types.h>

#define NVJPEG_MAX_COMPONENT 4
#define NVJPEG_VER_MAJOR 12
#define NVJPEG_FLAGS_DEFAULT 0

typedef enum {
  NVJPEG_STATUS_SUCCESS = 0,
  NVJPEG_STATUS_NOT_INITIALIZED = 1,
  NVJPEG_STATUS_INVALID_PARAMETER = 2,
  NVJPEG_STATUS_BAD_JPEG = 3,
  NVJPEG_STATUS_JPEG_NOT_SUPPORTED = 4,
  NVJPEG_STATUS_ALLOCATOR_FAILURE = 5,
  NVJPEG_STATUS_EXECUTION_FAILED = 6,
  NVJPEG_STATUS_ARCH_MISMATCH = 7,
  NVJPEG_STATUS_INTERNAL_ERROR = 8,
  NVJPEG_STATUS_IMPLEMENTATION_NOT_SUPPORTED = 9,
  NVJPEG_STATUS_INCOMPLETE_BITSTREAM = 10
} nvjpegStatus_t;
typedef enum {
  NVJPEG_CSS_444 = 0,
  NVJPEG_CSS_422 = 1,
  NVJPEG_CSS_420 = 2,
  NVJPEG_CSS_440 = 3,
  NVJPEG_CSS_411 = 4,
  NVJPEG_CSS_410 = 5,
  NVJPEG_CSS_GRAY = 6,
  NVJPEG_CSS_410V = 7,
  NVJPEG_CSS_UNKNOWN = -1
} nvjpegChromaSubsampling_t;
typedef enum {
  NVJPEG_OUTPUT_UNCHANGED = 0,
  NVJPEG_OUTPUT_YUV = 1,
  NVJPEG_OUTPUT_Y = 2,
  NVJPEG_OUTPUT_RGB = 3,
  NVJPEG_OUTPUT_BGR = 4,
  NVJPEG_OUTPUT_RGBI = 5,
  NVJPEG_OUTPUT_BGRI = 6,
  NVJPEG_OUTPUT_UNCHANGEDI_U16 = 7
} nvjpegOutputFormat_t;
typedef enum {
  NVJPEG_INPUT_RGB = 3,
  NVJPEG_INPUT_BGR = 4,
  NVJPEG_INPUT_RGBI = 5,
  NVJPEG_INPUT_BGRI = 6
} nvjpegInputFormat_t;
typedef enum {
  NVJPEG_BACKEND_DEFAULT = 0,
  NVJPEG_BACKEND_HYBRID = 1,
  NVJPEG_BACKEND_GPU_HYBRID = 2,
  NVJPEG_BACKEND_HARDWARE = 3
} nvjpegBackend_t;
typedef enum {
  NVJPEG_ENCODING_BASELINE_DCT = 0xc0,
  NVJPEG_ENCODING_PROGRESSIVE_DCT_HUFFMAN = 0xc2
} nvjpegJpegEncoding_t;
typedef struct {
  unsigned char *channel[NVJPEG_MAX_COMPONENT];
  size_t pitch[NVJPEG_MAX_COMPONENT];
} nvjpegImage_t;
typedef int (*tDevMalloc)(void **, size_t);
typedef int (*tDevFree)(void *);
typedef int (*tPinnedMalloc)(void **, size_t, unsigned int);
typedef int (*tPinnedFree)(void *);
typedef struct {
  tDevMalloc dev_malloc;
  tDevFree dev_free;
} nvjpegDevAllocator_t;
typedef struct {
  tPinnedMalloc pinned_malloc;
  tPinnedFree pinned_free;
} nvjpegPinnedAllocator_t;
typedef struct nvjpegHandle *nvjpegHandle_t;
typedef struct nvjpegJpegState *nvjpegJpegState_t;
typedef struct nvjpegJpegDecoder *nvjpegJpegDecoder_t;
typedef struct nvjpegEncoderState *nvjpegEncoderState_t;
typedef struct nvjpegEncoderParams *nvjpegEncoderParams_t;
typedef struct nvjpegJpegStream *nvjpegJpegStream_t;
typedef struct nvjpegDecodeParams *nvjpegDecodeParams_t;
typedef struct nvjpegBufferDevice *nvjpegBufferDevice_t;
typedef struct nvjpegBufferPinned *nvjpegBufferPinned_t;

#if defined(__cplusplus)
extern "C" {
#endif

nvjpegStatus_t nvjpegCreate(nvjpegBackend_t, nvjpegDevAllocator_t *, nvjpegHandle_t *);
nvjpegStatus_t nvjpegCreateEx(nvjpegBackend_t, nvjpegDevAllocator_t *, nvjpegPinnedAllocator_t *,
                              unsigned int, nvjpegHandle_t *);
nvjpegStatus_t nvjpegCreateSimple(nvjpegHandle_t *);
nvjpegStatus_t nvjpegDestroy(nvjpegHandle_t);

nvjpegStatus_t nvjpegBufferDeviceCreate(nvjpegHandle_t, nvjpegDevAllocator_t *,
                                        nvjpegBufferDevice_t *);
nvjpegStatus_t nvjpegBufferDeviceDestroy(nvjpegBufferDevice_t);
nvjpegStatus_t nvjpegBufferPinnedCreate(nvjpegHandle_t, nvjpegPinnedAllocator_t *,
                                        nvjpegBufferPinned_t *);
nvjpegStatus_t nvjpegBufferPinnedDestroy(nvjpegBufferPinned_t);
nvjpegStatus_t nvjpegDecodeParamsCreate(nvjpegHandle_t, nvjpegDecodeParams_t *);
nvjpegStatus_t nvjpegDecodeParamsDestroy(nvjpegDecodeParams_t);
nvjpegStatus_t nvjpegDecoderCreate(nvjpegHandle_t, nvjpegBackend_t, nvjpegJpegDecoder_t *);
nvjpegStatus_t nvjpegDecoderDestroy(nvjpegJpegDecoder_t);
nvjpegStatus_t nvjpegDecoderStateCreate(nvjpegHandle_t, nvjpegJpegDecoder_t, nvjpegJpegState_t *);
nvjpegStatus_t nvjpegEncoderParamsCreate(nvjpegHandle_t, nvjpegEncoderParams_t *, cudaStream_t);
nvjpegStatus_t nvjpegEncoderParamsDestroy(nvjpegEncoderParams_t);
nvjpegStatus_t nvjpegEncoderStateCreate(nvjpegHandle_t, nvjpegEncoderState_t *, cudaStream_t);
nvjpegStatus_t nvjpegEncoderStateDestroy(nvjpegEncoderState_t);
nvjpegStatus_t nvjpegJpegStateCreate(nvjpegHandle_t, nvjpegJpegState_t *);
nvjpegStatus_t nvjpegJpegStateDestroy(nvjpegJpegState_t);
nvjpegStatus_t nvjpegJpegStreamCreate(nvjpegHandle_t, nvjpegJpegStream_t *);
nvjpegStatus_t nvjpegJpegStreamDestroy(nvjpegJpegStream_t);

nvjpegStatus_t nvjpegDecode(nvjpegHandle_t, nvjpegJpegState_t, const unsigned char *, size_t,
                            nvjpegOutputFormat_t, nvjpegImage_t *, cudaStream_t);
nvjpegStatus_t nvjpegDecodeBatched(nvjpegHandle_t, nvjpegJpegState_t, const unsigned char *const *,
                                   const size_t *, nvjpegImage_t *, cudaStream_t);
nvjpegStatus_t nvjpegDecodeBatchedInitialize(nvjpegHandle_t, nvjpegJpegState_t, int, int,
                                             nvjpegOutputFormat_t);
nvjpegStatus_t nvjpegDecodeJpeg(nvjpegHandle_t, nvjpegJpegDecoder_t, nvjpegJpegState_t,
                                nvjpegJpegStream_t, nvjpegImage_t *, nvjpegDecodeParams_t,
                                cudaStream_t);
nvjpegStatus_t nvjpegDecodeJpegDevice(nvjpegHandle_t, nvjpegJpegDecoder_t, nvjpegJpegState_t,
                                      nvjpegImage_t *, cudaStream_t);
nvjpegStatus_t nvjpegDecodeJpegHost(nvjpegHandle_t, nvjpegJpegDecoder_t, nvjpegJpegState_t,
                                    nvjpegDecodeParams_t, nvjpegJpegStream_t);
nvjpegStatus_t nvjpegDecodeJpegTransferToDevice(nvjpegHandle_t, nvjpegJpegDecoder_t,
                                                nvjpegJpegState_t, nvjpegJpegStream_t,
                                                cudaStream_t);
nvjpegStatus_t nvjpegDecodeParamsSetOutputFormat(nvjpegDecodeParams_t, nvjpegOutputFormat_t);
nvjpegStatus_t nvjpegEncodeGetBufferSize(nvjpegHandle_t, const nvjpegEncoderParams_t, int, int,
                                         size_t *);
nvjpegStatus_t nvjpegEncodeImage(nvjpegHandle_t, nvjpegEncoderState_t, const nvjpegEncoderParams_t,
                                 const nvjpegImage_t *, nvjpegInputFormat_t, int, int,
                                 cudaStream_t);
nvjpegStatus_t nvjpegEncodeRetrieveBitstream(nvjpegHandle_t, nvjpegEncoderState_t, unsigned char *,
                                             size_t *, cudaStream_t);
nvjpegStatus_t nvjpegEncodeYUV(nvjpegHandle_t, nvjpegEncoderState_t, const nvjpegEncoderParams_t,
                               const nvjpegImage_t *, nvjpegChromaSubsampling_t, int, int,
                               cudaStream_t);
nvjpegStatus_t nvjpegEncoderParamsSetEncoding(nvjpegEncoderParams_t, nvjpegJpegEncoding_t,
                                              cudaStream_t);
nvjpegStatus_t nvjpegEncoderParamsSetOptimizedHuffman(nvjpegEncoderParams_t, const int,
                                                      cudaStream_t);
nvjpegStatus_t nvjpegEncoderParamsSetQuality(nvjpegEncoderParams_t, const int, cudaStream_t);
nvjpegStatus_t nvjpegEncoderParamsSetSamplingFactors(nvjpegEncoderParams_t,
                                                     const nvjpegChromaSubsampling_t, cudaStream_t);
nvjpegStatus_t nvjpegGetImageInfo(nvjpegHandle_t, const unsigned char *, size_t, int *,
                                  nvjpegChromaSubsampling_t *, int *, int *);
nvjpegStatus_t nvjpegJpegStreamParse(nvjpegHandle_t, const unsigned char *, size_t, int, int,
                                     nvjpegJpegStream_t);
nvjpegStatus_t nvjpegStateAttachDeviceBuffer(nvjpegJpegState_t, nvjpegBufferDevice_t);
nvjpegStatus_t nvjpegStateAttachPinnedBuffer(nvjpegJpegState_t, nvjpegBufferPinned_t);

#if defined(__cplusplus)
}
#endif

#endif // NV_JPEG_HEADER
