//===-- SoleHolders.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/questions/members/SoleHolders.h"

#include "checks/model/ClassNames.h"
#include "checks/source/Statements.h"
#include "checks/source/UserCode.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace tensorleak {

const FunctionDecl *SoleHolders::calleeOf(const FunctionUnit &F, ValueId V) {
  auto [It, IsNew] = Callees.try_emplace(&F);
  if (IsNew)
    for (const Event &E : F.Facts->Events)
      if (E.Kind == EventKind::UserCall && E.Val != NoId)
        It->second[E.Val] = E.Callee->getCanonicalDecl();
  return It->second.lookup(V);
}

/// An object of the class, whose copy shares the tensor, or a pointer to one.
static bool isWhole(const Value &Val, const ValueDecl &Holder) {
  const auto *Member = dyn_cast<FieldDecl>(&Holder);
  const CXXRecordDecl *Class = Member && Val.E ? recordOf(Val.E->getType()) : nullptr;
  return Class && Class->getCanonicalDecl() == Member->getParent()->getCanonicalDecl();
}

bool SoleHolders::isAlias(const FunctionUnit &F, ValueId V, const ValueDecl &Holder) {
  if (V == NoId)
    return false;
  const FunctionFacts &Facts = *F.Facts;
  const Value &Val = Facts.Values[V];
  if (isWhole(Val, Holder))
    return true;
  if (Val.From == Source::Load)
    return Facts.Places[Val.Loaded].Decl == &Holder;
  if (isFresh(Val))
    return false;
  if (Val.From == Source::UserCall) {
    const FunctionDecl *Callee = calleeOf(F, V);
    auto Returning = Getters.find(&Holder);
    if (Callee && Returning != Getters.end() && Returning->second.count(Callee))
      return true;
    const StorageSummary *S = Callee ? All.summaryOf(*Callee) : nullptr;
    if (S && !S->ReturnsParameters && !S->ReturnsOthers)
      return false;
  }
  return llvm::any_of(Val.Inputs, [&](ValueId In) { return isAlias(F, In, Holder); });
}

/// Also those that return what another one returns.
void SoleHolders::findGetters(const ValueDecl &Holder) {
  Functions &Found = Getters[&Holder];
  for (bool Grew = true; std::exchange(Grew, false);)
    for (const FunctionUnit &F : U.functions())
      for (const Event &E : F.Facts->Events)
        if (E.Kind == EventKind::Return && E.In == NoId &&
            (isAlias(F, E.Val, Holder) ||
             (E.Place != NoId && F.Facts->Places[E.Place].Decl == &Holder)))
          Grew |= Found.insert(F.Facts->Function->getCanonicalDecl()).second;
}

/// A new tensor that nothing else names, or the member's own again.
bool SoleHolders::isFreshOrItself(const FunctionUnit &F, ValueId V, const ValueDecl &Holder) {
  const Value &Val = F.Facts->Values[V];
  if (isFresh(Val) || isAlias(F, V, Holder))
    return true;
  const FunctionDecl *Callee = Val.From == Source::UserCall ? calleeOf(F, V) : nullptr;
  const StorageSummary *S = Callee ? All.summaryOf(*Callee) : nullptr;
  return S && S->ReturnsOwn && !S->ReturnsParameters && !S->ReturnsOthers;
}

/// The object itself, of which the callee's own events tell.
static bool isByReference(const FunctionDecl &Callee, unsigned Param) {
  const QualType T =
      Param < Callee.getNumParams() ? Callee.getParamDecl(Param)->getType() : QualType();
  return !T.isNull() && (T->isReferenceType() || T->isPointerType());
}

/// The call of a function in view keeps nothing of it.
bool SoleHolders::staysInCall(const FunctionUnit &F, const Event &E, const ValueDecl &Holder) {
  const StorageSummary *S = All.summaryOf(*E.Callee);
  for (unsigned I = 0; I < E.Args.size(); ++I) {
    if (!isAlias(F, E.Args[I], Holder) ||
        (isWhole(F.Facts->Values[E.Args[I]], Holder) && isByReference(*E.Callee, I)))
      continue;
    if (!S || llvm::is_contained(S->Kept, I))
      return false;
  }
  return true;
}

/// A variable of a method that cannot change the object is gone before one that can begins.
static bool isGoneWithMethod(const FunctionUnit &F, const Event &E) {
  const auto *Method = dyn_cast<CXXMethodDecl>(F.Facts->Function);
  return Method && Method->isConst() && E.Place != NoId &&
         F.Facts->Places[F.Facts->rootOf(E.Place)].Root == Place::Local;
}

/// `v[i] = t`, `for (auto &each : v) each = t;`
static bool assignsElement(const Event &E, ApiModel &Model) {
  const auto *Assign = dyn_cast_or_null<CXXOperatorCallExpr>(E.At);
  return Assign && Assign->getOperator() == OO_Equal &&
         Model.isTensor(Assign->getArg(0)->getType());
}

