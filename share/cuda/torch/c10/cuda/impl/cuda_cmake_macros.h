//===-- cuda_cmake_macros.h - How c10_cuda was built -------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LibTorch's build writes this header, and one for the CPU alone does not: distributions ship the
// others of c10/cuda without it, and none of them could be read.
//
//===----------------------------------------------------------------------===//
#pragma once

#define C10_CUDA_BUILD_SHARED_LIBS
