//===-- MemberTypes.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/flow/state/MemberTypes.h"

#include "checks/Budgets.h"
#include "checks/flow/Unit.h"
#include "checks/flow/state/StateAtPoint.h"
#include "llvm/ADT/MapVector.h"

using namespace clang;

namespace tensorleak {
namespace {

/// An event of a function that puts a tensor into a member.
struct MemberStore {
  const FunctionUnit *In;
  unsigned Event;
};

class MemberTypeFinder {
public:
  MemberTypeFinder(llvm::ArrayRef<FunctionUnit> Functions, const MemberTypeSources &Sources)
      : Functions(Functions), Sources(Sources) {}
  MemberTypes run();

private:
  void collect(const FunctionUnit &F);
  void assume();
  bool verify();
  bool verify(const FieldDecl &Member, llvm::ArrayRef<MemberStore> Of);
  const StateResult &stateWith(const FunctionUnit &F);

  llvm::ArrayRef<FunctionUnit> Functions;
  const MemberTypeSources &Sources;
  llvm::MapVector<const FieldDecl *, llvm::SmallVector<MemberStore, 2>> Stores;
  llvm::DenseSet<const FieldDecl *> Retyped; ///< by what is no store
  MemberTypes Known;
  llvm::DenseMap<const FunctionUnit *, StateResult> States; ///< where Known holds
};

/// \p T without what only the function at hand has names for.
TensorType withoutNames(TensorType T) {
  if (!T.Dims)
    return T;
  if (!T.Dims->hasRank())
    return {nullptr, T.Element};
  DimList Dims = T.Dims->Dims;
  for (Dim &D : Dims)
    if (D && !D->number())
      D.reset();
  return TensorType::of(std::move(Dims), T.Element);
}

/// It gives the member's tensor another shape or dtype, or may.
bool retypes(const Event &E, const FunctionFacts &Facts) {
  if (events::has(E.Kind, events::Combines))
    return statepoint::reshapes(E, Facts);
  return E.Kind == EventKind::Unknown || events::has(E.Kind, events::Adds);
}

void MemberTypeFinder::collect(const FunctionUnit &F) {
  for (unsigned I = 0; I < F.Facts->Events.size(); ++I) {
    const Event &E = F.Facts->Events[I];
    const Place *P = E.Place == NoId ? nullptr : &F.Facts->Places[E.Place];
    const auto *Member = P ? dyn_cast_or_null<FieldDecl>(P->Decl) : nullptr;
    if (!Member || P->isEntry() || E.In != NoId || !Sources.IsSeenWhole(*Member))
      continue;
    if (replacesContent(E) && E.Val != NoId)
      Stores[Member].push_back({&F, I});
    else if (retypes(E, *F.Facts))
      Retyped.insert(Member);
  }
}

/// What those stores say of which the type is known without any other.
void MemberTypeFinder::assume() {
  for (const auto &[Member, Of] : Stores) {
    std::optional<TensorType> All;
    for (const MemberStore &S : Of) {
      TensorType Here = withoutNames(S.In->State.AtEvent[S.Event].Info.Type);
      if (!Here.Element.size())
        continue;
      if (!All)
        All = Here;
      else
        joinType(*All, Here);
    }
    if (All && All->Element.size() && !Retyped.count(Member))
      Known[Member] = *All;
  }
}

const StateResult &MemberTypeFinder::stateWith(const FunctionUnit &F) {
  auto [It, IsNew] = States.try_emplace(&F);
  if (IsNew)
    It->second = Sources.StateWith(F, Known);
  return It->second;
}

/// Whether all stores keep what is assumed of \p Member; else less is.
bool MemberTypeFinder::verify(const FieldDecl &Member, llvm::ArrayRef<MemberStore> Of) {
  auto It = Known.find(&Member);
  if (It == Known.end())
    return true;
  TensorType All = It->second;
  for (const MemberStore &S : Of) {
    const StateResult &State = stateWith(*S.In);
    if (!State.Converged)
      All.Element = Dtype();
    else if (State.AtEvent[S.Event].Reached)
      joinType(All, withoutNames(State.AtEvent[S.Event].Info.Type));
  }
  if (All == It->second)
    return true;
  if (All.Element.size())
    It->second = All;
  else
    Known.erase(It);
  return false;
}

bool MemberTypeFinder::verify() {
  bool Holds = true;
  States.clear();
  for (const auto &[Member, Of] : Stores)
    Holds &= verify(*Member, Of);
  return Holds;
}

MemberTypes MemberTypeFinder::run() {
  for (const FunctionUnit &F : Functions)
    collect(F);
  assume();
  for (unsigned Round = 0; !Known.empty() && !verify(); ++Round)
    if (isOver(Budget::MemberTypeRounds, Round + 1))
      return MemberTypes();
  return std::move(Known);
}

} // namespace

MemberTypes findMemberTypes(llvm::ArrayRef<FunctionUnit> Functions,
                            const MemberTypeSources &Sources) {
  return MemberTypeFinder(Functions, Sources).run();
}

} // namespace tensorleak
