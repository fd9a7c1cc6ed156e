//===-- Elements.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/flow/parts/Elements.h"

#include "checks/flow/ValueWalk.h"
#include "checks/flow/parts/Keys.h"
#include "checks/model/boxes/ElementKeys.h"
#include "checks/source/Expressions.h"
#include "checks/source/References.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace tensorleak {

/// What is assigned to by \p At.
static const Expr *assignedBy(const Stmt *At) {
  if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(At); Call && Call->isAssignmentOp())
    return strip(Call->getArg(0));
  const auto *Assign = dyn_cast<BinaryOperator>(At);
  return Assign && Assign->isAssignmentOp() ? strip(Assign->getLHS()) : nullptr;
}

static llvm::FoldingSetNodeID profileOf(const Expr &E, const ASTContext &Context) {
  llvm::FoldingSetNodeID Id;
  E.Profile(Id, Context, /*Canonical=*/true);
  return Id;
}

static bool mayCountOn(const FunctionFacts &Facts, const Expr *Key, LoopId L);

/// Of a parameter of a body that runs here: what it is given may.
static bool isGivenWhatCountsOn(const FunctionFacts &Facts, const ParmVarDecl &Param, LoopId L) {
  return llvm::any_of(Facts.Splices, [&](const Splice &S) {
    const Expr *Given = S.given(Param);
    return Given && mayCountOn(Facts, Given, L);
  });
}

/// It may be another one in the next round: a member or a variable from outside may count on.
static bool mayCountOn(const FunctionFacts &Facts, const Expr *Key, LoopId L) {
  return mentions(Key, [&](const Expr &E) {
    if (isa<MemberExpr>(E) || isa<CallExpr>(E))
      return true;
    const auto *Ref = dyn_cast<DeclRefExpr>(&E);
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    const auto *Param = dyn_cast_or_null<ParmVarDecl>(Var);
    return Var && ((!Var->getType().isConstQualified() && !isOfRound(Facts, *Var, L)) ||
                   (Param && isGivenWhatCountsOn(Facts, *Param, L)));
  });
}

/// `it->second`, `*it`: the call that made the iterator, which is one of the round.
static const CallExpr *lookupBehind(const FunctionFacts &Facts, const Expr &Element, LoopId L) {
  const auto *Second = dyn_cast<MemberExpr>(&Element);
  const auto *Arrow = dyn_cast<CXXOperatorCallExpr>(strip(Second ? Second->getBase() : &Element));
  const auto *Ref =
      Arrow && followsPointer(*Arrow) ? dyn_cast<DeclRefExpr>(strip(Arrow->getArg(0))) : nullptr;
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  bool IsIterator = Var && Var->getInit() && isOfRound(Facts, *Var, L);
  return IsIterator ? dyn_cast<CallExpr>(strip(Var->getInit())) : nullptr;
}

/// The same element is named again in each round: what its key is made of begins anew with
/// the round, or it is the name of a part, over which a loop \p Inner in the round goes.
static bool comesBackTo(const FunctionFacts &Facts, ApiModel &Model, const Expr &Element,
                        LoopId Inner, LoopId L) {
  auto ComesBack = [&](const Expr *Key) {
    return !mayCountOn(Facts, Key, L) || isNameOfPart(Facts, Model, Key, Inner);
  };
  if (const Expr *Key = keyOfElement(Element, Model))
    return ComesBack(Key);
  const CallExpr *Lookup = lookupBehind(Facts, Element, L);
  return Lookup && llvm::all_of(Lookup->arguments(), ComesBack);
}

/// `x[step % 2]`, or a reference to that: the elements take turns, and each one that is read
/// was made of one that was read before.
static bool takesTurns(const Expr *Element) {
  const auto *Ref = dyn_cast_or_null<DeclRefExpr>(strip(Element));
  const auto *Named = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (Named && Named->getType()->isReferenceType() && Named->getInit())
    Element = Named->getInit();
  Element = strip(Element);
  const Expr *Key = Element ? elementNamed(*Element).Key : nullptr;
  const auto *Rest = Key ? dyn_cast<BinaryOperator>(strip(Key)) : nullptr;
  return Rest && Rest->getOpcode() == BO_Rem;
}

/// What is assigned is made of what \p Element, or one that it takes turns with, held before.
static bool isMadeOf(const FunctionFacts &Facts, const Event &E, const Expr *Element,
                     bool TakesTurns, LoopId L) {
  const ASTContext &Context = Facts.Function->getASTContext();
  const auto Id = profileOf(*Element, Context);
  ValueWalk Walk(Facts, ValueWalk::Variables::AllWrites);
  return Walk.alongGraph().within(L).any(E.Val, [&](ValueId V, unsigned) {
    const Value &Val = Facts.Values[V];
    if (Val.From != Source::Load || Val.Loaded != E.Place)
      return ValueWalk::Next::Into;
    bool IsIt = Val.E && (TakesTurns ? takesTurns(Val.E) : profileOf(*strip(Val.E), Context) == Id);
    return IsIt ? ValueWalk::Next::Found : ValueWalk::Next::Past;
  }) == ValueWalk::Answer::Yes;
}

bool dependsOnItsElement(const FunctionFacts &Facts, ApiModel &Model, const Event &E, LoopId L) {
  const Expr *Element = E.Val == NoId ? nullptr : assignedBy(E.At);
  const bool TakesTurns = Element && takesTurns(Element);
  return Element && (TakesTurns || comesBackTo(Facts, Model, *Element, E.InLoop, L)) &&
         isMadeOf(Facts, E, Element, TakesTurns, L);
}

bool fillsNextElement(const FunctionFacts &Facts, const Event &E, LoopId L) {
  const Expr *Element = E.Kind == EventKind::StoreWeak && L != NoId ? assignedBy(E.At) : nullptr;
  const Expr *Key = Element ? elementNamed(*Element).Key : nullptr;
  const auto *Ref = dyn_cast_or_null<DeclRefExpr>(strip(Key));
  return Ref && counterOf(*Facts.Loops[L].S) == Ref->getDecl() && E.Val != NoId &&
         !isMadeOf(Facts, E, Element, /*TakesTurns=*/false, L);
}

bool fillsAnyElement(const FunctionFacts &Facts, ApiModel &Model, const Event &E, LoopId L) {
  if (E.Kind != EventKind::StoreWeak || !E.KeyVaries || E.Bounded || E.Val == NoId)
    return false;
  if (E.Callee && !E.Key) // it makes the key up
    return true;
  const Expr *Element = E.Callee ? nullptr : assignedBy(E.At);
  return E.Key && !isKeyOfPart(Facts, Model, E) && mayNameAnother(Facts, *E.Key, L) &&
         !(Element && isMadeOf(Facts, E, Element, /*TakesTurns=*/false, L));
}

} // namespace tensorleak
