//===-- RareResets.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/missing-zero-grad/RareResets.h"

#include "checks/source/Expressions.h"
#include "checks/source/Functions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace tensorleak {

static std::optional<int64_t> constantIn(const ASTContext &Context, const Expr *E) {
  Expr::EvalResult R;
  if (E->isValueDependent() || !E->EvaluateAsInt(R, Context))
    return std::nullopt;
  return R.Val.getInt().tryExtValue();
}

/// What counts the rounds of \p Loop: `for (int i = 0; ..; ++i)`, where the body only reads it.
static const VarDecl *counterOf(const ForStmt &Loop) {
  const auto *Begin = dyn_cast_or_null<DeclStmt>(Loop.getInit());
  const auto *Counter =
      Begin && Begin->isSingleDecl() ? dyn_cast<VarDecl>(Begin->getSingleDecl()) : nullptr;
  return Counter && Counter->getType()->isIntegerType() && Loop.getInc() ? Counter : nullptr;
}

/// Calls \p Visit with both sides where \p Condition says that they are equal.
static void forEqualSides(const Expr &Condition, bool Answer,
                          llvm::function_ref<void(const Expr &, const Expr &)> Visit) {
  const auto *Op = dyn_cast<BinaryOperator>(Condition.IgnoreParenImpCasts());
  if (!Op || Op->getOpcode() != (Answer ? BO_EQ : BO_NE))
    return;
  Visit(*Op->getLHS(), *Op->getRHS());
  Visit(*Op->getRHS(), *Op->getLHS());
}

/// `i == 0`
static bool choosesOneRound(const Expr &Condition, bool Answer, const VarDecl &Counter,
                            const Stmt &Body, const ASTContext &Context) {
  bool Chooses = false;
  forEqualSides(Condition, Answer, [&](const Expr &A, const Expr &B) {
    Chooses |= unchangedVariable(*A.IgnoreParenImpCasts(), Body) == &Counter &&
               constantIn(Context, &B).has_value();
  });
  return Chooses;
}

/// `i % 4 == 4`, `if (false)`
static bool neverHolds(const Expr &Condition, bool Answer, const ASTContext &Context) {
  if (const auto Known = constantIn(Context, &Condition))
    return (*Known != 0) != Answer;
  bool Never = false;
  forEqualSides(Condition, Answer, [&](const Expr &A, const Expr &B) {
    const auto *Rest = dyn_cast<BinaryOperator>(A.IgnoreParenImpCasts());
    const auto By =
        Rest && Rest->getOpcode() == BO_Rem ? constantIn(Context, Rest->getRHS()) : std::nullopt;
    const auto Number = constantIn(Context, &B);
    Never |= By && Number && *By > 0 && *Number >= *By;
  });
  return Never;
}

/// Whether it depends on \p Counter that \p Part of \p Body runs.
static bool dependsOn(const VarDecl &Counter, const Stmt &Part, const Stmt &Body) {
  bool Depends = false;
  forEachConditionAhead(Part, &Body, [&](const Expr &Condition, bool) {
    Depends |= anyBelow(&Condition, [&](const Stmt &S) {
      const auto *Ref = dyn_cast<DeclRefExpr>(&S);
      return Ref && Ref->getDecl() == &Counter;
    });
  });
  return Depends;
}

ResetTime timeOfReset(const FunctionFacts &Facts, const Event &Reset, const Event &Step,
                      LoopId Loop) {
  const auto *For = dyn_cast<ForStmt>(Facts.Loops[Loop].S);
  if (!For || Reset.InLoop != Loop || Reset.In != NoId || Step.In != NoId || !Reset.At || !Step.At)
    return ResetTime::AnyRound;
  const Stmt &Body = *For->getBody();
  const ASTContext &Context = Facts.Function->getASTContext();
  const VarDecl *Counter = counterOf(*For);
  const bool IsStepInEach = Counter && !dependsOn(*Counter, *Step.At, Body);
  ResetTime Out = ResetTime::AnyRound;
  forEachConditionAhead(*Reset.At, &Body, [&](const Expr &Condition, bool Answer) {
    if (neverHolds(Condition, Answer, Context))
      Out = ResetTime::NoRound;
    else if (Out == ResetTime::AnyRound && IsStepInEach &&
             choosesOneRound(Condition, Answer, *Counter, Body, Context))
      Out = ResetTime::OneRound;
  });
  return Out;
}

} // namespace tensorleak
