//===-- cublas_v2.h - cuBLAS -----------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CUDA_CUBLAS_V2_H
#define TENSORLEAK_CUDA_CUBLAS_V2_H

#include <cublas_api.h>

#endif // TENSORLEAK_CUDA_CUBLAS_V2_H
