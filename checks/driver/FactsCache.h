//===-- FactsCache.h - The facts of units, kept between runs --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One entry of the cache per unit, named by its command and by this build of the
// tool: the files it was read from, and for the last few sets of answers the facts that
// it exported. An unchanged project is not parsed for its facts at all.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_DRIVER_FACTSCACHE_H
#define TENSORLEAK_CHECKS_DRIVER_FACTSCACHE_H

#include "checks/driver/ProjectIndex.h"
#include "checks/frontend/commands/Flags.h"
#include <optional>

namespace tensorleak {

/// What one analysis of a unit exported, given which answers.
struct UnitFacts {
  FileFacts Facts;
  Answers Asked;
};

class FactsCache {
public:
  /// Reads what is known of the unit, if its files are as they were.
  explicit FactsCache(const SourceUnit &TheUnit);

  /// The facts that the unit exports with the answers that \p Index gives.
  std::optional<UnitFacts> find(const ProjectIndex &Index, size_t Unit) const;

  /// \p Inputs: the files that the unit was read from (PreludeInputs.h).
  void add(const UnitFacts &Facts, const std::string &Inputs);

private:
  std::string Folder, Key, Inputs;
  std::vector<UnitFacts> Known;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_DRIVER_FACTSCACHE_H
