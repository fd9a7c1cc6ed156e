//===-- StaticTorch.h - Is LibTorch linked into a file? -------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A LibTorch that is part of the program itself cannot be hooked, and the user
// should hear that instead of "no LibTorch".
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_DEBUGINFO_STATICTORCH_H
#define TENSORLEAK_RUNTIME_REPLAY_DEBUGINFO_STATICTORCH_H

#include <string>

namespace tensorleak {

/// Whether the ELF file \p Path has LibTorch's core inside. Works on stripped files.
bool holdsLibTorch(const std::string &Path);

/// Whether it has a CUDA runtime inside, as nvcc links it by default.
bool holdsCudaRuntime(const std::string &Path);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_DEBUGINFO_STATICTORCH_H
