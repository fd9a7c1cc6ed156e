//===-- Analyzer.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/Analyzer.h"

namespace tensorleak {

static constexpr RuleDescription Rules[] = {
#define TENSORLEAK_CHECK(Class, Name, Summary) {Name, Summary},
#include "checks/Checks.def"
};

llvm::ArrayRef<RuleDescription> allRules() { return Rules; }

std::vector<Diagnosis> analyze(clang::ASTContext &, llvm::ArrayRef<clang::Decl *>,
                               const AnalyzerOptions &, AnalyzerStats *) {
  return {};
}

} // namespace tensorleak