/// Into one element, and no second one: `v.resize(n, t)` and `v.fill(t)` put it into many.
static bool addsOnce(const Event &E, ApiModel &Model) {
  static const llvm::StringSet<> Once = {"push_back", "emplace_back",  "push_front",
                                         "insert",    "emplace_front", "emplace",
                                         "push",      "try_emplace",   "insert_or_assign"};
  const auto *Call = dyn_cast_or_null<CXXMemberCallExpr>(E.At);
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  return assignsElement(E, Model) || (Method && Call->getNumArgs() <= 2 &&
                                      Method->getIdentifier() && Once.contains(Method->getName()));
}

/// `{torch::zeros(..), torch::ones(..)}`: one element each, where `(n, torch::zeros(..))` is in n.
static bool listsElements(const Value &Val) {
  return Val.E && anyBelow(Val.E, [](const Stmt &S) { return isa<CXXStdInitializerListExpr>(S); });
}

/// No other element has the tensors of \p V.
bool SoleHolders::isNew(const FunctionUnit &F, ValueId V, const ValueDecl &Holder) {
  const Value &Val = F.Facts->Values[V];
  if (Val.From == Source::Group)
    return llvm::all_of(Val.Inputs, [&](ValueId In) { return In == NoId || isNew(F, In, Holder); });
  return isFreshOrItself(F, V, Holder) && !isAlias(F, V, Holder);
}

/// \p E, which is about \p Holder itself, puts nothing there that others know.
bool SoleHolders::isOwnContent(const FunctionUnit &F, const Event &E, const ValueDecl &Holder) {
  const bool IsTensor = U.model().isTensor(Holder.getType());
  if (events::has(E.Kind, events::Adds))
    return E.Val != NoId && addsOnce(E, U.model()) && isNew(F, E.Val, Holder);
  if (!replacesContent(E))
    return events::has(E.Kind, events::Combines) || !events::mayChange(E.Kind);
  if (E.Val == NoId || IsTensor)
    return E.Val == NoId || isFreshOrItself(F, E.Val, Holder);
  return (assignsElement(E, U.model()) || listsElements(F.Facts->Values[E.Val])) &&
         isNew(F, E.Val, Holder);
}

/// The event leaves no other handle behind, and no graph that needs the tensor.
bool SoleHolders::isHarmless(const FunctionUnit &F, unsigned Index, const ValueDecl &Holder) {
  const FunctionFacts &Facts = *F.Facts;
  const Event &E = Facts.Events[Index];
  if (E.Place != NoId && Facts.Places[E.Place].Decl == &Holder)
    return isOwnContent(F, E, Holder);
  const bool Names = isAlias(F, E.Val, Holder) ||
                     llvm::any_of(E.Args, [&](ValueId Arg) { return isAlias(F, Arg, Holder); });
  switch (E.Kind) {
  case EventKind::Compute:
    return F.State.Values[E.Val].Carries != Graph::Yes ||
           llvm::none_of(Facts.Values[E.Val].Inputs,
                         [&](ValueId In) { return isAlias(F, In, Holder); });
  case EventKind::UserCall:
    return staysInCall(F, E, Holder);
  case EventKind::Use:
  case EventKind::Return: // see findGetters
  case EventKind::ScopeEnd:
    return true;
  case EventKind::Mutate:
    return !Names || F.State.AtEvent[Index].Info.Carries != Graph::Yes;
  case EventKind::Store:
    return !Names || isGoneWithMethod(F, E);
  default:
    return !Names;
  }
}

/// It stands in the body of a function in view, as an event of that; what that does to a variable
/// it is given is told here only.
static bool isToldByCallee(const Unit &U, const Event &E, const ValueDecl &Holder) {
  return (E.In != NoId && isa<FieldDecl>(Holder)) ||
         (E.Kind != EventKind::UserCall && E.Callee && U.find(*E.Callee));
}

Sole SoleHolders::compute(const ValueDecl &Holder) {
  if (!U.isSeenWhole(Holder) || isa<ParmVarDecl>(Holder))
    return Sole::No;
  findGetters(Holder);
  const bool IsReturned = !Getters[&Holder].empty();
  const bool IsShared = isa<VarDecl>(Holder) && Holder.isExternallyVisible();
  if (IsReturned && !isInMainFile(Holder))
    return Sole::No;
  for (const FunctionUnit &F : U.functions())
    for (unsigned I = 0; I < F.Facts->Events.size(); ++I)
      if (!isToldByCallee(U, F.Facts->Events[I], Holder) && F.State.AtEvent[I].Reached &&
          !isHarmless(F, I, Holder))
        return Sole::No;
  return IsReturned || IsShared ? Sole::InView : Sole::Yes;
}

Sole SoleHolders::isOnlyHandle(const ValueDecl &Holder) {
  auto It = Known.find(&Holder);
  if (It == Known.end())
    It = Known.try_emplace(&Holder, compute(Holder)).first;
  return It->second;
}

} // namespace tensorleak
