//===-- Handlers.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/source/Handlers.h"

#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace tensorleak {
namespace {

bool declares(const Stmt &S, const ValueDecl &Variable) {
  const auto *D = dyn_cast<DeclStmt>(&S);
  return D && llvm::is_contained(D->decls(), &Variable);
}

bool contains(const Stmt &S, llvm::function_ref<bool(const Stmt &)> Is) { return anyBelow(&S, Is); }

} // namespace

/// `catch (...)`, or of the class of what \p Throw throws or of a base of it.
static bool catches(const CXXCatchStmt &Handler, const CXXThrowExpr &Throw) {
  if (Handler.getCaughtType().isNull())
    return true;
  if (!Throw.getSubExpr())
    return false; // throws on what another handler has caught
  QualType Caught = Handler.getCaughtType().getNonReferenceType().getCanonicalType();
  QualType Thrown = Throw.getSubExpr()->getType().getCanonicalType();
  const auto *Class = Thrown->getAsCXXRecordDecl(), *Base = Caught->getAsCXXRecordDecl();
  return Caught.getUnqualifiedType() == Thrown.getUnqualifiedType() ||
         (Class && Base && Class->hasDefinition() && Class->isDerivedFrom(Base));
}

bool catchesAllThrown(const CXXTryStmt &Try) {
  return !contains(*Try.getTryBlock(), [&](const Stmt &S) {
    const auto *Throw = dyn_cast<CXXThrowExpr>(&S);
    if (!Throw)
      return false;
    for (unsigned I = 0; I < Try.getNumHandlers(); ++I)
      if (catches(*Try.getHandler(I), *Throw))
        return false;
    return true;
  });
}

/// It ends with a `return` or a `throw`, and has no other way on.
static bool leavesFunction(const CXXCatchStmt &Handler) {
  const auto *Block = dyn_cast<CompoundStmt>(Handler.getHandlerBlock());
  const Stmt *Last = Block && !Block->body_empty() ? Block->body_back() : nullptr;
  if (const auto *E = dyn_cast_or_null<Expr>(Last))
    Last = E->IgnoreParenImpCasts();
  return isa_and_nonnull<ReturnStmt, CXXThrowExpr>(Last) &&
         !contains(*Block, [](const Stmt &S) { return isa<BreakStmt, ContinueStmt, GotoStmt>(S); });
}

/// No handler goes on behind \p Try.
static bool allLeaveFunction(const CXXTryStmt &Try) {
  for (unsigned I = 0; I < Try.getNumHandlers(); ++I)
    if (!leavesFunction(*Try.getHandler(I)))
      return false;
  return true;
}

bool mayBeNamedAfterThrow(const ValueDecl &Variable, const CXXTryStmt &Try, const FunctionDecl &F) {
  const SourceManager &Sources = F.getASTContext().getSourceManager();
  auto IsTry = [&](const Stmt &S) { return &S == &Try; };
  auto IsDeclared = [&](const Stmt &S) { return declares(S, Variable); };
  auto IsRoundAgain = [&](const Stmt &S) { // what the next round begins with is still there
    return isLoop(S) && contains(S, IsTry) && !contains(S, IsDeclared);
  };
  const bool Leaves = allLeaveFunction(Try);
  bool GoesRound = !Leaves && contains(*F.getBody(), IsRoundAgain);
  return contains(Leaves ? static_cast<const Stmt &>(Try) : *F.getBody(), [&](const Stmt &S) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&S);
    if (!Ref || !isNameOf(*Ref->getDecl(), Variable))
      return false;
    bool IsAfter =
        Sources.isBeforeInTranslationUnit(Try.getTryBlock()->getEndLoc(), Ref->getLocation());
    return IsAfter || (GoesRound && !contains(*Try.getTryBlock(),
                                              [&](const Stmt &Part) { return &Part == &S; }));
  });
}

} // namespace tensorleak
