//===-- Project.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/driver/Project.h"

#include "checks/driver/FindingFilter.h"
#include "checks/driver/NoLint.h"
#include "checks/driver/ProjectPass.h"
#include "checks/driver/SavedProject.h"
#include "checks/driver/TidyConfig.h"
#include "checks/driver/results/Exchange.h"
#include "checks/driver/results/ResultCache.h"
#include "checks/frontend/cache/Cache.h"
#include "checks/frontend/cache/Contents.h"
#include "checks/frontend/commands/CompileCommands.h"
#include "checks/frontend/parse/SourceUnit.h"
#include "clang-tidy/GlobList.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ThreadPool.h"
#include <algorithm>
#include <malloc.h>
#include <mutex>
#include <set>

using clang::tidy::ClangTidyOptions;

namespace tensorleak {
namespace {

std::vector<RuleInfo> ruleInfos() {
  std::vector<RuleInfo> Out;
  for (const RuleDescription &R : allRules())
    Out.push_back({R.Name.str(), R.Summary.str(), "", "", "", R.TheKind});
  return Out;
}

std::function<bool(llvm::StringRef)> enabledRules(const ClangTidyOptions &Config,
                                                  const CheckRequest &Request) {
  auto Globs = std::make_shared<clang::tidy::GlobList>("tensor-*," + globsOfOurRules(Config) +
                                                       Request.Checks);
  return [Globs](llvm::StringRef Rule) { return Globs->contains(Rule); };
}

/// MinBytes of one rule as .clang-tidy gives it.
std::optional<int64_t> configuredMinBytes(const ClangTidyOptions &Config, llvm::StringRef Rule) {
  auto Option = Config.CheckOptions.find(Rule.str() + ".MinBytes");
  if (Option == Config.CheckOptions.end())
    return std::nullopt;
  int64_t Bytes;
  llvm::StringRef Value = Option->second.Value;
  if (Value.getAsInteger(10, Bytes) || Bytes < 0)
    throw RequestError(Option->first().str() + " in .clang-tidy is '" + Value.str() +
                       "'; give a number of bytes");
  return Bytes;
}

void readMinBytes(const ClangTidyOptions &Config, const CheckRequest &Request, UnitOptions &Out) {
  for (const RuleDescription &Rule : allRules())
    if (auto Bytes = Request.MinBytes ? Request.MinBytes : configuredMinBytes(Config, Rule.Name))
      Out.Analysis.MinBytes[Rule.Name.str()] = *Bytes;
}

/// How one unit is checked, and what is reported of it.
struct UnitPlan {
  UnitOptions Options;
  FindingFilter Filter;
};

UnitPlan planFor(const SourceUnit &TheUnit, const CheckRequest &Request,
                 std::shared_ptr<FileStates> States) {
  ClangTidyOptions Config = tidyConfigFor(TheUnit.File);
  UnitOptions Out;
  Out.UseCache = Request.UseCache;
  Out.States = std::move(States);
  Out.Dump = Request.Dump;
  Out.Analysis.IsEnabled = enabledRules(Config, Request);
  readMinBytes(Config, Request, Out);
  return {std::move(Out), FindingFilter(Config)};
}

void requireSomeRule(const CheckRequest &Request) {
  auto IsEnabled = enabledRules({}, Request);
  if (llvm::none_of(allRules(), [&](auto &Rule) { return IsEnabled(Rule.Name); }))
    throw RequestError("no rule matches --checks='" + Request.Checks +
                       "'; give globs of rule names, as in --checks='-*,tensor-missing-*'");
}

/// A crash of the compiler or of an analysis costs one unit, not the run.
UnitResult checkGuarded(const SourceUnit &TheUnit, const UnitOptions &Options,
                        const ProjectContext &Context) {
  constexpr unsigned StackBytes = 64u << 20; // generated code nests deeply
  UnitResult Result;
  llvm::CrashRecoveryContext Recovery;
  auto Check = [&] { Result = checkUnit(TheUnit, Options, Context); };
  if (!Recovery.RunSafelyOnThread(Check, StackBytes)) {
    Result = UnitResult();
    Result.Crashed = true;
    Result.Incomplete = TheUnit.File + ": the analysis crashed; please report it with this file";
  }
  return Result;
}

/// A parse takes tens of megabytes. The C library lets the heap of a thread grow by a page or
/// two at a time otherwise, which is a thousand system calls for a small file.
void growHeapsInLargeSteps() {
#ifdef __GLIBC__
  constexpr int StepBytes = 64 << 20;
  ::mallopt(M_TOP_PAD, StepBytes);
#endif
}

void forEachInParallel(const CheckRequest &Request, size_t Count,
                       const std::function<void(size_t)> &Task) {
  llvm::DefaultThreadPool Pool(llvm::hardware_concurrency(Request.Jobs));
  for (size_t I = 0; I < Count; ++I)
    Pool.async([&Task, I] { Task(I); });
  Pool.wait();
}

/// Reports of each unit, once, that it is being checked.
class ProgressCounter {
public:
  ProgressCounter(const CheckRequest &Request, const std::vector<SourceUnit> &Units)
      : Request(Request), Units(Units), Seen(Units.size()) {}

