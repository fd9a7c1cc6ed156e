//===-- Nvcc.h - Turns nvcc's commands into the host compiler's ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage frontend, before Flags.h. nvcc has a command line of its own: what it
// passes on to the host compiler decides how a file is parsed, and most of the
// rest is an error to Clang's driver. NvccFlags.def is the list.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_COMMANDS_NVCC_H
#define TENSORLEAK_CHECKS_FRONTEND_COMMANDS_NVCC_H

#include "checks/frontend/commands/Flags.h"

namespace tensorleak {

/// The unit's command, where it is nvcc's or for a file of CUDA: with what Clang
/// understands of it. Other commands as they are.
CommandLine hostCommand(const SourceUnit &TheUnit);

/// Whether \p File has a name of CUDA sources or headers.
bool hasCudaName(llvm::StringRef File);

/// Whether the file \p Compiler is nvcc.
bool isNvcc(llvm::StringRef Compiler);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_COMMANDS_NVCC_H
