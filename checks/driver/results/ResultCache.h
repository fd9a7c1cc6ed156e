//===-- ResultCache.h - The results of units, kept between runs ------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One entry of the cache per unit, named by its command, by what is asked of it and by this build
// of the tool: what the analysis asked of the file system (FileStates.h), and for the last few
// sets of answers that the other files of the project gave, what it found and what it exported.
// Who would be told the same again is not parsed. Errors in the source are a result as any other.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_DRIVER_RESULTS_RESULTCACHE_H
#define TENSORLEAK_CHECKS_DRIVER_RESULTS_RESULTCACHE_H

#include "checks/driver/ProjectIndex.h"
#include "checks/driver/results/ResultBytes.h"
#include <optional>

namespace tensorleak {

/// What one analysis of a unit exported, given which answers.
struct UnitFacts {
  FileFacts Facts;
  Answers Asked;
};

struct KnownResult {
  UnitFacts Facts;
  UnitResult Result;
};

/// The name of the entry. \p IsAlone: there is no other file to ask.
std::string resultKey(const SourceUnit &TheUnit, const UnitOptions &Options, bool IsAlone);

class ResultCache {
public:
  /// \p Folder is the cache's.
  ResultCache(const std::string &Folder, const std::string &Key,
              std::shared_ptr<FileStates> States);

  /// The lists in the cache that an entry refers to, by their names (FileStates.h).
  static std::vector<std::string> listsOf(const std::string &Folder, const std::string &Key);

  /// What an analysis would give now, with the answers of \p Index.
  std::optional<KnownResult> find(const ProjectIndex &Index, size_t Unit);

  void add(const UnitFacts &Facts, const UnitResult &Result);

private:
  struct Run {
    Answers Asked;
    Bytes Facts, Result;
  };

  void load();
  std::string content() const;
  void read(llvm::StringRef Text);
  void write() const;
  std::string seal(llvm::StringRef Text) const;

  std::string File, Key;
  std::shared_ptr<FileStates> States;
  bool IsLoaded = false;
  std::string Reads;
  std::vector<Run> Known;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_DRIVER_RESULTS_RESULTCACHE_H
