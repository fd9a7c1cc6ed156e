//===-- IncludeFolders.h - Where a project has a header that is not found ---===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage frontend. A source that is checked without the flags of its build includes
// "server/session.h", and the project has that below a folder above the source.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_ERRORS_INCLUDEFOLDERS_H
#define TENSORLEAK_CHECKS_FRONTEND_ERRORS_INCLUDEFOLDERS_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace llvm::vfs {
class FileSystem;
}

namespace tensorleak {

/// The folder that \p Header lies below as it is written, for \p Includer (absolute): the nearest
/// one above that file and not above \p Root, or an `include` or `src` in such a folder.
std::optional<std::string> includeFolderOf(llvm::StringRef Header, llvm::StringRef Includer,
                                           llvm::StringRef Root, llvm::vfs::FileSystem &Files);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_ERRORS_INCLUDEFOLDERS_H
