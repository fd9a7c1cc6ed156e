//===-- MemberMoves.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/source/members/MemberMoves.h"

#include "checks/source/Expressions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

static bool names(const Expr *E, const ValueDecl &D) {
  const Expr *Named = strip(E);
  return isa<MemberExpr, DeclRefExpr>(Named) && variableOrMember(Named) == &D;
}

static bool isLiteral(const Expr *E, bool Value) {
  const auto *Literal = dyn_cast<CXXBoolLiteralExpr>(strip(E));
  return Literal && Literal->getValue() == Value;
}

/// What is added takes nothing away.
static bool isNoLess(const Expr *Added) {
  return isa<IntegerLiteral>(strip(Added)) || strip(Added)->getType()->isUnsignedIntegerType();
}

static bool goesOn(const BinaryOperator &Assign, Goes Way) {
  const Expr *New = Assign.getRHS();
  if (Assign.getOpcode() == BO_AddAssign)
    return Way == Goes::FromZero || (Way == Goes::Up && isNoLess(New));
  const bool IsFlag = Way == Goes::ToTrue || Way == Goes::ToFalse;
  return Assign.getOpcode() == BO_Assign && IsFlag && isLiteral(New, Way == Goes::ToTrue);
}

/// Whether \p E lets the member go on, or come back; nothing where it does not write it.
static std::optional<bool> writesSo(const Expr &E, const ValueDecl &D, Goes Way) {
  if (const auto *Unary = dyn_cast<UnaryOperator>(&E)) {
    bool Writes = Unary->isIncrementDecrementOp() || Unary->getOpcode() == UO_AddrOf;
    if (!Writes || !names(Unary->getSubExpr(), D))
      return std::nullopt;
    return (Way == Goes::Up || Way == Goes::FromZero) && Unary->isIncrementOp();
  }
  const auto *Assign = dyn_cast<BinaryOperator>(&E);
  if (!Assign || !Assign->isAssignmentOp() || !names(Assign->getLHS(), D))
    return std::nullopt;
  return goesOn(*Assign, Way);
}

static bool writes(const Stmt &Body, const ValueDecl &D, Goes Way, bool So) {
  return mentions(&Body, [&](const Expr &E) { return writesSo(E, D, Way) == std::optional(So); });
}

bool moves(const Stmt &Body, const ValueDecl &D, Goes Way) { return writes(Body, D, Way, true); }

static bool isOwn(const Expr *E) {
  const auto *Member = dyn_cast<MemberExpr>(strip(E));
  return Member && isa<CXXThisExpr>(strip(Member->getBase()));
}

bool takesOver(const Stmt &Body, const FieldDecl &Field) {
  auto IsOfAnother = [&](const Expr &E) { return names(&E, Field) && !isOwn(&E); };
  return mentions(&Body, [&](const Expr &E) {
    const auto *Assign = dyn_cast<BinaryOperator>(&E);
    return Assign && Assign->getOpcode() == BO_Assign && names(Assign->getLHS(), Field) &&
           isOwn(Assign->getLHS()) && mentions(Assign->getRHS(), IsOfAnother);
  });
}

bool onlyReadsOrMoves(const Stmt &Body, const ValueDecl &D, std::optional<Goes> Way) {
  int Others = 0;
  anyBelow(&Body, [&](const Stmt &S) {
    const auto *E = dyn_cast<Expr>(&S);
    const auto *Cast = dyn_cast<ImplicitCastExpr>(&S);
    const bool IsRead =
        Cast && Cast->getCastKind() == CK_LValueToRValue && names(Cast->getSubExpr(), D);
    Others += E && isa<MemberExpr, DeclRefExpr>(E) && variableOrMember(E) == &D;
    Others -= E && (IsRead || (Way && writesSo(*E, D, *Way) == true));
    return false;
  });
  return Others == 0;
}

bool mayComeBack(const FieldDecl &Field, Goes Way) {
  const auto *Class = dyn_cast<CXXRecordDecl>(Field.getParent());
  return !Class || llvm::any_of(Class->decls(), [&](const Decl *D) {
    const auto *Template = dyn_cast<FunctionTemplateDecl>(D);
    const auto *M = dyn_cast<CXXMethodDecl>(Template ? Template->getTemplatedDecl() : D);
    const FunctionDecl *Body = nullptr;
    if (!M || M->isImplicit() || M->isDefaulted() || M->isDeleted() || isa<CXXConstructorDecl>(M))
      return false;
    return !M->hasBody(Body) || writes(*Body->getBody(), Field, Way, false);
  });
}

} // namespace tensorleak
