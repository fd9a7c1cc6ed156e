//===-- References.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/source/References.h"

#include "checks/source/Statements.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

const Expr *boundTo(const ValueDecl &D) {
  const auto *V = dyn_cast<VarDecl>(&D);
  const Expr *Init = V && V->getType()->isReferenceType() ? V->getInit() : nullptr;
  if (const auto *Whole = dyn_cast_or_null<FullExpr>(Init))
    Init = Whole->getSubExpr();
  return Init && !isa<MaterializeTemporaryExpr>(Init->IgnoreParenImpCasts()) ? Init : nullptr;
}

void addReferents(Variables &Names) {
  llvm::SmallVector<const ValueDecl *, 8> Work(Names.begin(), Names.end());
  while (!Work.empty())
    anyBelow(boundTo(*Work.pop_back_val()), [&](const Stmt &S) {
      const auto *Ref = dyn_cast<DeclRefExpr>(&S);
      if (Ref && isa<VarDecl>(Ref->getDecl()) && Names.insert(Ref->getDecl()).second)
        Work.push_back(Ref->getDecl());
      return false;
    });
}

bool isNameOf(const ValueDecl &Named, const ValueDecl &Variable) {
  Variables Names;
  Names.insert(&Named);
  addReferents(Names);
  return Names.contains(&Variable);
}

} // namespace tensorleak
