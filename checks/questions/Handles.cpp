//===-- Handles.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/questions/Handles.h"

#include "checks/source/Statements.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

/// The operands of \p E beside \p V.
static llvm::SmallVector<ValueId, 2> others(const FunctionFacts &Facts, const Event &E, ValueId V) {
  llvm::ArrayRef<ValueId> All = E.Args;
  if (E.Kind == EventKind::Compute)
    All = Facts.Values[E.Val].Inputs;
  llvm::SmallVector<ValueId, 2> Out;
  for (ValueId Each : All)
    if (Each != NoId && Each != V)
      Out.push_back(Each);
  return Out;
}

/// `x + x`: the operand is the very tensor, not a view of it.
static bool isSameVariable(const Value &A, const Value &B) {
  return A.From == Source::Load && B.From == Source::Load && A.Loaded == B.Loaded;
}

Sole Handles::isLastUse(const FunctionUnit &F, unsigned Event, ValueId V, bool IsTaken) {
  const FunctionFacts &Facts = *F.Facts;
  Storages &Here = All.of(F);
  auto Now = Here.before(Event);
  if (!Now)
    return Sole::No;
  Referred What = Here.of(V, *Now);
  if (What.ToOthers || What.InPart || What.Storages.empty() || What.meets(Now->Escaped))
    return Sole::No;
  for (ValueId Other : others(Facts, Facts.Events[Event], V))
    if (!isSameVariable(Facts.Values[V], Facts.Values[Other]) && Here.of(Other, *Now).meets(What))
      return Sole::No;
  const Value &Val = Facts.Values[V];
  PlaceId Read = Val.From == Source::Load ? Val.Loaded : NoId;
  if (Read != NoId && !IsTaken && Here.reads().isReadAfter(Read, Event))
    return Sole::No;
  for (const auto &[P, Held] : Now->Places)
    if (P != Read && Held.meets(What) && Here.reads().isReadAfter(P, Event, Read))
      return Sole::No;
  Sole Answer = Sole::Yes;
  for (unsigned Storage : What.Storages)
    if (Here.isParameter(Storage))
      Answer = std::min(Answer, isHandedOver(F, Here.parameterOf(Storage)));
  return Answer;
}

bool Handles::isAlone(Storages &Here, PlaceId P, const Referred &What,
                      const StorageState &Now) const {
  Referred Held = Here.held(P, Now);
  bool IsOwn = !What.ToOthers && !Held.ToOthers && !What.meets(Now.Escaped) &&
               llvm::none_of(What.Storages, [&](unsigned Each) { return Here.isParameter(Each); });
  return IsOwn && Held.meets(What) && llvm::none_of(Now.Places, [&](const auto &Other) {
           return Other.first != P && Other.second.meets(What);
         });
}

bool Handles::isHeldAlone(const FunctionUnit &F, PlaceId P, unsigned Store, unsigned Event) {
  Storages &Here = All.of(F);
  auto Before = Here.before(Store), Now = Here.before(Event);
  return Before && Now && isAlone(Here, P, Here.of(F.Facts->Events[Store].Val, *Before), *Now);
}

bool Handles::isLeftAlone(const FunctionUnit &F, PlaceId P, unsigned Store) {
  Storages &Here = All.of(F);
  auto Before = Here.before(Store), Now = Here.atEnd();
  if (!Before || !Now)
    return false;
  Referred What = Here.of(F.Facts->Events[Store].Val, *Before);
  return isAlone(Here, P, What, *Now) && !What.meets(Here.returned());
}

//===-- What a call allocates ---------------------------------------------===//

int64_t Handles::allocatedBy(const FunctionUnit &F) {
  int64_t Largest = 0;
  for (const Event &E : F.Facts->Events) {
    if (E.Kind == EventKind::UserCall)
      Largest = std::max(Largest, largestAllocation(*E.Callee));
    else if (E.Kind == EventKind::Compute && isFresh(F.Facts->Values[E.Val]))
      Largest = std::max(Largest, F.State.Values[E.Val].Type.bytes().value_or(0));
  }
  return Largest;
}

int64_t Handles::largestAllocation(const FunctionDecl &Callee) {
  const FunctionUnit *F = U.find(Callee);
  auto [It, IsNew] = Allocated.try_emplace(Callee.getCanonicalDecl(), 0);
  if (!F || !IsNew) // also while it is computed: a function that calls itself
    return It->second;
  return Allocated[Callee.getCanonicalDecl()] = allocatedBy(*F);
}

//===-- Parameters --------------------------------------------------------===//

/// A temporary, or all of its variables are moved from.
static bool isGivenAway(const FunctionFacts &Facts, ValueId V) {
  const Value &Val = Facts.Values[V];
  if (Val.From == Source::Load)
    return isMoved(Val);
  return isFresh(Val) ||
         llvm::all_of(Val.Inputs, [&](ValueId In) { return isGivenAway(Facts, In); });
}

/// How often the bodies of the file name \p F.
static unsigned countMentions(Unit &U, const FunctionDecl &F) {
  unsigned Count = 0;
  for (const FunctionUnit &Each : U.functions())
    anyBelow(Each.Facts->Function->getBody(), [&](const Stmt &S) {
      const auto *Ref = dyn_cast<DeclRefExpr>(&S);
      const auto *Member = dyn_cast<MemberExpr>(&S);
      const ValueDecl *D = Ref ? Ref->getDecl() : Member ? Member->getMemberDecl() : nullptr;
      Count += D && D->getCanonicalDecl() == F.getCanonicalDecl();
      return false;
    });
  return Count;
}

/// Every call of \p F gives its argument away: nobody else refers to what it is.
Sole Handles::computeHandedOver(const FunctionUnit &F, unsigned Param) {
  const FunctionDecl &Callee = *F.Facts->Function;
  const auto *Method = dyn_cast<CXXMethodDecl>(&Callee);
  if ((Method && Method->isVirtual()) || U.others().callsOf(Callee).Calls)
    return Sole::No;
  unsigned Calls = 0;
  bool IsTaken = Callee.getParamDecl(Param)->getType()->isRecordType(); // by value, if it is moved
  bool IsPrivate = Method && Method->getAccess() == AS_private;
  Sole Answer = Callee.isExternallyVisible() && !IsPrivate ? Sole::InView : Sole::Yes;
  for (const FunctionUnit &Caller : U.functions())
    for (unsigned I = 0; I < Caller.Facts->Events.size(); ++I) {
      const Event &E = Caller.Facts->Events[I];
      if (E.Kind != EventKind::UserCall || E.In != NoId ||
          E.Callee->getCanonicalDecl() != Callee.getCanonicalDecl())
        continue;
      ++Calls;
      ValueId Given = Param < E.Args.size() ? E.Args[Param] : NoId;
      if (Given == NoId || !isGivenAway(*Caller.Facts, Given))
        return Sole::No;
      Answer = std::min(Answer, isLastUse(Caller, I, Given, IsTaken));
    }
  return Calls && Calls == countMentions(U, Callee) ? Answer : Sole::No;
}

Sole Handles::isHandedOver(const FunctionUnit &F, unsigned Param) {
  auto [It, IsNew] = HandedOver.try_emplace({F.Facts.get(), Param}, Sole::No);
  if (!IsNew) // also while it is computed: a function that calls itself
    return It->second;
  Sole Answer = computeHandedOver(F, Param);
  return HandedOver[{F.Facts.get(), Param}] = Answer;
}

} // namespace tensorleak
