//===-- RuleCheck.h - One rule as a clang-tidy check -----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The plugin. Every line of Checks.def is registered as a check of this class;
// it prints what the analysis says for its rule.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_TIDY_RULECHECK_H
#define TENSORLEAK_CHECKS_TIDY_RULECHECK_H

#include "checks/tidy/UnitAnalysis.h"
#include "clang-tidy/ClangTidyCheck.h"

namespace tensorleak {

class RuleCheck : public clang::tidy::ClangTidyCheck {
public:
  RuleCheck(llvm::StringRef Name, clang::tidy::ClangTidyContext *Context);

  bool isLanguageVersionSupported(const clang::LangOptions &Language) const override {
    return Language.CPlusPlus;
  }
  void storeOptions(clang::tidy::ClangTidyOptions::OptionMap &Map) override;
  void registerPPCallbacks(const clang::SourceManager &Sources, clang::Preprocessor *P,
                           clang::Preprocessor *ModuleExpander) override;
  void registerMatchers(clang::ast_matchers::MatchFinder *Finder) override;
  void check(const clang::ast_matchers::MatchFinder::MatchResult &Result) override;

private:
  bool isWanted(const Diagnosis &D) const;
  void report(const Diagnosis &D, const std::string &Remark);

  std::string Rule;
  int64_t MinBytes;
  bool Notes;
  bool Verdicts; ///< with what the last run said
  bool Reported = false;
  std::shared_ptr<UnitAnalysis> Analysis;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_TIDY_RULECHECK_H
