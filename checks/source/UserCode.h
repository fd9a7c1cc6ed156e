//===-- UserCode.h - Tells the user's code from everything it includes -----===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage frontend. Only functions in the user's own files are analysed. Clang's
// "system header" is not enough to tell them: many builds pass LibTorch's
// include folders with -I. A folder is foreign when it has the structure of a
// LibTorch or CUDA include tree or is searched as a system folder; a file is the
// user's when it is not in such a folder and lies in the project.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_SOURCE_USERCODE_H
#define TENSORLEAK_CHECKS_SOURCE_USERCODE_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace clang {
class Decl;
class HeaderSearchOptions;
class SourceManager;
} // namespace clang
namespace llvm::vfs {
class FileSystem;
}

namespace tensorleak {

/// The nearest folder above \p File (absolute) that version control or a compile database
/// marks as a project.
std::optional<std::string> projectRoot(llvm::StringRef File, llvm::vfs::FileSystem &Files);

class UserCode {
public:
  /// \p MainFile is absolute; \p Directory is where its compiler runs.
  UserCode(const clang::HeaderSearchOptions &Search, llvm::StringRef MainFile,
           llvm::StringRef Directory, llvm::vfs::FileSystem &Files);

  /// Whether \p Path (absolute) lies in a system, LibTorch or CUDA include tree.
  bool isForeign(llvm::StringRef Path) const;

  /// Whether the functions of \p Path (absolute) are analysed.
  bool isUserFile(llvm::StringRef Path) const;

private:
  std::string MainFile;
  std::vector<std::string> ForeignTrees;
  std::vector<std::string> Roots;
};

/// Whether \p D stands in the file that is compiled, and in none of its headers.
bool isInMainFile(const clang::Decl &D);

/// Whether \p Loc is in a header of the system, of LibTorch or of CUDA, however its folder
/// was named to the compiler: a Makefile's `-I/usr/local/cuda/include` makes it no code of
/// the project's.
bool isLibraryHeader(const clang::SourceManager &Sources, clang::SourceLocation Loc);

/// Whether \p D stands in such a header.
bool isInLibraryHeader(const clang::Decl &D);

/// Answers for locations of one unit, and remembers the answer per file.
class UserLocations {
public:
  UserLocations(const UserCode &Code, const clang::SourceManager &Sources)
      : Code(Code), Sources(Sources) {}
  bool contains(clang::SourceLocation Loc);

private:
  bool isUserFile(clang::FileID File) const;

  const UserCode &Code;
  const clang::SourceManager &Sources;
  llvm::DenseMap<clang::FileID, bool> Known;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_SOURCE_USERCODE_H
