//===-- Cuda.h - Where CUDA's headers come from ----------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage frontend, part of Flags.h. A file of CUDA is parsed as the host sees it:
// kernels are known by their declarations, and no GPU is needed. The headers are
// the toolkit's where there is one; without, declarations of our own (share/cuda)
// stand in for them.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_COMMANDS_CUDA_H
#define TENSORLEAK_CHECKS_FRONTEND_COMMANDS_CUDA_H

#include "checks/frontend/commands/Flags.h"

namespace tensorleak {

/// What to add in front of \p Command, which Clang's driver understands. \p Text: of the source.
CommandLine cudaFlags(const SourceUnit &TheUnit, const CommandLine &Command, llvm::StringRef Text);

/// The toolkit whose headers we add to the command; "" for none, or where the command
/// brings its own.
std::string addedToolkit(const SourceUnit &TheUnit);

/// Whether \p TheUnit is compiled as CUDA.
bool isCuda(const SourceUnit &TheUnit);

/// Whether \p Folder holds what Clang asks of a CUDA toolkit, and the runtime's header.
bool isCudaToolkit(const std::string &Folder);

/// Whether \p Header, which `-include` puts before a file, makes the file CUDA: Clang's own,
/// or one of ours. Each may be included twice.
bool isCudaPreamble(llvm::StringRef Header);

/// The folder of our own declarations.
std::string bundledCudaFolder();

/// Below it: the headers that only the build of a LibTorch with CUDA writes.
std::string bundledTorchCudaFolder();

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_COMMANDS_CUDA_H
