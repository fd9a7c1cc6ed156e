//===-- ResourceJumps.cpp - What continue and break leave behind -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A round of a loop that ends early is a way out of its body, as `return` is one of the
// function: where the ways meet, what was released on one of them cannot be told any more.
//
//===----------------------------------------------------------------------===//
#include "checks/resources/FunctionFlow.h"

#include "checks/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace tensorleak {

/// The body of the innermost loop around \p Jump; null where that ends a switch.
static const Stmt *bodyLeftBy(const Stmt &Jump, const FunctionDecl &F) {
  const Stmt *Body = nullptr;
  anyBelow(F.getBody(), [&](const Stmt &S) { // outer ones come first
    const bool Catches = isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S) ||
                         (isa<SwitchStmt>(S) && isa<BreakStmt>(Jump));
    if (Catches && contains(&S, &Jump))
      Body = loopBody(S);
    return false;
  });
  return Body;
}

static bool isDeclaredIn(const Stmt &Body, const ValueDecl &V) {
  return anyBelow(&Body, [&](const Stmt &S) {
    const auto *D = dyn_cast<DeclStmt>(&S);
    return D && llvm::is_contained(D->decls(), &V);
  });
}

/// The next round takes something into \p Holder without giving back what is there, and asks for
/// nothing before.
bool FunctionFlow::isTakenAnew(PathId Holder, SiteId Id, const Stmt &Body) const {
  const ValueDecl *V = Facts.Paths.variable(Holder);
  const SourceManager &Sources = Facts.Function->getASTContext().getSourceManager();
  const Expr &Taking = *Facts.Sites[Id].Call;
  if (!V || !Facts.Paths.isExact(Holder) || takenInto(current(Id)) != Holder ||
      Paths->asksAbout(*V))
    return false;
  return llvm::none_of(Facts.Blocks, [&](const std::vector<ResourceEvent> &Block) {
    return llvm::any_of(Block, [&](const ResourceEvent &E) {
      const bool Names = llvm::any_of(E.Value, [&](const Atom &A) {
        return A.What != Atom::Fresh && Facts.Paths.variable(A.Id) == V;
      });
      return Names && E.Kind != ResourceEventKind::Acquire && contains(&Body, E.At) &&
             Sources.isBeforeInTranslationUnit(E.At->getBeginLoc(), Taking.getExprLoc());
    });
  });
}

/// Nothing speaks of what \p V holds after \p Jump out of \p Body.
bool FunctionFlow::isLeftBy(const Stmt &Jump, HeldValue V, const ResourceState &S,
                            const Stmt &Body) const {
  return llvm::all_of(S.Holders, [&](const auto &Entry) {
    const auto &[P, Values] = Entry;
    const ValueDecl *Variable = Facts.Paths.variable(P);
    if (!Values.count(V))
      return true;
    return Variable && Transfer.isOwnStorage(P, S) &&
           (isDeclaredIn(Body, *Variable) ||
            (isa<ContinueStmt>(Jump) && isTakenAnew(P, V.Id, Body)));
  });
}

void FunctionFlow::readJump(const CFGBlock &Block) {
  const Stmt *Jump = Block.getTerminatorStmt();
  if (!Paths || !isa_and_nonnull<ContinueStmt, BreakStmt>(Jump))
    return;
  const Stmt *Body = bodyLeftBy(*Jump, *Facts.Function);
  const ResourceState &S = Out[Block.getBlockID()];
  for (const auto &[V, G] : S.Guards) {
    bool IsOutside = false;
    const PathId Holder = holderOf(V, S, IsOutside);
    if (!Body || V.What != HeldValue::Resource || Holder == NoPath || IsOutside ||
        !contains(Body, Facts.Sites[V.Id].Call) || !isLeftBy(*Jump, V, S, *Body))
      continue;
    auto When = Transfer.questions()->ownedAfter(G, Paths->at(Block));
    if (!When)
      continue;
    EndsOf[V.Id].Holder = Holder;
    EndsOf[V.Id].Leaky.push_back({Jump, false, *When});
  }
}

} // namespace tensorleak
