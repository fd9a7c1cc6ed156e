//===-- EndGuards.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/objects/EndGuards.h"

#include "checks/resources/facts/calls/OwnershipFlags.h"
#include "checks/source/Expressions.h"
#include "checks/source/Functions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "checks/source/blocks/BlockWalk.h"
#include "checks/source/members/MemberMoves.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

/// The flag that the destructor of \p Class asks before it calls something.
static std::optional<FlagValue> flagAskedAtEnd(const CXXRecordDecl &Class) {
  const FunctionDecl *Body = nullptr;
  const CXXDestructorDecl *End = Class.getDestructor();
  std::optional<FlagValue> Asked;
  if (!End || !End->hasBody(Body))
    return Asked;
  anyBelow(Body->getBody(), [&](const Stmt &S) {
    if (isa<CallExpr>(S))
      forEachConditionAhead(S, Body->getBody(), [&](const Expr &Condition, bool Answer) {
        forEachFlagIn(Condition, Answer, [&](const FlagValue &V) {
          if (!Asked && !V.State && V.Flag->getParent() == Body->getParent())
            Asked = V;
        });
      });
    return Asked.has_value();
  });
  return Asked;
}

/// `void dismiss() { active_ = false; }`, and nothing else; no method sets it again.
static bool disarms(const CXXMethodDecl &Method) {
  const FunctionDecl *Body = nullptr;
  if (!Method.getReturnType()->isVoidType() || Method.getNumParams() != 0 ||
      isa<CXXDestructorDecl>(Method) || !Method.hasBody(Body) ||
      anyBelow(Body->getBody(), [](const Stmt &S) { return isa<CallExpr, CXXDeleteExpr>(S); }))
    return false;
  const auto Flag = flagAskedAtEnd(*Method.getParent());
  const Goes Way = Flag && Flag->IsSet ? Goes::ToFalse : Goes::ToTrue;
  return Flag && moves(*Body->getBody(), *Flag->Flag, Way) && !mayComeBack(*Flag->Flag, Way);
}

/// The local object of which \p Call calls a method.
static const VarDecl *objectOf(const CXXMemberCallExpr &Call) {
  const VarDecl *V = variableRead(*bare(Call.getImplicitObjectArgument()));
  return V && V->isLocalVarDecl() && V->hasLocalStorage() && V->getType()->isRecordType() ? V
                                                                                          : nullptr;
}

/// Nothing is done with \p V but to call its methods.
static bool isOnlyCalled(const VarDecl &V, const Stmt *Body) {
  unsigned Named = 0, Called = 0;
  anyBelow(Body, [&](const Stmt &S) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&S);
    const auto *Call = dyn_cast<CXXMemberCallExpr>(&S);
    Named += Ref && Ref->getDecl() == &V;
    Called += Call && objectOf(*Call) == &V;
    return false;
  });
  return Named == Called;
}

static const CXXMethodDecl *lambdaIn(const VarDecl &V) {
  const CXXMethodDecl *Found = nullptr;
  anyBelow(V.getInit(), [&](const Stmt &S) {
    if (const auto *Lambda = dyn_cast<LambdaExpr>(&S); Lambda && !Found)
      Found = Lambda->getCallOperator();
    return Found != nullptr;
  });
  return Found;
}

void EndGuards::collect(const FunctionDecl &F) {
  anyBelow(F.getBody(), [&](const Stmt &S) {
    const auto *Call = dyn_cast<CXXMemberCallExpr>(&S);
    const VarDecl *V = Call && Call->getMethodDecl() ? objectOf(*Call) : nullptr;
    if (V && disarms(*Call->getMethodDecl()))
      Guards[V].Disarms.push_back(Call);
    return false;
  });
}

/// False where that is not known, as of what a lambda disarms.
bool EndGuards::findArmed(Guard &G, const CFG &Cfg) const {
  Blocks Disarming;
  for (const CallExpr *Call : G.Disarms)
    if (const CFGBlock *Block = blockOf(Cfg, Call))
      Disarming.insert(Block);
    else
      return false;
  for (const CFGBlock *Block :
       blocksFrom(&Cfg.getEntry(), Toward::Exit,
                  [&](const CFGBlock &Next, const BlockEdge &) { return !Disarming.count(&Next); }))
    G.Armed.insert(Block->getBlockID());
  return true;
}

EndGuards::EndGuards(const FunctionDecl &F, const CFG &Cfg) {
  collect(F);
  llvm::SmallVector<const VarDecl *, 2> Unknown;
  for (auto &[V, G] : Guards) {
    G.Lambda = lambdaIn(*V);
    if (!isOnlyCalled(*V, F.getBody()) || !findArmed(G, Cfg))
      Unknown.push_back(V);
  }
  for (const VarDecl *V : Unknown)
    Guards.erase(V);
}

const VarDecl *EndGuards::disarmedBy(const CallExpr &Call) const {
  const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
  const VarDecl *V = Member && !Guards.empty() ? objectOf(*Member) : nullptr;
  auto It = V ? Guards.find(V) : Guards.end();
  return It != Guards.end() && llvm::is_contained(It->second.Disarms, &Call) ? V : nullptr;
}

const CXXMethodDecl *EndGuards::runBy(const VarDecl &V) const {
  auto It = Guards.find(&V);
  return It == Guards.end() ? nullptr : It->second.Lambda;
}

bool EndGuards::isDisarmedAt(const VarDecl &V, unsigned Block) const {
  auto It = Guards.find(&V);
  return It != Guards.end() && !It->second.Armed.count(Block);
}

} // namespace tensorleak
