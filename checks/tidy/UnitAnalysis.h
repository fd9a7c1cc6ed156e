//===-- UnitAnalysis.h - One analysis for all rules of a clang-tidy run ----===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The plugin. clang-tidy makes one check object per rule; the analyses run once
// and answer for all of them. Under clangd several files are analysed at once,
// so what is shared is bound to the run, not to the process.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_TIDY_UNITANALYSIS_H
#define TENSORLEAK_CHECKS_TIDY_UNITANALYSIS_H

#include "checks/Analyzer.h"
#include "checks/source/UserCode.h"
#include <memory>
#include <optional>

namespace clang {
class Preprocessor;
namespace tidy {
class ClangTidyContext;
}
} // namespace clang

namespace tensorleak {

class UnitAnalysis {
public:
  /// The analysis of the run that \p Context stands for; it lives as long as a
  /// check of that run does.
  static std::shared_ptr<UnitAnalysis> of(clang::tidy::ClangTidyContext &Context);

  explicit UnitAnalysis(clang::tidy::ClangTidyContext &Context) : Tidy(Context) {}

  /// The user's bound for one rule.
  void setMinBytes(llvm::StringRef Rule, int64_t Bytes) { MinBytes[Rule.str()] = Bytes; }
  /// Learns the unit's include path, from which the user's own files follow.
  void setPreprocessor(const clang::Preprocessor &P);

  /// What all enabled rules say of \p Unit; computed at the first call.
  const std::vector<Diagnosis> &diagnoses(clang::ASTContext &Unit);

  /// What the last run of the project said of each of these, to be added to its message.
  const std::vector<std::string> &remarks(clang::ASTContext &Unit);

private:
  std::vector<clang::Decl *> userDecls(clang::ASTContext &Unit) const;

  clang::tidy::ClangTidyContext &Tidy;
  std::map<std::string, int64_t> MinBytes;
  std::optional<UserCode> Code;
  std::string MainFile; ///< absolute
  std::optional<std::vector<Diagnosis>> Diagnoses;
  std::optional<std::vector<std::string>> Remarks;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_TIDY_UNITANALYSIS_H
