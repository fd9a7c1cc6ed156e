//===-- cuda_runtime.h - The CUDA runtime with its C++ forms, and device code ===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#include "cuda_runtime_api.h"
#include "driver_functions.h"
#include "vector_functions.h"

#ifdef __cplusplus
#include <stdlib.h>
#ifdef __CUDA__
#include "device_functions.h"
#include "device_launch_parameters.h"
#include "device_library.h"
#include "device_math.h"
#include "device_textures.h"
#endif
#include "cuda_runtime_templates.h"
#endif

#ifdef __CUDA__
// What Clang turns <<<...>>> into.
extern "C" unsigned int __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim,
                                                    size_t sharedMem = 0, void *stream = 0);
#endif

#endif // __CUDA_RUNTIME_H__
