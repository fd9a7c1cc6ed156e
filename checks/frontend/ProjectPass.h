//===-- ProjectPass.h - Checks files that know of each other ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage frontend, around SourceUnit.h. Each unit says what the others want to know
// of it, and is analysed again when they tell it something new, until nobody does.
// The rounds begin with nothing known, whatever the cache holds: the cache only
// spares the parsing, so that the findings are the same with it and without.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_PROJECTPASS_H
#define TENSORLEAK_CHECKS_FRONTEND_PROJECTPASS_H

#include "checks/frontend/FactsCache.h"
#include "checks/frontend/SourceUnit.h"
#include <functional>

namespace tensorleak {

class ProjectPass {
public:
  /// Analyses unit \p Unit with these options.
  using CheckFunction = std::function<UnitResult(size_t Unit, const ProjectContext &Context)>;
  /// Runs a task for each of the numbers below \p Count, in any order.
  using ForEachFunction =
      std::function<void(size_t Count, const std::function<void(size_t)> &Task)>;

  /// \p Others: what files that are not checked now said in an earlier check.
  ProjectPass(const std::vector<SourceUnit> &Units, std::vector<FileFacts> Others, bool UseCache,
              CheckFunction Check, ForEachFunction ForEach);

  /// The result of each unit, in their order.
  std::vector<UnitResult> run();

private:
  struct State {
    std::optional<FactsCache> Cache;
    UnitFacts Facts;
    std::optional<UnitResult> Result; ///< of the analysis that said Facts
    bool IsKnown = false;             ///< Facts are somebody's
  };

  bool round();
  ProjectIndex index() const;
  void update(State &S, const ProjectIndex &Index, size_t Unit);
  void analyze(State &S, const ProjectIndex &Index, size_t Unit);

  const std::vector<SourceUnit> &Units;
  std::vector<FileFacts> Others;
  CheckFunction Check;
  ForEachFunction ForEach;
  std::vector<State> States;
  ProjectIndex Told; ///< what the last round began with
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_PROJECTPASS_H
