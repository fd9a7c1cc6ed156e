//===-- OwnershipReads.cpp - What an expression says of objects -------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/questions/ownership/OwnershipReads.h"

#include "checks/model/ClassNames.h"
#include "checks/source/Expressions.h"
#include "checks/source/Statements.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace tensorleak {

QualType classAround(const MemberExpr &M) {
  QualType Base = M.getBase()->getType();
  return M.isArrow() && Base->isPointerType() ? Base->getPointeeType() : Base;
}

bool isPointerToObject(QualType T) {
  if (T.isNull())
    return false;
  T = T.getNonReferenceType();
  return T->isPointerType() || isOwningPointer(T) || T->isRecordType();
}

bool isNull(const Expr *Value) {
  if (!Value)
    return true;
  Value = strip(Value);
  const auto *Made = dyn_cast_or_null<CXXConstructExpr>(Value);
  const auto *List = dyn_cast_or_null<InitListExpr>(Value);
  return isa_and_nonnull<CXXNullPtrLiteralExpr>(Value) || (List && !List->getNumInits()) ||
         (Made && (!Made->getNumArgs() || isNull(Made->getArg(0))));
}

bool isNew(const Expr *Made) {
  const auto *Call = dyn_cast_or_null<CallExpr>(Made);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return isa_and_nonnull<CXXNewExpr>(Made) || (Callee && Callee->isInStdNamespace());
}

bool returnsVariable(const FunctionDecl &F, const Decl *D) {
  return isa_and_nonnull<VarDecl>(D) && anyBelow(F.getBody(), [&](const Stmt &S) {
           const auto *Return = dyn_cast<ReturnStmt>(&S);
           const Expr *Value = Return ? strip(Return->getRetValue()) : nullptr;
           while (const auto *Copied = dyn_cast_or_null<CXXConstructExpr>(Value))
             Value = Copied->getNumArgs() == 1 ? strip(Copied->getArg(0)) : nullptr;
           const auto *Ref = dyn_cast_or_null<DeclRefExpr>(Value);
           return Ref && Ref->getDecl() == D;
         });
}

bool holdsFunctions(QualType T) { return isFunctionObject(T) || keepsFunctions(T); }

} // namespace tensorleak
