//===-- Launches.h - Launches as nvcc reads them ----------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage frontend. nvcc takes "kernel << <1, 32 >> >(p)", as some formatters write it, for a
// launch; Clang does not.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_PARSE_LAUNCHES_H
#define TENSORLEAK_CHECKS_FRONTEND_PARSE_LAUNCHES_H

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <memory>

namespace tensorleak {

/// The same text, with the brackets of launches joined where it has some. Every byte keeps its
/// place.
std::unique_ptr<llvm::MemoryBuffer> withJoinedLaunches(std::unique_ptr<llvm::MemoryBuffer> Source);

/// \p Files, with the brackets of launches joined in all that is read from it.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
withJoinedLaunches(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_PARSE_LAUNCHES_H
