//===-- Replies.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/conditions/values/Replies.h"

#include "checks/resources/conditions/Values.h"
#include "checks/source/Expressions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include <map>

using namespace clang;

namespace tensorleak {

namespace {

/// What is known of the helpers that were asked, by argument and whether that is zero; nothing yet
/// of one that is being asked.
using KnownReplies = std::map<std::pair<const ParmVarDecl *, bool>, Reply>;

/// Runs a body for an argument that is zero, or one that is not.
class Run {
public:
  Run(const ParmVarDecl &Argument, const Stmt &Body, bool IsZero, KnownReplies &Known)
      : Body(Body), Context(Argument.getASTContext()), Argument(Argument), IsZero(IsZero),
        Known(Known) {}

  Reply replies() const;

private:
  /// Nothing where control goes on behind \p S.
  std::optional<Reply> run(const Stmt &S) const;
  std::optional<Reply> runIf(const IfStmt &If) const;
  Reply value(const Expr &E) const;
  Reply valueOfBinary(const BinaryOperator &Op) const;
  Reply valueOfCall(const CallExpr &Call) const;
  std::optional<bool> truth(const Expr &E) const;

  const Stmt &Body;
  ASTContext &Context;
  const ParmVarDecl &Argument;
  bool IsZero;
  KnownReplies &Known;
};

} // namespace

static Reply constant(int64_t Value) { return {Reply::Constant, Value}; }

/// A function that is larger than this does more than to say how something went.
static bool isSmall(const Stmt &Body) {
  unsigned Nodes = 0;
  return !anyBelow(&Body, [&](const Stmt &) { return ++Nodes > 128; });
}

Reply Run::replies() const {
  auto [It, New] = Known.try_emplace({&Argument, IsZero});
  if (New && isSmall(Body))
    It->second = run(Body).value_or(Reply{});
  return It->second;
}

/// Control may leave the function, or go elsewhere in it, from within.
static bool isLeft(const Stmt &S) {
  return anyBelow(&S, [](const Stmt &Below) {
    return isa<ReturnStmt, CXXThrowExpr, GotoStmt, BreakStmt, ContinueStmt, LabelStmt>(Below);
  });
}

static bool endsTheProgram(const Stmt &S) {
  const auto *Call = dyn_cast<CallExpr>(&S);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && Callee->isNoReturn();
}

std::optional<Reply> Run::run(const Stmt &S) const {
  if (const auto *Block = dyn_cast<CompoundStmt>(&S)) {
    for (const Stmt *Each : Block->body())
      if (auto Out = run(*Each))
        return Out;
    return std::nullopt;
  }
  if (const auto *Wrapped = dyn_cast<ExprWithCleanups>(&S))
    return run(*Wrapped->getSubExpr());
  if (const auto *Once = dyn_cast<DoStmt>(&S); Once && !isLoop(S))
    return run(*Once->getBody());
  if (const auto *If = dyn_cast<IfStmt>(&S))
    return runIf(*If);
  if (const auto *Return = dyn_cast<ReturnStmt>(&S))
    return Return->getRetValue() ? value(*Return->getRetValue()) : Reply{};
  if (isa<CXXThrowExpr>(S) || endsTheProgram(S))
    return Reply{Reply::Nothing, 0};
  return isLeft(S) ? std::optional(Reply{}) : std::nullopt;
}

std::optional<Reply> Run::runIf(const IfStmt &If) const {
  const std::optional<bool> Holds = truth(*If.getCond());
  if (Holds) {
    const Stmt *Taken = *Holds ? If.getThen() : If.getElse();
    return Taken ? run(*Taken) : std::nullopt;
  }
  auto Then = run(*If.getThen());
  auto Else = If.getElse() ? run(*If.getElse()) : std::nullopt;
  if (Then && Then->Is == Reply::Nothing)
    return Else;
  if (Else && Else->Is == Reply::Nothing)
    return Then;
  const bool IsSame = Then.has_value() == Else.has_value() && (!Then || *Then == *Else);
  return IsSame ? Then : std::optional(Reply{});
}

Reply Run::value(const Expr &Whole) const {
  const Expr *E = bare(&Whole);
  if (auto C = constantOf(*E, Context))
    return constant(*C);
  if (unchangedVariable(*E, Body) == &Argument)
    return IsZero ? constant(0) : Reply{Reply::TheArgument, 0};
  if (const VarDecl *V = constantName(*E, Body))
    return value(*V->getInit());
  if (const auto *Op = dyn_cast<BinaryOperator>(E))
    return valueOfBinary(*Op);
  if (const auto *Not = dyn_cast<UnaryOperator>(E); Not && Not->getOpcode() == UO_LNot) {
    auto Holds = truth(*Not->getSubExpr());
    return Holds ? constant(!*Holds) : Reply{};
  }
  if (const auto *Either = dyn_cast<ConditionalOperator>(E)) {
    auto Holds = truth(*Either->getCond());
    return Holds ? value(*Holds ? *Either->getTrueExpr() : *Either->getFalseExpr()) : Reply{};
  }
  const auto *Call = dyn_cast<CallExpr>(E);
  return Call ? valueOfCall(*Call) : Reply{};
}

/// `return report(e, what);`
Reply Run::valueOfCall(const CallExpr &Call) const {
  Reply Out;
  forEachGiven(Call, [&](const ParmVarDecl &Given, const Expr &Value, const Stmt &Callee) {
    const Reply R = Out.isKnown() ? Reply{} : value(Value);
    const bool IsZero = R == constant(0);
    if (IsZero || R.Is == Reply::TheArgument)
      Out = Run(Given, Callee, IsZero, Known).replies();
  });
  return Out;
}

/// `e == cudaSuccess`, `0 != e`, `e && isQuiet`.
Reply Run::valueOfBinary(const BinaryOperator &Op) const {
  if (Op.isLogicalOp()) {
    const bool Decides = Op.getOpcode() == BO_LOr;
    auto Left = truth(*Op.getLHS()), Right = truth(*Op.getRHS());
    if (Left == Decides || Right == Decides)
      return constant(Decides);
    return Left && Right ? constant(!Decides) : Reply{};
  }
  if (!Op.isEqualityOp())
    return {};
  const Reply A = value(*Op.getLHS()), B = value(*Op.getRHS());
  const bool WhereSame = Op.getOpcode() == BO_EQ;
  if (A.Is == Reply::Constant && B.Is == Reply::Constant)
    return constant((A.Value == B.Value) == WhereSame);
  const bool IsOtherThanZero = (A.Is == Reply::TheArgument && B == constant(0)) ||
                               (B.Is == Reply::TheArgument && A == constant(0));
  return IsOtherThanZero ? constant(!WhereSame) : Reply{};
}

std::optional<bool> Run::truth(const Expr &E) const {
  const Reply R = value(E);
  if (R.Is == Reply::TheArgument)
    return true; // it is not zero
  return R.Is == Reply::Constant ? std::optional(R.Value != 0) : std::nullopt;
}

void forEachGiven(const CallExpr &Call, GivenVisitor Visit) {
  const FunctionDecl *F = Call.getDirectCallee(), *Defined = nullptr;
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(F);
  if (!F || (Method && Method->isVirtual()) || !F->hasBody(Defined) ||
      Defined->isDependentContext())
    return;
  const unsigned Objects = isa<CXXOperatorCallExpr>(Call) && Method ? 1 : 0;
  for (unsigned I = 0; I < F->getNumParams() && I + Objects < Call.getNumArgs(); ++I)
    Visit(*Defined->getParamDecl(I), *Call.getArg(I + Objects), *Defined->getBody());
}

Replies repliesTo(const ParmVarDecl &Argument, const Stmt &Body) {
  KnownReplies Known;
  const Reply OnZero = Run(Argument, Body, true, Known).replies();
  return {OnZero, Run(Argument, Body, false, Known).replies()};
}

} // namespace tensorleak
