//===-- Totals.cpp - Totals of numbers become totals of tensors ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/metamorphic/rewriter/Rewritings.h"

using namespace clang;

namespace tensorleak::rewriter {
namespace {

const CXXMemberCallExpr *itemIn(const Unit &U, const Expr *E) {
  const auto Calls = U.all<CXXMemberCallExpr>(E);
  for (const CXXMemberCallExpr *Call : Calls)
    if (const CXXMethodDecl *Method = Call->getMethodDecl();
        Method && Method->getIdentifier() && Method->getName() == "item" &&
        isTensor(Call->getImplicitObjectArgument()->getType()))
      return Call;
  return nullptr;
}

/// Only what a tensor can stand in: `x.item<float>() * n`.
bool isArithmetic(const Expr *E, const Expr *Item) {
  E = E->IgnoreParenImpCasts();
  if (E == Item)
    return true;
  const auto *Binary = dyn_cast<BinaryOperator>(E);
  return Binary && Binary->isMultiplicativeOp() &&
         (isArithmetic(Binary->getLHS(), Item) || isArithmetic(Binary->getRHS(), Item));
}

/// What `total += x.item()` adds to; the edit that leaves out item() goes to \p S.
const VarDecl *addsItem(const Unit &U, const CompoundAssignOperator &Add, Site &S) {
  const auto *Ref = dyn_cast<DeclRefExpr>(Add.getLHS()->IgnoreParens());
  const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  const CXXMemberCallExpr *Item = V && V->isLocalVarDecl() && Add.getOpcode() == BO_AddAssign
                                      ? itemIn(U, Add.getRHS())
                                      : nullptr;
  if (!Item || !isArithmetic(Add.getRHS(), Item))
    return nullptr;
  auto Whole = U.span(Item->getSourceRange());
  auto Kept = U.span(Item->getImplicitObjectArgument()->getSourceRange());
  if (!Whole || !Kept)
    return nullptr;
  S.Line = U.line(Whole->Begin);
  S.Edits.push_back({Kept->End, Whole->End - Kept->End, ""});
  return V;
}

bool redeclare(const Unit &U, const FunctionDecl &F, const VarDecl &V, Site &S) {
  for (const auto *Declared : U.all<DeclStmt>(F.getBody()))
    if (Declared->isSingleDecl() && Declared->getSingleDecl() == &V)
      if (auto Where = U.span(Declared->getSourceRange())) {
        const std::string Text = "at::Tensor " + V.getNameAsString() + " = torch::zeros({1});";
        S.Edits.push_back({Where->Begin, Where->End - Where->Begin, Text});
        return true;
      }
  return false;
}

/// The uses of the total as a number ask the tensor for it.
bool readAsNumber(const Unit &U, const FunctionDecl &F, const VarDecl &V, Site &S) {
  const Uses All = usesIn(U, F.getBody());
  for (const DeclRefExpr *Ref : All.at(&V)) {
    const auto *Parent = dyn_cast_or_null<BinaryOperator>(U.parent(Ref));
    if (Parent && isa<CompoundAssignOperator>(Parent) && Parent->getLHS() == Ref)
      continue;
    auto Where = U.spelled(Ref->getSourceRange());
    if (!Where || (Parent && Parent->isAssignmentOp()) || isa<UnaryOperator>(U.parent(Ref)))
      return false;
    S.Edits.push_back({Where->End, 0, ".item<double>()"});
  }
  return true;
}

} // namespace

void seedItem(const Unit &U, Sites &Out) {
  for (const FunctionDecl *F : U.functions())
    for (const auto *Add : U.all<CompoundAssignOperator>(F->getBody())) {
      Site S;
      const VarDecl *V = addsItem(U, *Add, S);
      if (V && redeclare(U, *F, *V, S) && readAsNumber(U, *F, *V, S))
        Out.push_back(std::move(S));
    }
}

} // namespace tensorleak::rewriter
