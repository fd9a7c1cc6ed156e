//===-- RuleCheck.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/tidy/RuleCheck.h"

#include "checks/driver/TidyConfig.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/ASTMatchers/ASTMatchers.h"

using namespace clang;
using namespace clang::ast_matchers;

namespace tensorleak {

RuleCheck::RuleCheck(llvm::StringRef Name, tidy::ClangTidyContext *Context)
    : ClangTidyCheck(Name, Context), Rule(Name),
      MinBytes(Options.get("MinBytes", describeRule(Name).MinBytes)),
      // As text: gcc and Clang disagree on the name of the host's get<bool>.
      Notes(isTrue(Options.getLocalOrGlobal("Notes", "false"))),
      Verdicts(isTrue(Options.getLocalOrGlobal("Verdicts", "false"))),
      Analysis(UnitAnalysis::of(*Context)) {
  Analysis->setMinBytes(Rule, MinBytes);
}

void RuleCheck::storeOptions(tidy::ClangTidyOptions::OptionMap &Map) {
  Options.store(Map, "MinBytes", MinBytes);
  Options.store(Map, "Notes", llvm::StringRef(Notes ? "true" : "false"));
  Options.store(Map, "Verdicts", llvm::StringRef(Verdicts ? "true" : "false"));
}

void RuleCheck::registerPPCallbacks(const SourceManager &, Preprocessor *P, Preprocessor *) {
  Analysis->setPreprocessor(*P);
}

/// The analyses start from functions, and clangd never shows a check the
/// translation unit itself.
void RuleCheck::registerMatchers(MatchFinder *Finder) {
  Finder->addMatcher(
      functionDecl(isDefinition(), unless(isExpansionInSystemHeader())).bind("function"), this);
}

void RuleCheck::check(const MatchFinder::MatchResult &Result) {
  if (Reported)
    return;
  Reported = true;
  const std::vector<Diagnosis> &All = Analysis->diagnoses(*Result.Context);
  for (size_t I = 0; I < All.size(); ++I)
    if (isWanted(All[I]))
      report(All[I], Verdicts ? Analysis->remarks(*Result.Context)[I] : "");
}

bool RuleCheck::isWanted(const Diagnosis &D) const {
  return D.Rule == Rule && (D.TheLevel == Level::Warning || Notes);
}

void RuleCheck::report(const Diagnosis &D, const std::string &Remark) {
  {
    DiagnosticBuilder Builder = diag(D.Loc, "%0%1") << D.Message << Remark;
    if (D.Range.isValid())
      Builder << D.Range;
    for (const FixItHint &Fix : D.Fixes)
      Builder << Fix;
  }
  for (const DiagnosisNote &Note : D.Notes)
    diag(Note.Loc, "%0", DiagnosticIDs::Note) << Note.Message;
}

} // namespace tensorleak
