//===-- AskedResults.h - Calls on whose result something depends -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_FACTS_CALLS_ASKEDRESULTS_H
#define TENSORLEAK_CHECKS_RESOURCES_FACTS_CALLS_ASKEDRESULTS_H

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseSet.h"

namespace tensorleak {

/// The pair of which \p S asks the bool, as of what emplace() returns: `made.second`; else null.
const clang::Expr *pairAskedBy(const clang::Stmt &S);

/// Of one function: the calls whose result a condition asks about, in place or by a variable that
/// keeps it, or that are returned. Of a pair, which emplace() returns, its bool is the result.
class AskedResults {
public:
  explicit AskedResults(const clang::Stmt &Body);
  bool contains(const clang::CallExpr &Call) const { return Calls.count(&Call) > 0; }

private:
  void addAsked(const clang::Expr &Condition);
  void addKept(const clang::ValueDecl &Variable, const clang::Expr *Value);

  llvm::DenseSet<const clang::CallExpr *> Calls;
  llvm::DenseSet<const clang::ValueDecl *> Variables;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_FACTS_CALLS_ASKEDRESULTS_H
