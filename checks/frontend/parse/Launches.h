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

#include "llvm/Support/VirtualFileSystem.h"

namespace tensorleak {

/// \p Files, with the brackets of launches joined in all that is read from it. Every byte
/// keeps its place.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
withJoinedLaunches(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_PARSE_LAUNCHES_H
