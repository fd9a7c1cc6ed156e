//===-- Analyzer.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/Analyzer.h"

#include "checks/MissingZeroGrad.h"
#include "checks/OutOfPlaceOp.h"
#include "checks/RetainedActivation.h"
#include "checks/UndeletedTensor.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace tensorleak {

static constexpr RuleDescription Rules[] = {
#define TENSORLEAK_CHECK(Class, Name, Summary) {Name, Summary},
#include "checks/Checks.def"
};

llvm::ArrayRef<RuleDescription> allRules() { return Rules; }

/// Two instantiations of one template, or two paths to one line, say it once.
static void sortAndUnique(std::vector<Diagnosis> &Found, const SourceManager &SM) {
  llvm::stable_sort(Found, [&](const Diagnosis &A, const Diagnosis &B) {
    if (A.Loc != B.Loc)
      return SM.isBeforeInTranslationUnit(A.Loc, B.Loc);
    if (A.Rule != B.Rule)
      return A.Rule < B.Rule;
    return A.TheLevel > B.TheLevel; // the surer one is kept
  });
  auto Same = [](const Diagnosis &A, const Diagnosis &B) {
    return A.Loc == B.Loc && A.Rule == B.Rule && A.Subject.Holder == B.Subject.Holder;
  };
  Found.erase(std::unique(Found.begin(), Found.end(), Same), Found.end());
}

std::vector<Diagnosis> analyze(ASTContext &Context, llvm::ArrayRef<Decl *> Decls,
                               const AnalyzerOptions &Options, AnalyzerStats *Stats) {
  AnalyzerStats Ignored;
  Unit U(Context, Decls, Options, Stats ? *Stats : Ignored);
  std::vector<Diagnosis> Found;
#define TENSORLEAK_CHECK(Class, RuleName, Summary)                                                 \
  if (Options.IsEnabled(RuleName))                                                                 \
    Class().check(U, Found);
#include "checks/Checks.def"
  sortAndUnique(Found, Context.getSourceManager());
  return Found;
}

} // namespace tensorleak
