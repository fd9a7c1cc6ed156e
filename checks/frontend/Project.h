//===-- Project.h - Checks the files that the user asked for ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The front end's door: what `tensorleak check` calls. Knows nothing of Clang, so
// that the tool does not either.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_PROJECT_H
#define TENSORLEAK_CHECKS_FRONTEND_PROJECT_H

#include "findings/Sarif.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace tensorleak {

/// The request makes no sense here: one sentence that says what, where and how
/// to mend it.
struct RequestError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct CheckRequest {
  std::string BuildDirectory;     ///< where compile_commands.json lies; "" searches for it
  std::vector<std::string> Paths; ///< files, or folders; empty: all of the database
  std::optional<std::vector<std::string>> Flags; ///< what stands after `--`
  std::string Checks; ///< globs after those of .clang-tidy, as in clang-tidy
  std::optional<int64_t> MinBytes;
  std::string CudaPath; ///< a CUDA toolkit, "none", or "" to search for one
  unsigned Jobs = 0;    ///< 0: one per core
  bool UseCache = true;
  /// Called before each unit, never from two threads at once.
  std::function<void(size_t Number, size_t Total, const std::string &File)> Progress;
};

struct CheckReport {
  FindingSet Set;            ///< sorted as printed, without duplicates
  size_t Files = 0;          ///< checked
  bool Incomplete = false;   ///< Set.Notifications says why
  bool Crashed = false;      ///< on some file: what it held is still locked
  size_t BundledCuda = 0;    ///< files read with our declarations of CUDA, without a toolkit
  size_t BundledInstead = 0; ///< and those where a toolkit's headers gave more errors
  unsigned Silenced = 0;     ///< by NOLINT comments
  unsigned FunctionsAnalyzed = 0;
  /// Functions that were not analysed, by reason: a budget's name, or "compiler errors".
  std::map<std::string, std::set<std::string>> Skipped;
};

/// \throws RequestError
CheckReport checkProject(const CheckRequest &Request);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_PROJECT_H
