//===-- Steps.cpp ---------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/retained-activation/Steps.h"

#include "checks/flow/ValueWalk.h"
#include "checks/source/Expressions.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace tensorleak {

//===-- Loops over the parts of a network -----------------------------------===//

/// `net->parameters()`, or a variable that is made of it.
static bool yieldsParameters(ApiModel &Model, const Expr *E) {
  E = strip(E);
  if (const auto *Ref = dyn_cast_or_null<DeclRefExpr>(E))
    if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl()); Var && Var->getInit())
      E = strip(Var->getInit());
  const auto *Call = dyn_cast_or_null<CallExpr>(E);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  auto Known = Callee ? Model.effectOf(*Callee) : std::nullopt;
  return Known && Known->What == Does::Parameters;
}

static bool isModule(ApiModel &Model, QualType T) {
  return Model.classify(T.getNonReferenceType()) == TypeClass::Module;
}

static bool names(const Expr *E, const ValueDecl &D) {
  const auto *Ref = dyn_cast_or_null<DeclRefExpr>(strip(E));
  return Ref && Ref->getDecl() == &D;
}

/// `layers[i]`, `layers->at<Linear>(i)`, `parameters[i]`: the loop's variable chooses the part.
static bool choosesPart(ApiModel &Model, const Expr &E, const ValueDecl &Index) {
  const auto *Call = dyn_cast<CallExpr>(&E);
  if (!Call || llvm::none_of(Call->arguments(), [&](const Expr *Arg) { return names(Arg, Index); }))
    return false;
  return isModule(Model, Call->getType()) ||
         (isa<CXXOperatorCallExpr>(Call) && yieldsParameters(Model, Call->getArg(0)));
}

static const ValueDecl *variableOf(const ForStmt &Loop) {
  const auto *Init = dyn_cast_or_null<DeclStmt>(Loop.getInit());
  return Init && Init->isSingleDecl() ? dyn_cast<VarDecl>(Init->getSingleDecl()) : nullptr;
}

bool goesOverParts(const FunctionFacts &Facts, ApiModel &Model, LoopId L) {
  const Stmt *Loop = Facts.Loops[L].S;
  if (const auto *Range = dyn_cast<CXXForRangeStmt>(Loop))
    return isModule(Model, Range->getLoopVariable()->getType()) ||
           yieldsParameters(Model, Range->getRangeInit());
  const auto *For = dyn_cast<ForStmt>(Loop);
  const ValueDecl *Index = For ? variableOf(*For) : nullptr;
  return Index &&
         mentions(For->getBody(), [&](const Expr &E) { return choosesPart(Model, E, *Index); });
}

LoopId stepsAround(const FunctionFacts &Facts, ApiModel &Model, LoopId L) {
  while (L != NoId && goesOverParts(Facts, Model, L))
    L = Facts.Loops[L].Parent;
  return L;
}

//===-- Elements --------------------------------------------------------------===//

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

/// The same element is named again in each round: what its key is made of begins anew with
/// the round. A member or a variable from outside may count on.
static bool comesBackTo(const FunctionFacts &Facts, const Expr &Element, LoopId L) {
  const auto *Call = dyn_cast<CXXOperatorCallExpr>(&Element);
  const auto *Plain = dyn_cast<ArraySubscriptExpr>(&Element);
  const Expr *Key = Call && Call->getNumArgs() == 2 ? Call->getArg(1)
                    : Plain                         ? Plain->getIdx()
                                                    : nullptr;
  return Key && !mentions(Key, [&](const Expr &E) {
           if (isa<MemberExpr>(E) || isa<CallExpr>(E))
             return true;
           const auto *Ref = dyn_cast<DeclRefExpr>(&E);
           const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
           if (!Var || Var->getType().isConstQualified())
             return false;
           auto It = Facts.DeclLoops.find(Var);
           LoopId Declared = It == Facts.DeclLoops.end() ? NoId : It->second;
           return !Var->isLocalVarDeclOrParm() || !(L == NoId || Facts.isInside(Declared, L));
         });
}

bool dependsOnItsElement(const FunctionFacts &Facts, const Event &E, LoopId L) {
  const Expr *Element = E.Val == NoId ? nullptr : assignedBy(E.At);
  if (!Element || !comesBackTo(Facts, *Element, L))
    return false;
  const ASTContext &Context = Facts.Function->getASTContext();
  const auto Id = profileOf(*Element, Context);
  ValueWalk Walk(Facts, ValueWalk::Variables::AllWrites);
  return Walk.alongGraph().within(L).any(E.Val, [&](ValueId V, unsigned) {
    const Value &Val = Facts.Values[V];
    if (Val.From != Source::Load || Val.Loaded != E.Place)
      return ValueWalk::Next::Into;
    bool IsIt = Val.E && profileOf(*strip(Val.E), Context) == Id;
    return IsIt ? ValueWalk::Next::Found : ValueWalk::Next::Past;
  }) == ValueWalk::Answer::Yes;
}

} // namespace tensorleak
