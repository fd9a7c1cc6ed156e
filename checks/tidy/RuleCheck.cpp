//===-- RuleCheck.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/tidy/RuleCheck.h"

#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/ASTMatchers/ASTMatchers.h"

using namespace clang;
using namespace clang::ast_matchers;

namespace tensorleak {

RuleCheck::RuleCheck(llvm::StringRef Name, tidy::ClangTidyContext *Context)
    : ClangTidyCheck(Name, Context), Rule(Name),
      MinBytes(Options.get("MinBytes", describeRule(Name).MinBytes)), Notes(readFlag("Notes")),
      Analysis(UnitAnalysis::of(*Context)) {
  Analysis->setMinBytes(Rule, MinBytes);
}

/// As text: gcc and Clang disagree on the name of the host's get<bool>.
bool RuleCheck::readFlag(llvm::StringRef Option) const {
  llvm::StringRef Value = Options.get(Option, "false");
  return Value.equals_insensitive("true") || Value == "1";
}

void RuleCheck::storeOptions(tidy::ClangTidyOptions::OptionMap &Map) {
  Options.store(Map, "MinBytes", MinBytes);
  Options.store(Map, "Notes", llvm::StringRef(Notes ? "true" : "false"));
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
  for (const Diagnosis &D : Analysis->diagnoses(*Result.Context))
    if (isWanted(D))
      report(D);
}

bool RuleCheck::isWanted(const Diagnosis &D) const {
  return D.Rule == Rule && (D.TheLevel == Level::Warning || Notes);
}

void RuleCheck::report(const Diagnosis &D) {
  {
    DiagnosticBuilder Builder = diag(D.Loc, "%0") << D.Message;
    if (D.Range.isValid())
      Builder << D.Range;
    for (const FixItHint &Fix : D.Fixes)
      Builder << Fix;
  }
  for (const DiagnosisNote &Note : D.Notes)
    diag(Note.Loc, "%0", DiagnosticIDs::Note) << Note.Message;
}

} // namespace tensorleak
