//===-- FactsCache.h - What units said of themselves, kept between runs ----===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One entry of the cache per unit, named by its command and by this build of the
// tool: the files it was read from, and for the last few sets of answers what it
// said. An unchanged project is not parsed for its facts at all.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_FACTSCACHE_H
#define TENSORLEAK_CHECKS_FRONTEND_FACTSCACHE_H

#include "checks/frontend/Flags.h"
#include "checks/frontend/ProjectIndex.h"
#include <optional>

namespace tensorleak {

/// What one analysis of a unit said, after which answers.
struct UnitFacts {
  FileFacts Facts;
  Answers Asked;
};

class FactsCache {
public:
  /// Reads what is known of the unit, if its files are as they were.
  explicit FactsCache(const SourceUnit &TheUnit);

  /// What the unit says when it is told what \p Index knows.
  std::optional<UnitFacts> find(const ProjectIndex &Index, size_t Unit) const;

  /// \p Inputs: the files that the unit was read from (PreludeInputs.h).
  void add(const UnitFacts &Facts, const std::string &Inputs);

private:
  std::string Folder, Key, Inputs;
  std::vector<UnitFacts> Known;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_FACTSCACHE_H
