//===-- CallOrder.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/records/removed/CallOrder.h"

#include "checks/source/Functions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace tensorleak {

/// `scene.load();`: the object itself, no pointer to it.
static const VarDecl *objectOf(const Stmt &Call) {
  const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
  const ValueDecl *Named = Member ? variableOrMember(Member->getImplicitObjectArgument()) : nullptr;
  const auto *V = dyn_cast_or_null<VarDecl>(Named);
  return V && V->getType()->isRecordType() ? V : nullptr;
}

/// Each round ends with the next one, and \p Object, if any, is the same in all of them.
static bool repeats(const Stmt &Loop, const VarDecl *Object) {
  return !anyBelow(&Loop, [&](const Stmt &S) {
    const auto *Made = dyn_cast<DeclStmt>(&S);
    return isa<BreakStmt, ReturnStmt, GotoStmt>(S) ||
           (Object && Made && llvm::is_contained(Made->decls(), Object));
  });
}

bool callsAgain(const FunctionDecl &Caller, const FunctionDecl &Callee,
                llvm::function_ref<bool(const Stmt &)> Undoes) {
  const Stmt *Body = Caller.getBody();
  const bool IsFree = !isa<CXXMethodDecl>(Callee);
  return anyBelow(Body, [&](const Stmt &S) {
    const VarDecl *Object = isCallOf(S, Callee) ? objectOf(S) : nullptr;
    const bool IsOfOne = Object || (IsFree && isCallOf(S, Callee));
    const Stmt *Loop = IsOfOne ? loopAround(Body, S) : nullptr;
    return Loop && repeats(*Loop, Object) && !anyBelow(Loop, Undoes);
  });
}

/// A loop goes around both, or \p Call stands behind \p Before.
static bool mayFollow(const Stmt &Call, const Stmt &Before, const FunctionDecl &In) {
  const SourceManager &Sources = In.getASTContext().getSourceManager();
  auto PlaceOf = [&](const Stmt &S) { return Sources.getExpansionLoc(S.getBeginLoc()); };
  return Sources.isBeforeInTranslationUnit(PlaceOf(Before), PlaceOf(Call)) ||
         anyBelow(In.getBody(), [&](const Stmt &S) {
           return isLoop(S) && contains(&S, &Call) && contains(&S, &Before);
         });
}

bool mayCallAfter(const FunctionDecl &Caller, const FunctionDecl &Callee, const Stmt &Before) {
  bool IsCalled = false;
  const bool Follows = anyBelow(Caller.getBody(), [&](const Stmt &S) {
    const auto *Call = dyn_cast<CallExpr>(&S);
    const FunctionDecl *Called = Call ? Call->getDirectCallee() : nullptr;
    const FunctionDecl *Body = nullptr;
    if (!Called || !Called->hasBody(Body) || !isOrComesTo(*Called, Callee))
      return false;
    IsCalled = true;
    return mayFollow(S, Before, Caller);
  });
  return Follows || !IsCalled;
}

} // namespace tensorleak
