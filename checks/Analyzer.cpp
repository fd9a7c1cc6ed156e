//===-- Analyzer.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/Analyzer.h"

#include "checks/Exports.h"
#include "checks/rules/Rules.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include <algorithm>

using namespace clang;

namespace tensorleak {

static constexpr RuleDescription Rules[] = {
#define TENSORLEAK_CHECK(Class, Name, TheKind, MinBytes, Summary)                                  \
  {Name, Kind::TheKind, MinBytes, Summary},
#include "findings/Checks.def"
};

llvm::ArrayRef<RuleDescription> allRules() { return Rules; }

const RuleDescription &describeRule(llvm::StringRef Name) {
  return *llvm::find_if(Rules, [&](const RuleDescription &R) { return R.Name == Name; });
}

int64_t AnalyzerOptions::minBytes(llvm::StringRef Rule) const {
  auto It = MinBytes.find(Rule.str());
  return It == MinBytes.end() ? describeRule(Rule).MinBytes : It->second;
}

/// Two instantiations of one template, or two paths to one line, say it once.
static void sortAndUnique(std::vector<Diagnosis> &Found, const SourceManager &SM) {
  llvm::stable_sort(Found, [&](const Diagnosis &A, const Diagnosis &B) {
    if (A.Loc != B.Loc)
      return SM.isBeforeInTranslationUnit(A.Loc, B.Loc);
    if (A.Rule != B.Rule)
      return A.Rule < B.Rule;
    if (A.TheLevel != B.TheLevel)
      return A.TheLevel > B.TheLevel; // the surer one is kept, of these the one that names more
    return A.Subject.Producers.size() > B.Subject.Producers.size();
  });
  auto Same = [](const Diagnosis &A, const Diagnosis &B) {
    return A.Loc == B.Loc && A.Rule == B.Rule && A.Subject.Holder == B.Subject.Holder;
  };
  Found.erase(std::unique(Found.begin(), Found.end(), Same), Found.end());
}

static bool isIn(const FunctionUnit &F, const Diagnosis &D, const SourceManager &SM) {
  SourceRange Body = F.Facts->Function->getSourceRange();
  return !SM.isBeforeInTranslationUnit(D.Loc, Body.getBegin()) &&
         !SM.isBeforeInTranslationUnit(Body.getEnd(), D.Loc);
}

/// What the compiler dropped may be the very free or reset that a rule misses; what
/// is kept is a note. A rule may look for what was dropped itself.
static void weakenWhereErrorsAre(const Unit &U, std::vector<Diagnosis> &Found) {
  const SourceManager &SM = U.context().getSourceManager();
  for (const FunctionUnit &F : U.functions()) {
    if (!F.HasErrors && !F.HasStandIns)
      continue;
    llvm::erase_if(Found, [&](const Diagnosis &D) {
      bool Misses = D.TheKind == Kind::Ownership || D.TheKind == Kind::Correctness;
      return F.HasErrors && Misses && !D.SeesErrors && isIn(F, D, SM);
    });
    for (Diagnosis &D : Found)
      if (isIn(F, D, SM))
        D.TheLevel = Level::Note;
  }
}

/// In one loop, or begun at one place.
static bool shareGraph(const DiagnosisSubject &A, const DiagnosisSubject &B) {
  return (A.Loop.isValid() && A.Loop == B.Loop) || llvm::any_of(A.Producers, [&](auto Place) {
           return llvm::is_contained(B.Producers, Place);
         });
}

/// What is kept with its graph already says that grad mode should be off.
static bool implies(const Diagnosis &Kept, const Diagnosis &D) {
  bool SaysSo = Kept.Rule == RetainedActivation::Name || Kept.Rule == GraphCycle::Name;
  return SaysSo && Kept.Subject.Graph && Kept.TheLevel >= D.TheLevel &&
         shareGraph(Kept.Subject, D.Subject);
}

static void dropImplied(std::vector<Diagnosis> &Found) {
  auto Rest = std::stable_partition(
      Found.begin(), Found.end(), [](const Diagnosis &D) { return D.Rule != MissingNoGrad::Name; });
  auto IsImplied = [&](const Diagnosis &D) {
    return std::any_of(Found.begin(), Rest,
                       [&](const Diagnosis &Kept) { return implies(Kept, D); });
  };
  Found.erase(std::remove_if(Rest, Found.end(), IsImplied), Found.end());
}

std::vector<Diagnosis> analyze(ASTContext &Context, llvm::ArrayRef<Decl *> Decls,
                               const AnalyzerOptions &Options, AnalyzerStats *Stats) {
  AnalyzerStats Ignored;
  AnalyzerStats &Counted = Stats ? *Stats : Ignored;
  BudgetRecorder Recorder(Counted.OverBudget, Options.Limits);
  FileAnalyses File(Context, Decls, Options, Counted);
  if (Options.Exports)
    *Options.Exports = exportFacts(File);
  std::vector<Diagnosis> Found;
#define TENSORLEAK_CHECK(Class, RuleName, TheKind, MinBytes, Summary)                              \
  if (Options.IsEnabled(RuleName))                                                                 \
    Class().check(File, Found);
#include "findings/Checks.def"
  llvm::erase_if(Found, [&](const Diagnosis &D) {
    return D.TheKind == Kind::Peak && D.Bytes && *D.Bytes < Options.minBytes(D.Rule);
  });
  weakenWhereErrorsAre(File.unit(), Found);
  dropImplied(Found);
  sortAndUnique(Found, Context.getSourceManager());
  return Found;
}

} // namespace tensorleak
