//===-- CountMembers.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/loops/CountMembers.h"

#include "checks/resources/facts/ResourceGenerator.h"
#include "checks/source/Statements.h"
#include "checks/source/UserCode.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace tensorleak {

static const FieldDecl *numberNamed(const Stmt *S) {
  const auto *E = dyn_cast_or_null<Expr>(S);
  const auto *Named = E ? dyn_cast<MemberExpr>(E->IgnoreParens()) : nullptr;
  const auto *Field = Named ? dyn_cast<FieldDecl>(Named->getMemberDecl()) : nullptr;
  return Field && Field->getType()->isIntegerType() ? Field : nullptr;
}

void CountMembers::read(const Stmt &S) const {
  if (isa<MemberExpr>(S))
    if (const FieldDecl *Named = numberNamed(&S))
      ++Of[Named].Named;
  const auto *Cast = dyn_cast<ImplicitCastExpr>(&S);
  if (Cast && Cast->getCastKind() == CK_LValueToRValue)
    if (const FieldDecl *Read = numberNamed(Cast->getSubExpr()))
      ++Of[Read].Read;
  const auto *Set = dyn_cast<BinaryOperator>(&S);
  if (const FieldDecl *Given =
          Set && Set->getOpcode() == BO_Assign ? numberNamed(Set->getLHS()) : nullptr) {
    const bool IsZero = constantIn(Given->getASTContext(), Set->getRHS()) == 0;
    ++(IsZero ? Of[Given].Zeroed : Of[Given].Given);
  }
}

void CountMembers::read() const {
  IsRead = true;
  for (const FunctionDecl *F : All) {
    anyIn(*F, [&](const Stmt &S) { return read(S), false; });
    if (const auto *Made = dyn_cast<CXXConstructorDecl>(F))
      for (const CXXCtorInitializer *Init : Made->inits())
        if (const FieldDecl *Begun = Init->isWritten() ? Init->getMember() : nullptr;
            Begun && constantIn(Begun->getASTContext(), Init->getInit()) != 0)
          Of[Begun].IsBegun = true;
  }
}

/// What names it otherwise may change it: `++count`, `&count`. A header's is that of other files,
/// too.
bool CountMembers::isGivenOnce(const FieldDecl &Member) const {
  if (!isInMainFile(*Member.getParent()))
    return false;
  if (!IsRead)
    read();
  const Uses Here = Of.lookup(&Member);
  return Here.Named == Here.Read + Here.Given + Here.Zeroed && Here.Given + Here.IsBegun <= 1;
}

} // namespace tensorleak
