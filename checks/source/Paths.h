//===-- Paths.h - Absolute paths, as every stage of the front end spells them //
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage frontend. Findings of different units are compared by path, so there is
// one spelling: absolute, without "." and "..", symbolic links kept.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_SOURCE_PATHS_H
#define TENSORLEAK_CHECKS_SOURCE_PATHS_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace clang {
class FileEntryRef;
class FileManager;
} // namespace clang

namespace tensorleak {

std::string joinPath(llvm::StringRef Folder, llvm::StringRef Name);

/// \p Path, taken from \p Directory when it is relative.
std::string normalPath(llvm::StringRef Path, llvm::StringRef Directory);

/// The normal path of a file that Clang opened.
std::string absolutePath(clang::FileEntryRef File, clang::FileManager &Files);

/// Whether \p Path lies in \p Folder or a folder below it.
bool isBelow(llvm::StringRef Path, llvm::StringRef Folder);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_SOURCE_PATHS_H
