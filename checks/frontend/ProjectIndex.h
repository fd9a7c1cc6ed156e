//===-- ProjectIndex.h - What the files of a project say, by key -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_PROJECTINDEX_H
#define TENSORLEAK_CHECKS_FRONTEND_PROJECTINDEX_H

#include "checks/analysis/project/ProjectFacts.h"
#include <vector>

namespace tensorleak {

/// The facts of all units; a unit is known by its number.
class ProjectIndex {
public:
  void add(size_t Unit, const FileFacts &Facts);

  /// What the units other than \p Unit say; null where nothing, or no one thing.
  nlohmann::json askFor(size_t Unit, const std::string &Key) const;

private:
  struct Statement {
    size_t Unit;
    nlohmann::json Value;
  };
  std::map<std::string, std::vector<Statement>> ByKey;
};

/// What a unit asked, and what it was told: with the same answers its analysis
/// comes to the same end.
using Answers = std::map<std::string, std::string>;

/// One unit's view, which takes down what it asks.
class RecordingView : public ProjectView {
public:
  RecordingView(const ProjectIndex &Index, size_t Unit) : Index(Index), Unit(Unit) {}
  nlohmann::json ask(const std::string &Key) override;
  Answers Asked;

private:
  const ProjectIndex &Index;
  size_t Unit;
};

/// Whether \p Index tells the unit what \p Asked says.
bool holds(const Answers &Asked, const ProjectIndex &Index, size_t Unit);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_PROJECTINDEX_H
