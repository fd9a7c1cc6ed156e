//===-- NvccCommands.h - Commands of nvcc for clangd ----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_CLANGD_NVCCCOMMANDS_H
#define TENSORLEAK_CHECKS_CLANGD_NVCCCOMMANDS_H

#include "clang/Tooling/CompilationDatabase.h"

namespace tensorleak {

/// A command of nvcc's, or for a file of CUDA, becomes one that Clang understands, with our
/// declarations of CUDA where there is no toolkit. Others stay as they are.
void translateForClangd(clang::tooling::CompileCommand &Command, llvm::StringRef File);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_CLANGD_NVCCCOMMANDS_H
