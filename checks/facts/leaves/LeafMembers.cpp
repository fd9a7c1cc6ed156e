//===-- LeafMembers.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/facts/leaves/LeafMembers.h"

#include "checks/source/Expressions.h"
#include "checks/source/Statements.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

static std::optional<Effect> effectOf(const Stmt &S, ApiModel &Model) {
  const auto *Call = dyn_cast<CallExpr>(&S);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee ? Model.effectOf(*Callee) : std::nullopt;
}

/// Not told by its last argument to leave it.
static bool wantsGrad(const CallExpr &Call) {
  unsigned Last = Call.getNumArgs();
  const Expr *Arg = Last ? strip(Call.getArg(Last - 1)) : nullptr;
  const auto *Literal = dyn_cast_or_null<CXXBoolLiteralExpr>(Arg);
  return !Literal || Literal->getValue();
}

/// The outermost call that speaks of it decides.
bool asksForGrad(const Stmt &S, ApiModel &Model) {
  if (auto E = effectOf(S, Model); E && (E->What == Does::RequireGrad || E->has(GivesLeaf)))
    return wantsGrad(cast<CallExpr>(S));
  return llvm::any_of(S.children(), [&](const Stmt *C) { return C && asksForGrad(*C, Model); });
}

/// \p E names \p Member of this object, or of any.
static bool names(const Expr *E, const FieldDecl &Member) {
  const auto *M = dyn_cast_or_null<MemberExpr>(strip(E));
  return M && M->getMemberDecl() == &Member;
}

/// What \p S assigns to \p Member; null where it does something else.
static const Expr *assignedTo(const FieldDecl &Member, const Stmt &S) {
  const auto *Op = dyn_cast<CXXOperatorCallExpr>(&S);
  bool Assigns = Op && Op->getOperator() == OO_Equal && names(Op->getArg(0), Member);
  return Assigns ? Op->getArg(1) : nullptr;
}

bool LeafMembers::isMadeLeafBy(const CXXConstructorDecl &Made, const FieldDecl &Member) {
  for (const CXXCtorInitializer *Init : Made.inits())
    if (Init->getAnyMember() == &Member && Init->isWritten())
      return asksForGrad(*Init->getInit(), Model);
  const Expr *Default = Member.getInClassInitializer();
  return (Default && asksForGrad(*Default, Model)) || anyBelow(Made.getBody(), [&](const Stmt &S) {
           const Expr *Value = assignedTo(Member, S);
           return Value && asksForGrad(*Value, Model);
         });
}

/// By each constructor that somebody wrote.
bool LeafMembers::beginsAsLeaf(const FieldDecl &Member) {
  const auto *Class = dyn_cast<CXXRecordDecl>(Member.getParent());
  if (!Class)
    return false;
  bool IsWritten = false;
  for (const CXXConstructorDecl *Made : Class->ctors()) {
    const FunctionDecl *Body = nullptr;
    if (Made->isImplicit() || Made->isDefaulted() || Made->isDeleted())
      continue;
    IsWritten = true;
    if (!Made->hasBody(Body) || !isMadeLeafBy(*cast<CXXConstructorDecl>(Body), Member))
      return false;
  }
  const Expr *Default = Member.getInClassInitializer();
  return IsWritten || (Default && asksForGrad(*Default, Model));
}

/// \p S cuts a graph: `x.detach()`, `x.data()`.
static bool cutsGraph(const Stmt &S, ApiModel &Model) {
  auto E = effectOf(S, Model);
  return E && (E->What == Does::Detach || E->What == Does::DetachSelf);
}

/// `table = table - rate * grad`: a leaf at first, and then what has a graph.
static bool goesOnFrom(const FieldDecl &Member, const Expr &Value, ApiModel &Model) {
  return anyBelow(&Value,
                  [&](const Stmt &S) {
                    const auto *E = dyn_cast<Expr>(&S);
                    return E && names(E, Member);
                  }) &&
         !anyBelow(&Value, [&](const Stmt &S) { return cutsGraph(S, Model); });
}

/// What is computed somewhere in \p F may have no graph.
static bool switchesGradOff(const FunctionDecl &F, ApiModel &Model) {
  return anyIn(F, [&](const Stmt &S) {
    const auto *Made = dyn_cast<CXXConstructExpr>(&S);
    return Made && Model.guardOf(Made->getType()) != Guard::None;
  });
}

/// Some function puts a tensor there that needs no gradient.
bool LeafMembers::isChanged(const FieldDecl &Member) {
  return llvm::any_of(Functions, [&](const FunctionDecl *F) {
    return anyIn(*F, [&](const Stmt &S) {
      const Expr *Value = assignedTo(Member, S);
      return Value && !asksForGrad(*Value, Model) &&
             (!goesOnFrom(Member, *Value, Model) || switchesGradOff(*F, Model));
    });
  });
}

/// Something in the file is told to need no gradient: it may be any parameter.
bool LeafMembers::freezesSomething() {
  auto IsFreeze = [this](const Stmt &S) {
    auto E = effectOf(S, Model);
    return E && E->What == Does::RequireGrad && !wantsGrad(cast<CallExpr>(S));
  };
  if (!Freezes)
    Freezes = llvm::any_of(Functions, [&](const FunctionDecl *F) { return anyIn(*F, IsFreeze); });
  return *Freezes;
}

bool LeafMembers::compute(const FieldDecl &Member) {
  if (!Model.isTensor(Member.getType()))
    return false;
  const bool OfLayer = Model.kindOf(Member) == FieldKind::Parameter;
  return (OfLayer || beginsAsLeaf(Member)) && !freezesSomething() && !isChanged(Member);
}

bool LeafMembers::isLeaf(const FieldDecl &Member) {
  auto [It, IsNew] = Known.try_emplace(&Member, false);
  if (!IsNew)
    return It->second;
  const bool Answer = compute(Member);
  return Known[&Member] = Answer;
}

} // namespace tensorleak
