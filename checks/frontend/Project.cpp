//===-- Project.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/Project.h"

#include "checks/frontend/CompileCommands.h"
#include "checks/frontend/Globs.h"
#include "checks/frontend/Unit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ThreadPool.h"
#include <mutex>

namespace tensorleak {
namespace {

std::vector<RuleInfo> ruleInfos() {
  std::vector<RuleInfo> Out;
  for (const RuleDescription &R : allRules())
    Out.push_back({R.Name.str(), R.Summary.str(), ""});
  return Out;
}

UnitOptions unitOptions(const CheckRequest &Request) {
  UnitOptions Out;
  Out.UseCache = Request.UseCache;
  if (Request.MinBytes)
    Out.Analysis.MinBytes = *Request.MinBytes;
  if (!Request.Checks.empty()) {
    GlobList Globs(Request.Checks);
    if (llvm::none_of(allRules(), [&](auto &Rule) { return Globs.contains(Rule.Name); }))
      throw RequestError("no rule matches --checks='" + Request.Checks +
                         "'; `tensorleak explain` lists the rules");
    Out.Analysis.IsEnabled = [Globs](llvm::StringRef Rule) { return Globs.contains(Rule); };
  }
  return Out;
}

/// Checks all units on a pool of threads; results come in the order of the units.
std::vector<UnitResult> checkUnits(const std::vector<Unit> &Units, const UnitOptions &Options,
                                   const CheckRequest &Request) {
  std::vector<UnitResult> Results(Units.size());
  std::mutex ProgressLock;
  size_t Started = 0;
  llvm::DefaultThreadPool Pool(llvm::hardware_concurrency(Request.Jobs));
  for (size_t I = 0; I < Units.size(); ++I)
    Pool.async([&, I] {
      if (Request.Progress) {
        std::lock_guard<std::mutex> Guard(ProgressLock);
        Request.Progress(++Started, Units.size(), Units[I].File);
      }
      Results[I] = checkUnit(Units[I], Options);
    });
  Pool.wait();
  return Results;
}

bool isSame(const Finding &A, const Finding &B) {
  return A.Where == B.Where && A.Rule == B.Rule && A.Message == B.Message;
}

void addResult(UnitResult &&Result, CheckReport &Report) {
  std::move(Result.Findings.begin(), Result.Findings.end(),
            std::back_inserter(Report.Set.Findings));
  Report.Set.SourceHashes.merge(Result.SourceHashes);
  if (!Result.Incomplete.empty())
    Report.Set.Notifications.push_back(Result.Incomplete);
  Report.FunctionsAnalyzed += Result.Stats.FunctionsAnalyzed;
  Report.FunctionsSkipped += Result.Stats.FunctionsSkipped;
  llvm::append_range(Report.Skipped, Result.Stats.Skipped);
}

/// A header's finding comes once per file that includes it.
void sortAndDeduplicate(std::vector<Finding> &Findings) {
  std::stable_sort(Findings.begin(), Findings.end(), printsBefore);
  Findings.erase(std::unique(Findings.begin(), Findings.end(), isSame), Findings.end());
}

} // namespace

CheckReport checkProject(const CheckRequest &Request) {
  UnitOptions Options = unitOptions(Request);
  std::vector<Unit> Units = unitsOf(Request);
  CheckReport Report;
  Report.Set.Rules = ruleInfos();
  for (UnitResult &Result : checkUnits(Units, Options, Request))
    addResult(std::move(Result), Report);
  for (size_t I = 0; I < Units.size(); ++I)
    Report.Files += I == 0 || Units[I].File != Units[I - 1].File;
  sortAndDeduplicate(Report.Set.Findings);
  Report.Incomplete = !Report.Set.Notifications.empty();
  return Report;
}

} // namespace tensorleak
