//===-- FlagUse.h - What the headers of a prelude ask of the flags ---------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two targets of a project differ in names that they define and in folders of their own, and
// LibTorch's headers ask for none of these: they read the same, and one prelude serves both.
// A name matters where the headers mention it, by whatever way: what they would not mention
// cannot change them. A folder of headers matters where it holds a header that they include by
// name; that it holds none is a question to the file system like others, and asked again before
// a result is used.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_PRELUDE_FLAGUSE_H
#define TENSORLEAK_CHECKS_FRONTEND_PRELUDE_FLAGUSE_H

#include "checks/frontend/cache/Cache.h"
#include "checks/frontend/cache/RecordingFiles.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace clang {
class HeaderSearchOptions;
} // namespace clang

namespace tensorleak {

/// -D and -U in the order of the command, as Clang keeps them: the text, and whether it is -U.
using MacroFlags = std::vector<std::pair<std::string, bool>>;

/// "N" of "N", "N=1" and "N(X)=X".
llvm::StringRef nameOfMacro(llvm::StringRef Flag);

class FlagUse {
public:
  /// \p Mentioned are all identifiers of the headers, \p Included what they include by name.
  FlagUse(const std::vector<llvm::StringRef> &Mentioned, std::vector<std::string> Included);

  /// What stands beside the prelude; nothing where that is gone.
  static std::optional<FlagUse> read(const CacheEntry &Entry);
  bool write(const CacheEntry &Entry) const;

  /// The macros that the headers would read differently without, and the others.
  std::pair<MacroFlags, MacroFlags> split(const MacroFlags &Macros) const;

  /// The flags that matter, as text: where it is the same, so are the headers. What had to be
  /// asked to tell is added to \p Asked.
  std::string partThatMatters(const MacroFlags &Macros, const clang::HeaderSearchOptions &Search,
                              const std::string &Directory, FileStates &States,
                              FileReads &Asked) const;

  /// Whether the headers have this name anywhere.
  bool mentions(llvm::StringRef Name) const;

private:
  FlagUse() = default;

  std::vector<uint64_t> Mentioned;   ///< hashes, sorted
  std::vector<std::string> Included; ///< as spelled, sorted
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_PRELUDE_FLAGUSE_H
