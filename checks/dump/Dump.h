//===-- Dump.h - Prints what the analyses know -----------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage dump. `tensorleak check --dump-facts --dump-flow`, as clang's -ast-dump: one
// line per fact, which begins with its place in the source. test/model rests on it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_DUMP_DUMP_H
#define TENSORLEAK_CHECKS_DUMP_DUMP_H

#include "checks/DumpRequest.h"
#include "checks/Options.h"

namespace clang {
class ASTContext;
class Decl;
} // namespace clang

namespace tensorleak {

/// What is known of the functions defined in \p Decls; see analyze().
std::string dump(clang::ASTContext &Context, llvm::ArrayRef<clang::Decl *> Decls,
                 const AnalyzerOptions &Options, const DumpRequest &Request);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_DUMP_DUMP_H
