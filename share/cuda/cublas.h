//===-- cublas.h - cuBLAS --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUBLAS_H_
#define CUBLAS_H_

#include <cublas_api.h>

#endif // CUBLAS_H_
