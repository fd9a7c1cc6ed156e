//===-- Prelude.h - LibTorch's headers, parsed once for many files ---------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage frontend, between the driver and the parse. <torch/torch.h> takes nearly
// all of a unit's time. A prelude is a precompiled header of the heavy headers
// that a file includes. Those of the same headers lie in slots of the cache, one
// for each set of flags under which the headers read differently (FlagUse.h); the
// inputs are checked at each use.
// A prelude is speed, never meaning: where one cannot be made or used, the unit
// is parsed without. Headers that do not parse (those of LibTorch for CUDA, in an
// installation without it) are left out of it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_PARSE_PRELUDE_H
#define TENSORLEAK_CHECKS_FRONTEND_PARSE_PRELUDE_H

#include "checks/frontend/cache/Cache.h"
#include "checks/frontend/cache/RecordingFiles.h"
#include "checks/frontend/parse/IncludeScan.h"
#include "checks/frontend/prelude/FlagUse.h"
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

/// What a prelude is wanted for.
struct PreludeRequest {
  const clang::CompilerInvocation &Invocation;
  const HeavyIncludes &Heavy;
  const std::string &Directory; ///< where the compiler runs
  SeenFiles Files;
};

/// Where the preludes of the same headers lie.
struct PreludeSlots {
  const std::string &Folder;
  std::vector<std::string> Keys;
};

/// A prelude that is ready for use, and stays so while this object lives.
class Prelude {
public:
  /// The prelude for what is wanted; made if there is none. Null where that does not work. What
  /// it was made from, and what told that it fits, counts as read.
  static std::unique_ptr<Prelude> get(const PreludeRequest &Wanted);

  /// Makes \p Invocation start from the prelude.
  void apply(clang::CompilerInvocation &Invocation) const;

private:
  Prelude(llvm::StringRef Folder, llvm::StringRef Key) : Entry(Folder, Key) {}
  static std::unique_ptr<Prelude> find(const PreludeRequest &Wanted, const PreludeSlots &In);
  static std::unique_ptr<Prelude> make(const PreludeRequest &Wanted, const PreludeSlots &In);

  /// The file with this ending.
  std::string file(llvm::StringRef Ending) const { return Entry.file(Ending); }
  bool isThere() const;
  bool isValid(FileStates &States) const;
  bool fits(const PreludeRequest &Wanted);
  bool readsTheSameAfter(const std::vector<std::string> &Macros) const;
  bool build(const PreludeRequest &Wanted) const;
  std::optional<FlagUse> compile(const PreludeRequest &Wanted,
                                 std::vector<HeavyInclude> &Broken) const;
  std::vector<std::string> broken() const;
  bool describe(const PreludeRequest &Wanted, const FlagUse &Used, const FileReads &Read) const;
  bool keepsOther(const PreludeRequest &Wanted);

  CacheEntry Entry;
  std::optional<FlagUse> Used;
  FileReads Asked; ///< to tell which flags matter
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_PARSE_PRELUDE_H
