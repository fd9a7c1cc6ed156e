//===-- IncludeScan.h - Which heavy headers a file will include ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage frontend, before the parse. Reads tokens only, in the main file and in
// the user's headers that it includes. LibTorch's and CUDA's headers that stand
// under no condition there may be parsed first, once for many files, unless they
// mention a macro that the user's code defines before them.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_PARSE_INCLUDESCAN_H
#define TENSORLEAK_CHECKS_FRONTEND_PARSE_INCLUDESCAN_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace clang {
class CompilerInvocation;
class HeaderSearchOptions;
} // namespace clang
namespace llvm::vfs {
class FileSystem;
}

namespace tensorleak {

class UserCode;

struct HeavyInclude {
  std::string Name; ///< as spelled between the angle brackets
  std::string Path; ///< the file that the include path gives for it
  friend bool operator<(const HeavyInclude &A, const HeavyInclude &B) { return A.Name < B.Name; }
  friend bool operator==(const HeavyInclude &A, const HeavyInclude &B) {
    return A.Name == B.Name && A.Path == B.Path;
  }
};

struct HeavyIncludes {
  std::vector<HeavyInclude> Headers; ///< that the file is certain to include, sorted, each once
  /// The macros that the user's code defines, or may define, before the last of them.
  std::vector<std::string> DefinedBefore;
};

/// Where the compiler would look, and whose the files are.
struct IncludeContext {
  const clang::HeaderSearchOptions &Search;
  const UserCode &Code;
  llvm::vfs::FileSystem &Files;
  std::string Directory;           ///< where the compiler runs
  std::vector<std::string> Forced; ///< what `-include` puts before the file, in order
  std::vector<std::string> Macros; ///< the names that the flags define
};

/// The context of a compile command, but for what our own headers of CUDA put before the file.
IncludeContext includeContext(const clang::CompilerInvocation &Invocation, const UserCode &Code,
                              llvm::vfs::FileSystem &Files, const std::string &Directory);

/// The heavy headers of \p MainFile. The header that CMake generates for
/// target_precompile_headers is read like the file.
HeavyIncludes heavyIncludes(llvm::StringRef MainFile, const IncludeContext &Context);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_PARSE_INCLUDESCAN_H
