//===-- OncePerLoop.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/analysis/resources/OncePerLoop.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ParentMap.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace tensorleak {
namespace {

bool isLoop(const Stmt *S) { return isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S); }

/// The loop around \p At, if there is just one, and the `if`s between whose `then` it is in.
struct Round {
  const Stmt *Loop = nullptr;
  llvm::SmallVector<const IfStmt *, 2> Guards;

  Round(const Stmt *At, const ParentMap &Parents) {
    const Stmt *Child = At;
    for (const Stmt *P = Parents.getParent(At); P; Child = P, P = Parents.getParent(P)) {
      const auto *If = dyn_cast<IfStmt>(P);
      if (If && !Loop && Child == If->getThen())
        Guards.push_back(If);
      if (isLoop(P) && Loop)
        Guards.clear(); // the outer loop comes here once more
      if (isLoop(P) && !Loop)
        Loop = P;
    }
  }
};

/// What one variable goes through in the rounds of a loop.
class Uses {
public:
  Uses(const VarDecl &V, const Stmt &Loop, const ParentMap &Parents) : V(V), Parents(Parents) {
    const auto *For = dyn_cast<ForStmt>(&Loop);
    for (const Stmt *Part : Loop.children())
      if (Part && !(For && Part == For->getInit()))
        visit(*Part);
  }

  bool OnlyCounts = true;
  bool OnlyAssigned = true;
  bool DeclaredInside = false;
  llvm::SmallVector<const Stmt *, 2> Assignments;

private:
  void visit(const Stmt &S) {
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&S); Ref && Ref->getDecl() == &V)
      mention(*Ref);
    const auto *Declares = dyn_cast<DeclStmt>(&S);
    DeclaredInside |= Declares && llvm::is_contained(Declares->decls(), &V);
    for (const Stmt *Child : S.children())
      if (Child)
        visit(*Child);
  }

  void mention(const DeclRefExpr &Ref) {
    const Stmt *Outer = Parents.getParentIgnoreParens(const_cast<DeclRefExpr *>(&Ref));
    const auto *Cast = dyn_cast_or_null<ImplicitCastExpr>(Outer);
    if (Cast && Cast->getCastKind() == CK_LValueToRValue)
      return;
    const auto *Step = dyn_cast_or_null<UnaryOperator>(Outer);
    if (Step && Step->isIncrementOp()) {
      OnlyAssigned = false;
      return;
    }
    OnlyCounts = false;
    const auto *Set = dyn_cast_or_null<BinaryOperator>(Outer);
    if (Set && Set->getOpcode() == BO_Assign && Set->getLHS()->IgnoreParens() == &Ref)
      Assignments.push_back(Set);
    else
      OnlyAssigned = false;
  }

  const VarDecl &V;
  const ParentMap &Parents;
};

const VarDecl *localIn(const Expr *E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return V && (V->isLocalVarDecl() || isa<ParmVarDecl>(V)) ? V : nullptr;
}

/// The variable of `v`, `!v`, `v == 0`, and whether the test is for one value.
std::pair<const VarDecl *, bool> testedBy(const Expr *E, const ASTContext &Context) {
  E = E->IgnoreParenImpCasts();
  if (const auto *Not = dyn_cast<UnaryOperator>(E); Not && Not->getOpcode() == UO_LNot)
    return {localIn(Not->getSubExpr()), true};
  const auto *Equal = dyn_cast<BinaryOperator>(E);
  if (!Equal)
    return {localIn(E), false};
  bool IsTest = Equal->getOpcode() == BO_EQ && Equal->getRHS()->isEvaluatable(Context);
  return {IsTest ? localIn(Equal->getLHS()) : nullptr, true};
}

/// `first` is set to something else by the very branch that it guards.
bool isFlag(const Uses &Of, const IfStmt &If) {
  const auto *Then = dyn_cast<CompoundStmt>(If.getThen());
  return Of.OnlyAssigned && !Of.Assignments.empty() && Then &&
         llvm::all_of(Of.Assignments,
                      [&](const Stmt *Set) { return llvm::is_contained(Then->body(), Set); });
}

bool holdsOnce(const Expr *Condition, const IfStmt &If, const Stmt &Loop,
               const ParentMap &Parents, const ASTContext &Context) {
  const auto *Both = dyn_cast<BinaryOperator>(Condition->IgnoreParenImpCasts());
  if (Both && Both->getOpcode() == BO_LAnd)
    return holdsOnce(Both->getLHS(), If, Loop, Parents, Context) ||
           holdsOnce(Both->getRHS(), If, Loop, Parents, Context);
  auto [V, ForOneValue] = testedBy(Condition, Context);
  if (!V)
    return false;
  Uses Of(*V, Loop, Parents);
  bool IsCounter = ForOneValue && Of.OnlyCounts && !Of.OnlyAssigned;
  return !Of.DeclaredInside && (IsCounter || isFlag(Of, If));
}

} // namespace

bool runsOncePerLoop(const Stmt *At, const FunctionDecl &F) {
  ParentMap Parents(F.getBody());
  Round In(At, Parents);
  return llvm::any_of(In.Guards, [&](const IfStmt *If) {
    return holdsOnce(If->getCond(), *If, *In.Loop, Parents, F.getASTContext());
  });
}

} // namespace tensorleak
