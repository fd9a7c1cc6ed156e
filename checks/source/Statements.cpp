//===-- Statements.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/source/Statements.h"

#include "checks/source/Expressions.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace tensorleak {

bool anyBelow(const Stmt *S, llvm::function_ref<bool(const Stmt &)> Wanted) {
  return S && (Wanted(*S) || llvm::any_of(S->children(), [&](const Stmt *Child) {
                 return anyBelow(Child, Wanted);
               }));
}

bool anyIn(const FunctionDecl &F, llvm::function_ref<bool(const Stmt &)> Wanted) {
  const auto *C = dyn_cast<CXXConstructorDecl>(&F);
  return anyBelow(F.getBody(), Wanted) ||
         (C && llvm::any_of(C->inits(), [&](const CXXCtorInitializer *Init) {
            return anyBelow(Init->getInit(), Wanted);
          }));
}

/// As far as one sees: `0`, `false`.
static bool isNever(const Expr *E) {
  E = E ? E->IgnoreParenImpCasts() : nullptr;
  const auto *Number = dyn_cast_or_null<IntegerLiteral>(E);
  const auto *Truth = dyn_cast_or_null<CXXBoolLiteralExpr>(E);
  return (Number && Number->getValue() == 0) || (Truth && !Truth->getValue());
}

bool onlyReads(const Stmt &S) {
  const auto *Cast = dyn_cast<ImplicitCastExpr>(&S);
  return Cast && (Cast->getCastKind() == CK_LValueToRValue ||
                  (Cast->getCastKind() == CK_NoOp && Cast->getType().isConstQualified()));
}

bool isLoop(const Stmt &S) {
  const auto *Do = dyn_cast<DoStmt>(&S);
  return Do ? !isNever(Do->getCond()) : isa<ForStmt, WhileStmt, CXXForRangeStmt>(S);
}

const Stmt *loopBody(const Stmt &Loop) {
  if (const auto *For = dyn_cast<ForStmt>(&Loop))
    return For->getBody();
  if (const auto *While = dyn_cast<WhileStmt>(&Loop))
    return While->getBody();
  const auto *Range = dyn_cast<CXXForRangeStmt>(&Loop);
  return Range ? Range->getBody() : nullptr;
}

bool endsByLeaving(const Stmt *S) {
  if (const auto *Block = dyn_cast_or_null<CompoundStmt>(S))
    return !Block->body_empty() && endsByLeaving(Block->body_back());
  if (const auto *E = dyn_cast_or_null<Expr>(S))
    return isa<CXXThrowExpr>(E->IgnoreImplicit());
  return isa_and_nonnull<ReturnStmt, GotoStmt, BreakStmt, ContinueStmt>(S);
}

bool contains(const Stmt *S, const Stmt *Part) {
  return anyBelow(S, [&](const Stmt &Below) { return &Below == Part; });
}

static void visitParts(const Stmt &S, llvm::function_ref<void(const Stmt &)> Visit) {
  if (!isa<LambdaExpr>(S))
    for (const Stmt *Child : S.children())
      if (Child)
        visitParts(*Child, Visit);
  forEachEvaluated(S, Visit);
}

void forEachEvaluated(const Stmt &S, llvm::function_ref<void(const Stmt &)> Visit) {
  const auto *E = dyn_cast<Expr>(&S);
  if (const Expr *Yielded = E ? yieldedAtOnce(*E) : nullptr)
    visitParts(*Yielded, Visit);
  Visit(S);
}

const Stmt *loopAround(const Stmt *Body, const Stmt &Part) {
  const Stmt *Found = nullptr;
  anyBelow(Body, [&](const Stmt &S) { // outer ones first
    if (isLoop(S) && contains(&S, &Part))
      Found = &S;
    return false;
  });
  return Found;
}

} // namespace tensorleak
