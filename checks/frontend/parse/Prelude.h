//===-- Prelude.h - LibTorch's headers, parsed once for many files ---------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage frontend, between the driver and the parse. <torch/torch.h> takes nearly
// all of a unit's time. A prelude is a precompiled header of the heavy headers
// that a file includes, kept in the cache under a hash of the headers and of
// every flag that can change what they mean. The inputs are checked at each use.
// A prelude is speed, never meaning: where one cannot be made or used, the unit
// is parsed without.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_PARSE_PRELUDE_H
#define TENSORLEAK_CHECKS_FRONTEND_PARSE_PRELUDE_H

#include "checks/frontend/cache/Cache.h"
#include "checks/frontend/cache/RecordingFiles.h"
#include "checks/frontend/parse/IncludeScan.h"
#include <memory>
#include <optional>

namespace clang {
class CompilerInvocation;
class FileManager;
} // namespace clang

namespace tensorleak {

/// What a unit's files are seen through, and what is known of them.
struct SeenFiles {
  clang::FileManager &Manager;
  RecordingFiles &Recorder;
  FileStates &States;
};

/// A prelude that is ready for use, and stays so while this object lives.
class Prelude {
public:
  /// The prelude for \p Heavy under the flags of \p Invocation; made if there is
  /// none. Null where that does not work. What it was made from counts as read.
  static std::unique_ptr<Prelude> get(const clang::CompilerInvocation &Invocation,
                                      const std::vector<HeavyInclude> &Heavy,
                                      const std::string &Directory, const SeenFiles &Files);

  /// Makes \p Invocation start from the prelude.
  void apply(clang::CompilerInvocation &Invocation) const;

private:
  Prelude(llvm::StringRef Folder, llvm::StringRef Key) : Entry(Folder, Key) {}
  bool isValid(FileStates &States) const;
  bool build(const clang::CompilerInvocation &Invocation, const std::vector<HeavyInclude> &Heavy,
             const SeenFiles &Files) const;
  bool compile(const clang::CompilerInvocation &Invocation, const SeenFiles &Files) const;
  bool prepare(const clang::CompilerInvocation &Invocation, const std::vector<HeavyInclude> &Heavy,
               const SeenFiles &Files);

  CacheEntry Entry;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_PARSE_PRELUDE_H
