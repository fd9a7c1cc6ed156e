//===-- Steps.cpp ---------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/retained-activation/Steps.h"

#include "checks/flow/ValueWalk.h"
#include "checks/source/Expressions.h"
#include "checks/source/References.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace tensorleak {

//===-- Loops over the parts of a network -----------------------------------===//

bool holdsParameters(const FunctionFacts &Facts, PlaceId P) {
  return llvm::any_of(Facts.Events, [&](const Event &E) {
    return E.Kind == EventKind::Store && E.Place == P && E.Val != NoId &&
           Facts.Values[E.Val].From == Source::Api &&
           Facts.Values[E.Val].Api.What == Does::Parameters;
  });
}

/// Whether something that \p Is accepts reads what holds parameters.
static bool readsParameters(const FunctionFacts &Facts, llvm::function_ref<bool(const Expr &)> Is) {
  return llvm::any_of(Facts.Values, [&](const Value &V) {
    return V.From == Source::Load && V.E && Is(*V.E) && holdsParameters(Facts, V.Loaded);
  });
}

/// `net->parameters()`.
static bool yieldsParameters(ApiModel &Model, const Expr *E) {
  const auto *Call = dyn_cast_or_null<CallExpr>(strip(E));
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

/// \p Part is, in each round, the next module or the next parameter.
static bool isPart(const FunctionFacts &Facts, ApiModel &Model, const ValueDecl &Part) {
  return isModule(Model, Part.getType()) ||
         readsParameters(Facts, [&](const Expr &E) { return names(&E, Part); });
}

/// What \p E reads, by itself or as a second name.
static const Expr *referent(const Expr &E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(&E);
  const Expr *Bound = Ref ? boundTo(*Ref->getDecl()) : nullptr;
  return Bound ? strip(Bound) : &E;
}

/// `layers[i]`, `layers->at<Linear>(i)`, `parameters[i]`: the loop's variable chooses the part.
static bool choosesPart(const FunctionFacts &Facts, ApiModel &Model, const Expr &E,
                        const ValueDecl &Index) {
  const auto *Call = dyn_cast<CallExpr>(&E);
  if (!Call || llvm::none_of(Call->arguments(), [&](const Expr *Arg) { return names(Arg, Index); }))
    return false;
  return isModule(Model, Call->getType()) ||
         readsParameters(Facts, [&](const Expr &Read) { return referent(Read) == Call; });
}

/// `++i`, `i += 2`.
static bool counts(const Expr &E, const ValueDecl &Index) {
  if (const auto *U = dyn_cast<UnaryOperator>(&E))
    return U->isIncrementDecrementOp() && names(U->getSubExpr(), Index);
  const auto *Assign = dyn_cast<CompoundAssignOperator>(&E);
  return Assign && names(Assign->getLHS(), Index);
}

/// The variable that \p Loop, which is no range-for, counts with: its condition names it.
static const ValueDecl *counterOf(const Stmt &Loop) {
  const auto *For = dyn_cast<ForStmt>(&Loop);
  const auto *While = dyn_cast<WhileStmt>(&Loop);
  const ValueDecl *Counter = nullptr;
  auto IsCounter = [&](const Expr &E) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&E);
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (Var && mentions(&Loop, [&](const Expr &Step) { return counts(Step, *Var); }))
      Counter = Var;
    return Counter != nullptr;
  };
  mentions(For ? For->getCond() : While ? While->getCond() : nullptr, IsCounter);
  return Counter;
}

/// What an algorithm, or the lambda that it runs, calls the part at hand.
static const ValueDecl *elementOfAlgorithm(const FunctionFacts &Facts, const Stmt &Loop) {
  auto It =
      llvm::find_if(Facts.Splices, [&](const Splice &S) { return S.Repeats && S.Call == &Loop; });
  bool TakesOne = It != Facts.Splices.end() && It->Body->getNumParams() == 1;
  return TakesOne ? It->Body->getParamDecl(0) : nullptr;
}

