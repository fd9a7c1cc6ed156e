//===-- ProjectPass.h - Checks files with the facts of each other ----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage driver, around SourceUnit.h. Each unit exports facts about itself, and is analysed
// again when the facts of others that it asked for have changed, until none change. The
// rounds begin with no facts, whatever the cache holds: the cache only saves the analyses,
// so that the findings are the same with it and without. Where some units are left to others, the
// rounds end with the first that lacks one of these.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_DRIVER_PROJECTPASS_H
#define TENSORLEAK_CHECKS_DRIVER_PROJECTPASS_H

#include "checks/driver/results/ResultCache.h"
#include <functional>

namespace tensorleak {

class ProjectPass {
public:
  /// Analyses unit \p Unit with these options.
  using CheckFunction = std::function<UnitResult(size_t Unit, const ProjectContext &Context)>;
  /// Runs a task for each of the numbers below \p Count, in any order.
  using ForEachFunction =
      std::function<void(size_t Count, const std::function<void(size_t)> &Task)>;

  /// Whether unit \p Unit may be analysed: else it is only known from what is kept.
  using IsOursFunction = std::function<bool(size_t Unit)>;

  /// What is kept of the results of unit \p Unit; null for nothing.
  using CacheFunction = std::function<std::unique_ptr<ResultCache>(size_t Unit)>;

  /// \p Others: facts of files that are not checked now, from an earlier check.
  ProjectPass(size_t Units, std::vector<FileFacts> Others, CacheFunction CacheOf,
              CheckFunction Check, ForEachFunction ForEach, IsOursFunction IsOurs);

  /// The result of each unit, in their order.
  std::vector<UnitResult> run();

private:
  struct State {
    std::unique_ptr<ResultCache> Cache;
    UnitFacts Facts;
    UnitResult Result;      ///< of the analysis that exported Facts
    bool IsKnown = false;   ///< from an analysis, or from the cache
    bool IsMissing = false; ///< another machine has to analyse it
  };

  /// What a round lets files know of the others.
  enum class Told : uint8_t { Nothing, NoVariables, Everything };
  bool round(Told What);
  bool isAnyMissing() const;
  ProjectIndex index(Told What) const;
  void update(State &S, const ProjectIndex &Index, size_t Unit);
  void analyze(State &S, const ProjectIndex &Index, size_t Unit);

  std::vector<FileFacts> Others;
  CacheFunction CacheOf;
  CheckFunction Check;
  ForEachFunction ForEach;
  IsOursFunction IsOurs;
  std::vector<State> States;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_DRIVER_PROJECTPASS_H
