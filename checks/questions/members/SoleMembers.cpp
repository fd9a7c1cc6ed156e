//===-- SoleMembers.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/questions/members/SoleMembers.h"

#include "checks/model/ClassNames.h"
#include "checks/source/UserCode.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace tensorleak {

const FunctionDecl *SoleMembers::calleeOf(const FunctionUnit &F, ValueId V) {
  auto [It, IsNew] = Callees.try_emplace(&F);
  if (IsNew)
    for (const Event &E : F.Facts->Events)
      if (E.Kind == EventKind::UserCall && E.Val != NoId)
        It->second[E.Val] = E.Callee->getCanonicalDecl();
  return It->second.lookup(V);
}

/// An object of the class, whose copy shares the tensor, or a pointer to one.
static bool isWhole(const Value &Val, const FieldDecl &Member) {
  const CXXRecordDecl *Class = Val.E ? recordOf(Val.E->getType()) : nullptr;
  return Class && Class->getCanonicalDecl() == Member.getParent()->getCanonicalDecl();
}

bool SoleMembers::isAlias(const FunctionUnit &F, ValueId V, const FieldDecl &Member) {
  if (V == NoId)
    return false;
  const FunctionFacts &Facts = *F.Facts;
  const Value &Val = Facts.Values[V];
  if (isWhole(Val, Member))
    return true;
  if (Val.From == Source::Load)
    return Facts.Places[Val.Loaded].Decl == &Member;
  if (isFresh(Val))
    return false;
  if (Val.From == Source::UserCall) {
    const FunctionDecl *Callee = calleeOf(F, V);
    auto Returning = Getters.find(&Member);
    if (Callee && Returning != Getters.end() && Returning->second.count(Callee))
      return true;
    const StorageSummary *S = Callee ? All.summaryOf(*Callee) : nullptr;
    if (S && !S->ReturnsParameters && !S->ReturnsOthers)
      return false;
  }
  return llvm::any_of(Val.Inputs, [&](ValueId In) { return isAlias(F, In, Member); });
}

/// Also those that return what another one returns.
void SoleMembers::findGetters(const FieldDecl &Member) {
  Functions &Found = Getters[&Member];
  for (bool Grew = true; std::exchange(Grew, false);)
    for (const FunctionUnit &F : U.functions())
      for (const Event &E : F.Facts->Events)
        if (E.Kind == EventKind::Return && E.In == NoId &&
            (isAlias(F, E.Val, Member) ||
             (E.Place != NoId && F.Facts->Places[E.Place].Decl == &Member)))
          Grew |= Found.insert(F.Facts->Function->getCanonicalDecl()).second;
}

/// A new tensor that nothing else names, or the member's own again.
bool SoleMembers::isFreshOrItself(const FunctionUnit &F, ValueId V, const FieldDecl &Member) {
  const Value &Val = F.Facts->Values[V];
  if (isFresh(Val) || isAlias(F, V, Member))
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
bool SoleMembers::staysInCall(const FunctionUnit &F, const Event &E, const FieldDecl &Member) {
  const StorageSummary *S = All.summaryOf(*E.Callee);
  for (unsigned I = 0; I < E.Args.size(); ++I) {
    if (!isAlias(F, E.Args[I], Member) ||
        (isWhole(F.Facts->Values[E.Args[I]], Member) && isByReference(*E.Callee, I)))
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

/// The event leaves no other handle behind, and no graph that needs the tensor.
bool SoleMembers::isHarmless(const FunctionUnit &F, unsigned Index, const FieldDecl &Member) {
  const FunctionFacts &Facts = *F.Facts;
  const Event &E = Facts.Events[Index];
  if (E.Place != NoId && Facts.Places[E.Place].Decl == &Member) {
    if (replacesContent(E))
      return E.Val == NoId || isFreshOrItself(F, E.Val, Member);
    return events::has(E.Kind, events::Combines) || !events::mayChange(E.Kind);
  }
  const bool Names = isAlias(F, E.Val, Member) ||
                     llvm::any_of(E.Args, [&](ValueId Arg) { return isAlias(F, Arg, Member); });
  switch (E.Kind) {
  case EventKind::Compute:
    return F.State.Values[E.Val].Carries != Graph::Yes ||
           llvm::none_of(Facts.Values[E.Val].Inputs,
                         [&](ValueId In) { return isAlias(F, In, Member); });
  case EventKind::UserCall:
    return staysInCall(F, E, Member);
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

/// It stands in the body of a function in view, as an event of that.
static bool isToldByCallee(const Unit &U, const Event &E) {
  return E.In != NoId || (E.Kind != EventKind::UserCall && E.Callee && U.find(*E.Callee));
}

Sole SoleMembers::compute(const FieldDecl &Member) {
  if (!U.isSeenWhole(Member))
    return Sole::No;
  findGetters(Member);
  const bool IsReturned = !Getters[&Member].empty();
  if (IsReturned && !isInMainFile(Member))
    return Sole::No;
  for (const FunctionUnit &F : U.functions())
    for (unsigned I = 0; I < F.Facts->Events.size(); ++I)
      if (!isToldByCallee(U, F.Facts->Events[I]) && F.State.AtEvent[I].Reached &&
          !isHarmless(F, I, Member))
        return Sole::No;
  return IsReturned ? Sole::InView : Sole::Yes;
}

Sole SoleMembers::isOnlyHandle(const FieldDecl &Member) {
  auto It = Known.find(&Member);
  if (It == Known.end())
    It = Known.try_emplace(&Member, compute(Member)).first;
  return It->second;
}

} // namespace tensorleak
