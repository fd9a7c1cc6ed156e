//===-- sm_20_atomic_functions.h - Another name of cuda_runtime.h ----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef __SM_20_ATOMIC_FUNCTIONS_H__
#define __SM_20_ATOMIC_FUNCTIONS_H__

#include <cuda_runtime.h>

#endif // __SM_20_ATOMIC_FUNCTIONS_H__
