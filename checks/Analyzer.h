//===-- Analyzer.h - Runs the rules over one translation unit -------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_ANALYZER_H
#define TENSORLEAK_CHECKS_ANALYZER_H

#include "checks/Diagnosis.h"
#include "checks/Options.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace clang {
class ASTContext;
class Decl;
} // namespace clang

namespace tensorleak {

/// Analyses the functions defined in \p Decls (top-level declarations of the
/// user's files; what lies in system headers is ignored) and returns what the
/// enabled rules say, sorted by location. Bodies of templates are analysed in
/// their instantiations; the same diagnosis from two instantiations is given once.
std::vector<Diagnosis> analyze(clang::ASTContext &Context, llvm::ArrayRef<clang::Decl *> Decls,
                               const AnalyzerOptions &Options, AnalyzerStats *Stats = nullptr);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_ANALYZER_H
