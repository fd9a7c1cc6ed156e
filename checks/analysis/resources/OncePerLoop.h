//===-- OncePerLoop.h - Statements that one round of a loop runs -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. `if (i == 0)` and `if (first) { first = false; ... }` in a loop: what
// they take is not taken anew in each round, which the dataflow cannot see.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_ANALYSIS_RESOURCES_ONCEPERLOOP_H
#define TENSORLEAK_CHECKS_ANALYSIS_RESOURCES_ONCEPERLOOP_H

#include "clang/AST/Decl.h"

namespace tensorleak {

/// Whether \p At, in the body of \p F, lies in one loop and runs in at most one of its
/// rounds.
bool runsOncePerLoop(const clang::Stmt *At, const clang::FunctionDecl &F);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_ANALYSIS_RESOURCES_ONCEPERLOOP_H
