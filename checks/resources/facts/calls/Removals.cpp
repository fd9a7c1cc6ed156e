//===-- Removals.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/calls/Removals.h"

#include "checks/resources/facts/ResourceGenerator.h"
#include "checks/source/Expressions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

bool comparesWithMore(const Expr &E) {
  const auto *Op = dyn_cast<BinaryOperator>(&E);
  auto IsZero = [](const Expr *Side) {
    const auto *Number = dyn_cast<IntegerLiteral>(bare(Side));
    return Number && Number->getValue() == 0;
  };
  return Op && Op->isComparisonOp() && !IsZero(Op->getLHS()) && !IsZero(Op->getRHS());
}

/// `while (!all.empty()) { if (isBusy(all.front())) break; ... }`
static bool mayEndEarly(const Stmt &Loop) {
  return anyBelow(&Loop, [&](const Stmt &S) {
    return isa<ReturnStmt>(S) || (isa<BreakStmt>(S) && loopAround(&Loop, S) == &Loop);
  });
}

/// `all.pop_back()` outside of a loop that empties \p all, and so of one that is not empty.
static bool popsOne(const CallExpr &Call, const FunctionDecl &In) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || !Callee->getIdentifier() || !Callee->getName().starts_with("pop"))
    return false;
  const Stmt *Loop = loopAround(In.getBody(), Call);
  return !Loop || mayEndEarly(*Loop);
}

bool namesElement(const Stmt &Removal, const FunctionDecl &In) {
  const auto *Call = dyn_cast<CallExpr>(&Removal);
  if (Call && popsOne(*Call, In))
    return true;
  return Call && llvm::any_of(Call->arguments(), [](const Expr *Arg) {
           const CXXRecordDecl *Class = Arg->getType()->getAsCXXRecordDecl();
           return Class && Class->hasDefinition() && isIterator(Arg->getType());
         });
}

/// `all.emplace(key)`, `all.insert(value)`
static bool addsElement(const Expr &E) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(&E);
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  return Method && Method->getIdentifier() && Method->getParent()->isInStdNamespace() &&
         (Method->getName().contains("emplace") || Method->getName().starts_with("insert"));
}

bool removesNew(const Stmt &Removal) {
  return mentions(&Removal, [](const Expr &E) {
    const VarDecl *V = variableRead(E);
    return V && V->getInit() && mentions(V->getInit(), addsElement);
  });
}

} // namespace tensorleak
