//===-- VariableUses.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/source/variables/VariableUses.h"

#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

VariableUses::VariableUses(const Stmt &Body) {
  anyBelow(&Body, [&](const Stmt &S) {
    if (const auto *Name = dyn_cast<DeclRefExpr>(&S))
      ++Others[Name->getDecl()];
    const auto *Cast = dyn_cast<ImplicitCastExpr>(&S);
    if (Cast && Cast->getCastKind() == CK_LValueToRValue)
      if (const auto *Read = dyn_cast<DeclRefExpr>(Cast->getSubExpr()->IgnoreParens()))
        --Others[Read->getDecl()];
    if (const auto *Lambda = dyn_cast<LambdaExpr>(&S)) // what that does with it stands in its body
      for (const LambdaCapture &C : Lambda->captures())
        if (C.getCaptureKind() == LCK_ByRef)
          --Others[C.getCapturedVar()];
    return false;
  });
}

/// A variable or parameter of the function's own that \p E names.
static const VarDecl *ownVariable(const Expr &E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(E.IgnoreParenImpCasts());
  const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return V && V->hasLocalStorage() && !V->getType()->isReferenceType() ? V : nullptr;
}

const VarDecl *VariableUses::unchanged(const Expr &E) const {
  const VarDecl *V = ownVariable(E);
  return V && Others.lookup(V) == 0 ? V : nullptr;
}

const VarDecl *unchangedVariable(const Expr &E, const Stmt &Body) {
  return ownVariable(E) ? VariableUses(Body).unchanged(E) : nullptr;
}

} // namespace tensorleak
