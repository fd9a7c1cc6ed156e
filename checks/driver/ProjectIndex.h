//===-- ProjectIndex.h - The facts of all files of a project, by key -------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_DRIVER_PROJECTINDEX_H
#define TENSORLEAK_CHECKS_DRIVER_PROJECTINDEX_H

#include "checks/project/ProjectFacts.h"
#include <vector>

namespace tensorleak {

/// The facts of all units; a unit is known by its number.
class ProjectIndex {
public:
  void add(size_t Unit, const FileFacts &Facts);

  /// The one value that the units other than \p Unit give for \p Key; null where they give
  /// none, or several that differ.
  nlohmann::json askFor(size_t Unit, const std::string &Key) const;

private:
  struct Statement {
    size_t Unit;
    nlohmann::json Value;
  };
  std::map<std::string, std::vector<Statement>> ByKey;
};

/// The keys that a unit asked for, and the values it was given: with the same answers its
/// analysis has the same results.
using Answers = std::map<std::string, std::string>;

/// One unit's view, which records what it asks.
class RecordingView : public ProjectView {
public:
  RecordingView(const ProjectIndex &Index, size_t Unit) : Index(Index), Unit(Unit) {}
  nlohmann::json ask(const std::string &Key) override;
  Answers Asked;

private:
  const ProjectIndex &Index;
  size_t Unit;
};

/// Whether \p Index gives the unit the answers in \p Asked.
bool holds(const Answers &Asked, const ProjectIndex &Index, size_t Unit);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_DRIVER_PROJECTINDEX_H
