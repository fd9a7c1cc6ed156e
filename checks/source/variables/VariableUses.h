//===-- VariableUses.h - Which variables are only read ---------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For who asks of many variables of one body: a look at all of it for each would take time with the
// square of its length.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_SOURCE_VARIABLES_VARIABLEUSES_H
#define TENSORLEAK_CHECKS_SOURCE_VARIABLES_VARIABLEUSES_H

#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"

namespace tensorleak {

class VariableUses {
public:
  explicit VariableUses(const clang::Stmt &Body);

  /// See unchangedVariable().
  const clang::VarDecl *unchanged(const clang::Expr &E) const;

private:
  llvm::DenseMap<const clang::Decl *, int> Others; ///< uses of it that are more than a read
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_SOURCE_VARIABLES_VARIABLEUSES_H
