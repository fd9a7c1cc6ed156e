//===-- ResourceBranches.cpp - What a condition says of an allocation ------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `if (cudaMalloc(&p, n) != cudaSuccess)`, `if (err)`, `if (!p)`: on the side
// where the call failed there is nothing to free.
//
//===----------------------------------------------------------------------===//
#include "checks/analysis/resources/ResourceGenerator.h"

using namespace clang;

namespace tensorleak {

/// `checked(cudaMalloc(&p, n), __FILE__, __LINE__)` returns the status that it was given.
std::optional<ResourceGenerator::Status>
ResourceGenerator::statusHandedOn(const CallExpr &Call) const {
  for (const Expr *Arg : Call.arguments())
    if (Context.hasSameUnqualifiedType(Arg->getType(), Call.getType()))
      if (auto Told = statusOf(Arg))
        return Told;
  return std::nullopt;
}

std::optional<ResourceGenerator::Status> ResourceGenerator::statusOf(const Expr *E) const {
  E = bare(E);
  if (!E)
    return std::nullopt;
  if (auto It = Statuses.find(E); It != Statuses.end())
    return It->second;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    if (const auto *V = dyn_cast<VarDecl>(Ref->getDecl()))
      if (auto It = StatusVariables.find(V); It != StatusVariables.end())
        return It->second;
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return statusHandedOn(*Call);
  const auto *Op = dyn_cast<BinaryOperator>(E);
  if (Op && Op->getOpcode() == BO_Assign)
    return statusOf(Op->getRHS());
  if (Op && Op->isEqualityOp()) { // bool ok = cudaMalloc(...) == cudaSuccess
    auto Told = statusOf(Op->getLHS());
    bool IsZero = constant(Op->getRHS()) == 0;
    if (!Told || !IsZero)
      return std::nullopt;
    if (Op->getOpcode() == BO_EQ)
      Told->FailsWhenTrue = !Told->FailsWhenTrue;
    return Told;
  }
  return std::nullopt;
}

/// Adds what \p E, a call's result or a variable, says when it is nonzero.
bool ResourceGenerator::addStatusTest(const Expr *E, Branch &B, bool TrueMeansNonzero) {
  auto Told = statusOf(E);
  if (!Told)
    return false;
  Refinement Failed;
  const auto *Ref = dyn_cast<DeclRefExpr>(bare(E));
  if (Ref)
    Failed.StatusFailed = cast<VarDecl>(Ref->getDecl());
  else
    Failed.Failed = Told->Sites;
  bool FailsOnTrue = Told->FailsWhenTrue == TrueMeansNonzero;
  (FailsOnTrue ? B.OnTrue : B.OnFalse).push_back(Failed);
  return true;
}

void ResourceGenerator::refineComparison(const BinaryOperator &Op, Branch &B, bool Negated) {
  bool Equal = (Op.getOpcode() == BO_EQ) != Negated;
  const Expr *Tested = Op.getLHS(), *Other = Op.getRHS();
  auto IsNull = [&](const Expr *E) {
    return E->isNullPointerConstant(Context, Expr::NPC_ValueDependentIsNotNull) ||
           constant(E).has_value();
  };
  if (IsNull(Tested))
    std::swap(Tested, Other);
  if (!IsNull(Other))
    return;
  bool IsZero = constant(Other).value_or(0) == 0;
  // Equal to one of the error codes: failed.
  bool TrueMeansNonzero = IsZero ? !Equal : Equal;
  if (!addStatusTest(Tested, B, TrueMeansNonzero) && IsZero)
    (Equal ? B.OnTrue : B.OnFalse).push_back({{}, nullptr, true, operand(Tested)});
}

void ResourceGenerator::refine(const Expr &Condition, Branch &B, bool Negated) {
  const Expr *E = bare(&Condition);
  if (const auto *Not = dyn_cast<UnaryOperator>(E); Not && Not->getOpcode() == UO_LNot)
    return refine(*Not->getSubExpr(), B, !Negated);
  if (const auto *Op = dyn_cast<BinaryOperator>(E); Op && Op->isEqualityOp())
    return refineComparison(*Op, B, Negated);
  if (addStatusTest(E, B, !Negated))
    return;
  if (Operand Value = operand(E); !Value.empty())
    (Negated ? B.OnTrue : B.OnFalse).push_back({{}, nullptr, true, std::move(Value)});
}

//===-- Conditions in a form we do not know --------------------------------===//

static bool leaves(const Stmt *S) {
  if (const auto *Body = dyn_cast_or_null<CompoundStmt>(S))
    return !Body->body_empty() && leaves(Body->body_back());
  if (const auto *E = dyn_cast_or_null<Expr>(S))
    return isa<CXXThrowExpr>(E->IgnoreImplicit());
  return isa_and_nonnull<ReturnStmt, GotoStmt, BreakStmt, ContinueStmt>(S);
}

static bool mentionsStatus(const Stmt *S,
                           llvm::function_ref<bool(const Expr *)> IsStatus) {
  if (const auto *E = dyn_cast_or_null<Expr>(S); E && IsStatus(E))
    return true;
  return S && llvm::any_of(S->children(),
                           [&](const Stmt *Child) { return mentionsStatus(Child, IsStatus); });
}

/// `if (!ok(cudaMalloc(...))) return`: the side that leaves is taken for the failure.
void ResourceGenerator::refineUnknownTest(const CFGBlock &Block, const Expr &Condition, Branch &B) {
  const auto *If = dyn_cast_or_null<IfStmt>(Block.getTerminatorStmt());
  if (!If || (!leaves(If->getThen()) && !leaves(If->getElse())))
    return;
  auto &Failing = leaves(If->getThen()) ? B.OnTrue : B.OnFalse;
  mentionsStatus(&Condition, [&](const Expr *E) {
    auto It = Statuses.find(E);
    const auto *Ref = dyn_cast<DeclRefExpr>(E);
    const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (It != Statuses.end())
      Failing.push_back({It->second.Sites, nullptr, true, {}});
    else if (V && StatusVariables.count(V))
      Failing.push_back({{}, V, true, {}});
    return false;
  });
}

void ResourceGenerator::visitBranch(const CFGBlock &Block) {
  const Expr *Condition = Block.getLastCondition();
  if (!Condition || isa_and_nonnull<SwitchStmt>(Block.getTerminatorStmt()))
    return;
  Branch B;
  refine(*Condition, B, /*Negated=*/false);
  if (B.OnTrue.empty() && B.OnFalse.empty())
    refineUnknownTest(Block, *Condition, B);
  if (!B.OnTrue.empty() || !B.OnFalse.empty())
    Out->Branches[Block.getBlockID()] = std::move(B);
}

} // namespace tensorleak
