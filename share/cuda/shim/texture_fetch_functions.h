//===-- texture_fetch_functions.h - An empty header ------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CUDA 13 has it no more; Clang's own headers up to LLVM 21 include it.
//
//===----------------------------------------------------------------------===//
