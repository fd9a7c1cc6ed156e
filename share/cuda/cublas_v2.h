//===-- cublas_v2.h - cuBLAS -----------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUBLAS_V2_H_
#define CUBLAS_V2_H_

#include <cublas_api.h>

#define CUBLASAPI

#endif // CUBLAS_V2_H_