bool goesOverParts(const FunctionFacts &Facts, ApiModel &Model, LoopId L) {
  const Stmt &Loop = *Facts.Loops[L].S;
  if (const auto *Range = dyn_cast<CXXForRangeStmt>(&Loop))
    return isPart(Facts, Model, *Range->getLoopVariable()) ||
           yieldsParameters(Model, Range->getRangeInit());
  if (const ValueDecl *Element = elementOfAlgorithm(Facts, Loop))
    return isPart(Facts, Model, *Element);
  const ValueDecl *Index = counterOf(Loop);
  return Index &&
         mentions(&Loop, [&](const Expr &E) { return choosesPart(Facts, Model, E, *Index); });
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

/// `x[key]`: the key; null for other expressions.
static const Expr *keyOf(const Expr &Element) {
  if (const auto *Plain = dyn_cast<ArraySubscriptExpr>(&Element))
    return Plain->getIdx();
  const auto *Call = dyn_cast<CXXOperatorCallExpr>(&Element);
  bool IsSubscript = Call && Call->getOperator() == OO_Subscript && Call->getNumArgs() == 2;
  return IsSubscript ? Call->getArg(1) : nullptr;
}

/// \p Var begins anew with each round of \p L.
static bool isOfRound(const FunctionFacts &Facts, const VarDecl &Var, LoopId L) {
  auto It = Facts.DeclLoops.find(&Var);
  LoopId Declared = It == Facts.DeclLoops.end() ? NoId : It->second;
  return Var.isLocalVarDeclOrParm() && (L == NoId || Facts.isInside(Declared, L));
}

/// It may be another one in the next round: a member or a variable from outside may count on.
static bool mayCountOn(const FunctionFacts &Facts, const Expr *Key, LoopId L) {
  return mentions(Key, [&](const Expr &E) {
    if (isa<MemberExpr>(E) || isa<CallExpr>(E))
      return true;
    const auto *Ref = dyn_cast<DeclRefExpr>(&E);
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    return Var && !Var->getType().isConstQualified() && !isOfRound(Facts, *Var, L);
  });
}

/// `it->second`, `*it`: the call that made the iterator, which is one of the round.
static const CallExpr *lookupBehind(const FunctionFacts &Facts, const Expr &Element, LoopId L) {
  const auto *Second = dyn_cast<MemberExpr>(&Element);
  const auto *Arrow = dyn_cast<CXXOperatorCallExpr>(strip(Second ? Second->getBase() : &Element));
  bool Follows = Arrow && Arrow->getNumArgs() == 1 &&
                 (Arrow->getOperator() == OO_Arrow || Arrow->getOperator() == OO_Star);
  const auto *Ref = Follows ? dyn_cast<DeclRefExpr>(strip(Arrow->getArg(0))) : nullptr;
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  bool IsIterator = Var && Var->getInit() && isOfRound(Facts, *Var, L);
  return IsIterator ? dyn_cast<CallExpr>(strip(Var->getInit())) : nullptr;
}

/// The same element is named again in each round: what its key is made of begins anew with
/// the round.
static bool comesBackTo(const FunctionFacts &Facts, const Expr &Element, LoopId L) {
  if (const Expr *Key = keyOf(Element))
    return !mayCountOn(Facts, Key, L);
  const CallExpr *Lookup = lookupBehind(Facts, Element, L);
  return Lookup && llvm::none_of(Lookup->arguments(),
                                 [&](const Expr *Key) { return mayCountOn(Facts, Key, L); });
}

/// `x[step % 2]`, or a reference to that: the elements take turns, and each one that is read
/// was made of one that was read before.
static bool takesTurns(const Expr *Element) {
  const auto *Ref = dyn_cast_or_null<DeclRefExpr>(strip(Element));
  const auto *Named = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (Named && Named->getType()->isReferenceType() && Named->getInit())
    Element = Named->getInit();
  Element = strip(Element);
  const Expr *Key = Element ? keyOf(*Element) : nullptr;
  const auto *Rest = Key ? dyn_cast<BinaryOperator>(strip(Key)) : nullptr;
  return Rest && Rest->getOpcode() == BO_Rem;
}

bool dependsOnItsElement(const FunctionFacts &Facts, const Event &E, LoopId L) {
  const Expr *Element = E.Val == NoId ? nullptr : assignedBy(E.At);
  const bool TakesTurns = Element && takesTurns(Element);
  if (!Element || !(TakesTurns || comesBackTo(Facts, *Element, L)))
    return false;
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

} // namespace tensorleak
