//===-- AskedResults.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/calls/AskedResults.h"

#include "checks/resources/facts/loops/CountedLoops.h"
#include "checks/source/Expressions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"

using namespace clang;

namespace tensorleak {

/// What \p S does next depends on it; null for none.
static const Expr *askedBy(const Stmt &S) {
  if (const Expr *OfLoop = conditionOf(S))
    return OfLoop;
  if (const auto *If = dyn_cast<IfStmt>(&S))
    return If->getCond();
  if (const auto *Do = dyn_cast<DoStmt>(&S))
    return Do->getCond();
  if (const auto *Switch = dyn_cast<SwitchStmt>(&S))
    return Switch->getCond();
  if (const auto *Return = dyn_cast<ReturnStmt>(&S))
    return Return->getRetValue();
  if (const auto *Either = dyn_cast<AbstractConditionalOperator>(&S))
    return Either->getCond();
  const auto *Both = dyn_cast<BinaryOperator>(&S);
  return Both && Both->isLogicalOp() ? Both->getLHS() : nullptr;
}

const Expr *pairAskedBy(const Stmt &S) {
  const auto *Part = dyn_cast<MemberExpr>(&S);
  const auto *Pair =
      Part ? dyn_cast<CXXRecordDecl>(Part->getMemberDecl()->getDeclContext()) : nullptr;
  const bool IsAnswer = Pair && Pair->isInStdNamespace() && Part->getType()->isBooleanType();
  return IsAnswer ? bare(Part->getBase()) : nullptr;
}

void AskedResults::addAsked(const Expr &Condition) {
  anyBelow(&Condition, [&](const Stmt &S) {
    const Expr *Pair = pairAskedBy(S);
    const Expr *Asked = Pair ? Pair : dyn_cast<Expr>(&S);
    if (!Asked || (!Pair && Asked->getType()->isRecordType()))
      return false;
    if (const auto *Call = dyn_cast<CallExpr>(Asked))
      Calls.insert(Call);
    if (const auto *Ref = dyn_cast<DeclRefExpr>(Asked))
      Variables.insert(Ref->getDecl());
    return false;
  });
}

void AskedResults::addKept(const ValueDecl &Variable, const Expr *Value) {
  const auto *Parts = dyn_cast<DecompositionDecl>(&Variable);
  const bool IsAsked =
      Variables.count(&Variable) ||
      (Parts && llvm::any_of(Parts->bindings(), [&](const BindingDecl *B) {
         return Variables.count(B) > 0 && !B->getType().isNull() && B->getType()->isBooleanType();
       }));
  if (Value && IsAsked)
    anyBelow(Value, [&](const Stmt &S) {
      if (const auto *Call = dyn_cast<CallExpr>(&S))
        Calls.insert(Call);
      return false;
    });
}

AskedResults::AskedResults(const Stmt &Body) {
  anyBelow(&Body, [&](const Stmt &S) {
    if (const Expr *Condition = askedBy(S))
      addAsked(*Condition);
    return false;
  });
  anyBelow(&Body, [&](const Stmt &S) {
    if (const auto *D = dyn_cast<DeclStmt>(&S))
      for (const Decl *Each : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(Each))
          addKept(*V, V->getInit());
    const auto *Set = dyn_cast<BinaryOperator>(&S);
    const ValueDecl *To =
        Set && Set->isAssignmentOp() ? variableOrMember(bare(Set->getLHS())) : nullptr;
    if (To)
      addKept(*To, Set->getRHS());
    return false;
  });
}

} // namespace tensorleak