  void begin(size_t Unit) {
    std::lock_guard<std::mutex> Guard(Lock);
    if (Seen[Unit])
      return;
    Seen[Unit] = true;
    ++Started;
    if (Request.Progress)
      Request.Progress(Started, Units.size(), Units[Unit].File);
  }
  size_t started() const { return Started; }

private:
  const CheckRequest &Request;
  const std::vector<SourceUnit> &Units;
  std::mutex Lock;
  std::vector<bool> Seen;
  size_t Started = 0;
};

/// The facts of the files of the database that are not checked now, from when they were.
std::vector<FileFacts> factsOfOthers(const std::vector<SourceUnit> &Units,
                                     const CheckRequest &Request) {
  if (!Request.UseCache || Units.front().Database.empty())
    return {};
  std::set<std::string> Files;
  for (const SourceUnit &U : Units)
    Files.insert(U.File);
  return savedFactsBeside(Units.front().Database, Files);
}

/// For clients that see one file only (SavedProject.h).
void saveFacts(const std::vector<SourceUnit> &Units, const std::vector<UnitResult> &Results,
               const CheckRequest &Request) {
  if (!Request.UseCache || Units.front().Database.empty())
    return;
  std::vector<SavedFile> Files;
  for (size_t I = 0; I < Units.size(); ++I)
    if (!Results[I].Crashed)
      Files.push_back({Units[I].File, Results[I].Facts});
  saveProject(Units.front().Database, Files);
}

/// What is printed of the analyses themselves is not kept.
bool keepsResults(const CheckRequest &Request) {
  return Request.UseCache && !Request.Dump.isWanted() && !cacheDirectory().empty();
}

/// What a file of a project says is kept for others, also where it is the only one.
bool isAlone(const std::vector<SourceUnit> &Units, const std::vector<FileFacts> &Others,
             const CheckRequest &Request) {
  bool IsOfProject = Request.UseCache && !Units.front().Database.empty();
  return Units.size() == 1 && Others.empty() && !IsOfProject;
}

/// What is kept of the results of each unit.
ProjectPass::CacheFunction resultCaches(const std::vector<SourceUnit> &Units,
                                        const std::vector<UnitPlan> &Plans,
                                        const CheckRequest &Request, bool IsAlone) {
  if (!keepsResults(Request))
    return [](size_t) { return nullptr; };
  return [&Units, &Plans, IsAlone, Folder = cacheDirectory()](size_t I) {
    const UnitOptions &Options = Plans[I].Options;
    return std::make_unique<ResultCache>(Folder, resultKey(Units[I], Options, IsAlone),
                                         Options.States);
  };
}

/// What a shard leaves for others.
void exportPart(const std::vector<SourceUnit> &Units, const std::vector<UnitPlan> &Plans,
                const CheckRequest &Request) {
  std::vector<std::string> Keys;
  for (size_t I = 0; I < Units.size(); ++I)
    if (Request.Part->has(I))
      Keys.push_back(resultKey(Units[I], Plans[I].Options, /*IsAlone=*/false));
  exportResults(cacheDirectory(), Keys, Request.PartFile);
}

/// The results of other machines, and ours for them, go through the cache.
void importKnown(const CheckRequest &Request) {
  if (Request.Known.empty() && !Request.Part)
    return;
  if (!keepsResults(Request))
    throw RequestError("results can only be shared where there is a cache; leave out --no-cache" +
                       (cacheTrouble().empty() ? "" : ": the cache " + cacheTrouble()));
  for (const std::string &File : Request.Known)
    importResults(cacheDirectory(), File);
}

/// A file that no other file says anything of.
UnitResult checkAlone(ResultCache *Cache, const std::function<UnitResult()> &Check) {
  if (auto Known = Cache ? Cache->find({}, 0) : std::nullopt)
    return std::move(Known->Result);
  UnitResult Result = Check();
  if (Cache && !Result.Crashed)
    Cache->add({}, Result);
  return Result;
}

/// Checks all units on a pool of threads; results come in the order of the units.
std::vector<UnitResult> checkUnits(const std::vector<SourceUnit> &Units,
                                   const std::vector<UnitPlan> &Plans, const CheckRequest &Request,
                                   ProgressCounter &Progress) {
  llvm::CrashRecoveryContext::Enable();
  auto Check = [&](size_t I, const ProjectContext &Context) {
    Progress.begin(I);
    return checkGuarded(Units[I], Plans[I].Options, Context);
  };
  std::vector<FileFacts> Others = factsOfOthers(Units, Request);
  bool IsAlone = isAlone(Units, Others, Request);
  ProjectPass::CacheFunction Caches = resultCaches(Units, Plans, Request, IsAlone);
  if (IsAlone)
    return {checkAlone(Caches(0).get(), [&] { return Check(0, {}); })};
  auto ForEach = [&](size_t Count, const std::function<void(size_t)> &Task) {
    forEachInParallel(Request, Count, Task);
  };
  auto IsOurs = [&](size_t I) { return !Request.Part || Request.Part->has(I); };
  auto Results = ProjectPass(Units.size(), std::move(Others), Caches, Check, ForEach, IsOurs).run();
  if (!Request.Part)
    saveFacts(Units, Results, Request);
  return Results;
}

/// Returns why the cache could not be used, in words; "" if it could.
std::string leaveCache() {
  if (const std::string Folder = cacheDirectory(); !Folder.empty())
    boundCache(Folder, cacheLimit());
  return cacheTrouble();
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
  Report.Crashed |= Result.Crashed;
  Report.BundledCuda += Result.Cuda == CudaHeaders::Bundled;
  Report.BundledInstead += Result.Cuda == CudaHeaders::BundledInstead;
  Report.WithoutPython += Result.LacksPython;
  Report.Dump += Result.Dump;
  Report.FunctionsAnalyzed += Result.Stats.FunctionsAnalyzed;
  Report.Parses += Result.Stats.Parses;
  for (const SkippedFunction &F : Result.Stats.Skipped)
    Report.Skipped[F.Reason].insert(F.Name);
  for (const auto &[Over, Functions] : Result.Stats.OverBudget)
    Report.OverBudget[Over].insert(Functions.begin(), Functions.end());
}

/// A header's finding comes once per file that includes it.
void sortAndDeduplicate(std::vector<Finding> &Findings) {
  std::stable_sort(Findings.begin(), Findings.end(), printsBefore);
  Findings.erase(std::unique(Findings.begin(), Findings.end(), isSame), Findings.end());
}

size_t countFiles(const std::vector<SourceUnit> &Units) {
  std::set<llvm::StringRef> Files;
  for (const SourceUnit &U : Units)
    Files.insert(U.File);
  return Files.size();
}

} // namespace

CheckReport checkProject(const CheckRequest &Request) {
  requireSomeRule(Request);
  growHeapsInLargeSteps();
  std::vector<SourceUnit> Units = unitsOf(Request);
  std::vector<UnitPlan> Plans;
  auto States = std::make_shared<FileStates>(Request.UseCache ? cacheDirectory() : "");
  for (const SourceUnit &U : Units)
    Plans.push_back(planFor(U, Request, States));
  CheckReport Report;
  Report.Set.Rules = ruleInfos();
  Report.Files = countFiles(Units);
  importKnown(Request);
  ProgressCounter Progress(Request, Units);
  std::vector<UnitResult> Results = checkUnits(Units, Plans, Request, Progress);
  Report.Analysed = Progress.started();
  for (size_t I = 0; I < Units.size(); ++I) {
    Plans[I].Filter.apply(Units[I].File, Results[I].Findings);
    addResult(std::move(Results[I]), Report);
  }
  if (Request.Part)
    exportPart(Units, Plans, Request);
  if (Request.UseCache)
    Report.CacheTrouble = leaveCache();
  sortAndDeduplicate(Report.Set.Findings);
  Report.Silenced = removeSilenced(Report.Set.Findings);
  Report.Incomplete = !Report.Set.Notifications.empty();
  return Report;
}

} // namespace tensorleak
