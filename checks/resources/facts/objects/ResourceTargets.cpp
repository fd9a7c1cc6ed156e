//===-- ResourceTargets.cpp - What constructors make, before the walk -------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/ResourceBoxes.h"
#include "checks/resources/facts/ResourceGenerator.h"
#include "checks/source/Statements.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace tensorleak {

namespace {

class BodyReader : public RecursiveASTVisitor<BodyReader> {
public:
  bool VisitCXXForRangeStmt(CXXForRangeStmt *S) {
    Loops.push_back(S);
    return discard(S->getBody());
  }
  bool VisitCompoundStmt(CompoundStmt *S) {
    for (const Stmt *Each : S->body())
      discard(Each);
    Blocks.push_back(S);
    return true;
  }
  bool VisitIfStmt(IfStmt *S) { return discard(S->getThen()) && discard(S->getElse()); }
  bool VisitForStmt(ForStmt *S) { return discard(S->getInc()) && discard(S->getBody()); }
  bool VisitWhileStmt(WhileStmt *S) { return discard(S->getBody()); }
  bool VisitDoStmt(DoStmt *S) { return discard(S->getBody()); }
  bool VisitSwitchCase(SwitchCase *S) { return discard(S->getSubStmt()); }
  bool VisitLabelStmt(LabelStmt *S) { return discard(S->getSubStmt()); }
  bool VisitCXXTryStmt(CXXTryStmt *Try) {
    Tries.push_back(Try);
    return true;
  }
  bool TraverseLambdaExpr(LambdaExpr *) { return true; }
  std::vector<const CXXTryStmt *> Tries;
  std::vector<const CompoundStmt *> Blocks;
  std::vector<const CXXForRangeStmt *> Loops;
  std::vector<const Expr *> Discarded; ///< statements that are expressions

private:
  bool discard(const Stmt *S) {
    if (const auto *E = dyn_cast_or_null<Expr>(S))
      Discarded.push_back(E);
    return true;
  }
};

} // namespace

void ResourceGenerator::addTarget(const Expr *Init, PathId Target) {
  const Expr *Made = Init ? bare(Init) : nullptr;
  if (Made && (isa<CXXConstructExpr>(Made) || makesFollowedBox(*Made)))
    Targets[Made] = Target;
}

void ResourceGenerator::findTargets() {
  BodyReader Body;
  Body.TraverseStmt(Out->Function->getBody());
  for (const CXXForRangeStmt *Loop : Body.Loops)
    RangeLoops[Loop->getRangeStmt()->getSingleDecl()] = Loop;
  for (const CompoundStmt *Block : Body.Blocks)
    findRotation(*Block);
  for (const Expr *E : Body.Discarded)
    Discarded.insert(bare(E));
  for (const CXXTryStmt *Try : Body.Tries) // the innermost one last
    anyBelow(Try->getTryBlock(), [&](const Stmt &S) { return Out->Tries[&S] = Try, false; });
  for (const CFGBlock *Block : *Out->Cfg)
    for (const CFGElement &Element : *Block)
      if (auto Init = Element.getAs<CFGInitializer>())
        findTargetOf(*Init->getInitializer());
      else if (auto S = Element.getAs<CFGStmt>())
        findTargetsIn(*S->getStmt());
}

void ResourceGenerator::findTargetOf(const CXXCtorInitializer &Init) {
  const PathId This = Out->Paths.root(nullptr);
  const FieldDecl *Field = Init.getAnyMember();
  addTarget(Init.getInit(), Field ? Out->Paths.extend(This, Step::field(*Field)) : This);
}

void ResourceGenerator::findTargetOf(const VarDecl &V) {
  if (V.getType()->isReferenceType() || V.isStaticLocal())
    return;
  addTarget(V.getInit(), Out->Paths.root(&V));
  if (auto Object = newObject(V.getInit()))
    Placed.insert(Object->By);
}

void ResourceGenerator::findTargetsIn(const Stmt &S) {
  if (const auto *D = dyn_cast<DeclStmt>(&S))
    for (const Decl *Each : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(Each))
        findTargetOf(*V);
  const auto *Set = dyn_cast<CXXOperatorCallExpr>(&S);
  const auto *Return = dyn_cast<ReturnStmt>(&S);
  const Expr *Used = Set && Set->getOperator() == OO_Equal ? bare(Set->getArg(1))
                     : Return && Return->getRetValue()     ? bare(Return->getRetValue())
                                                           : nullptr;
  if (Used && makesFollowedBox(*Used))
    Targets[Used] = NoPath; // see visitBoxCall() and returnParts()
  if (const auto *Call = dyn_cast<CXXMemberCallExpr>(&S))
    for (const Expr *Arg : Call->arguments())
      if (makesFollowedBox(*bare(Arg)))
        Targets[bare(Arg)] = NoPath; // see visitPair() and passRecord()
  if (const CallExpr *Tie = Set ? tieSetBy(*Set) : nullptr)
    Targets[Tie] = NoPath; // see visitTie()
}

} // namespace tensorleak
