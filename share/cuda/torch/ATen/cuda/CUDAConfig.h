//===-- CUDAConfig.h - What ATen's CUDA half was built with -------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LibTorch's build writes this header, and one for the CPU alone does not. The answers are those
// of PyTorch's own packages for CUDA.
//
//===----------------------------------------------------------------------===//
#pragma once

#define AT_CUDNN_ENABLED() true
#define AT_CUSPARSELT_ENABLED() true
#define AT_HIPSPARSELT_ENABLED() false
#define AT_MAGMA_ENABLED() true
#define AT_MAGMA_VERSION 0
#define AT_ROCM_ENABLED() false
