//===-- IncludeScan.h - Which heavy headers a file will include ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage frontend, before the parse. Reads tokens only, in the main file and in
// the user's headers that it includes, as far as no macro or condition can have
// changed what an #include means. LibTorch's and CUDA's headers found on the way
// do not depend on what stands before them, so they may be parsed first, once
// for many files.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_PARSE_INCLUDESCAN_H
#define TENSORLEAK_CHECKS_FRONTEND_PARSE_INCLUDESCAN_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace clang {
class HeaderSearchOptions;
}
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

/// Where the compiler would look, and whose the files are.
struct IncludeContext {
  const clang::HeaderSearchOptions &Search;
  const UserCode &Code;
  llvm::vfs::FileSystem &Files;
  std::string Directory;           ///< where the compiler runs
  std::vector<std::string> Forced; ///< what `-include` puts before the file, in order
};

/// The heavy headers that \p MainFile is certain to include, sorted, each once. The
/// header that CMake generates for target_precompile_headers is read like the file.
std::vector<HeavyInclude> heavyIncludes(llvm::StringRef MainFile, const IncludeContext &Context);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_PARSE_INCLUDESCAN_H
