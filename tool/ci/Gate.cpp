//===-- Gate.cpp ----------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ci/Gate.h"
#include "ci/Git.h"
#include "findings/RuleNames.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>

namespace fs = std::filesystem;

namespace tensorleak {
namespace {

constexpr const char *Never = "none";

Changes readChanges(std::istream &In, const std::string &Name, const std::string &SourceRoot) {
  Changes Named;
  try {
    Named = readUnifiedDiff(In);
  } catch (const std::runtime_error &E) {
    throw UsageError("the diff '" + Name + "' " + E.what());
  }
  Changes Out = placedIn({SourceRoot, fs::current_path().string()}, Named);
  if (Out.empty() && !Named.empty())
    throw UsageError("no file of the diff '" + Name + "' is here, such as '" +
                     Named.begin()->first +
                     "'; work at the top of the sources, or give it with "
                     "--source-root");
  return Out;
}

Changes changesOf(const std::string &What, const std::string &SourceRoot) {
  std::error_code Error;
  if (What == "-")
    return readChanges(std::cin, "standard input", SourceRoot);
  if (!fs::is_regular_file(What, Error))
    return changesSince(What);
  std::ifstream In(What);
  return readChanges(In, What, SourceRoot);
}

} // namespace

void addBaselineOption(CLI::App &Command, std::string &Baseline) {
  Command.add_option("--baseline", Baseline,
                     "Set aside the findings of this file, which 'tensorleak baseline' makes");
}

void addGateOptions(CLI::App &Command, GateOptions &Options) {
  Command.add_option("--diff", Options.Diff,
                     "Report only what a change touched: since this git revision, or of a file "
                     "with a unified diff (- for stdin)");
  addBaselineOption(Command, Options.Baseline);
  std::vector<std::string> Levels = {Never};
  for (Level L : AllLevels)
    Levels.emplace_back(toString(L));
  Command
      .add_option("--fail-level", Options.FailLevel,
                  "Exit with 1 from this level on: warning, note or none (default: --level)")
      ->check(CLI::IsMember(Levels));
}

Level lowestLevel(const GateOptions &Options, Level Asked) {
  return std::min(Asked, levelFromString(Options.FailLevel).value_or(Asked));
}

bool fails(const GateOptions &Options, const FindingSet &Set) {
  if (Options.FailLevel == Never)
    return false;
  const std::optional<Level> Wanted = levelFromString(Options.FailLevel);
  return std::any_of(Set.Findings.begin(), Set.Findings.end(), [&](const Finding &F) {
    const bool IsAskedFor = Wanted || !F.IsShown;
    return !F.Suppressed && IsAskedFor && F.TheLevel >= Wanted.value_or(Level::Note);
  });
}

Gate::Gate(const GateOptions &Options, const std::string &SourceRoot)
    : BaselineFile(Options.Baseline), SourceRoot(SourceRoot) {
  if (!Options.Diff.empty())
    Change = changesOf(Options.Diff, SourceRoot);
  if (!Options.Baseline.empty())
    Accepted = Baseline::read(Options.Baseline);
}

void Gate::apply(FindingSet &Set, bool SeesAll) {
  std::vector<Finding> &All = Set.Findings;
  if (Accepted)
    Use = tensorleak::apply(*Accepted, SourceRoot, All);
  auto IsNotOurs = [&](const BaselineEntry &E) {
    return !SeesAll || Change || rules::isOfRuns(E.Rule);
  };
  Use.Stale.erase(std::remove_if(Use.Stale.begin(), Use.Stale.end(), IsNotOurs), Use.Stale.end());
  if (!Change)
    return;
  auto Kept = std::stable_partition(All.begin(), All.end(),
                                    [this](const Finding &F) { return touches(*Change, F); });
  Untouched = static_cast<size_t>(
      std::count_if(Kept, All.end(), [](const Finding &F) { return !F.Suppressed; }));
  All.erase(Kept, All.end());
}

std::string Gate::summary() const {
  std::string Out;
  if (Use.Known)
    Out += "; " + std::to_string(Use.Known) + " in the baseline";
  if (Untouched)
    Out += "; " + std::to_string(Untouched) + " not touched by the change";
  return Out;
}

std::string Gate::staleSentence() const {
  if (Use.Stale.empty())
    return "";
  std::string Others =
      Use.Stale.size() == 1 ? " is" : " and " + std::to_string(Use.Stale.size() - 1) + " more are";
  return "of the baseline, " + describe(Use.Stale.front()) + Others +
         " not found any more; 'tensorleak baseline prune' takes that out of '" + BaselineFile +
         "'";
}

} // namespace tensorleak
