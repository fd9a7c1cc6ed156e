//===-- ResourceState.cpp -------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/ResourceState.h"

#include "checks/Budgets.h"
#include "checks/resources/facts/ResourceBoxes.h"

using namespace clang;

namespace tensorleak {
//===-- Reading -----------------------------------------------------------===//

llvm::SmallVector<PathId, 2> ResourceTransfer::resolve(PathId P, const ResourceState &S) {
  if (Facts.Paths.last(P).What == Step::Root)
    return {P};
  const Step Last = Facts.Paths.last(P);
  llvm::SmallVector<PathId, 2> Out;
  auto Add = [&](PathId Q) {
    if (!llvm::is_contained(Out, Q) && !isOver(Budget::PointerTargets, Out.size() + 1))
      Out.push_back(Q);
  };
  for (PathId Base : resolve(Facts.Paths.parent(P), S)) {
    bool Followed = false;
    if (Last.What == Step::Star)
      for (const HeldValue &V : load(Base, S))
        if (V.What == HeldValue::Address) {
          Add(Facts.Paths.element(V.Id, Last.Index));
          Followed = true;
        }
    if (!Followed)
      Add(Facts.Paths.extend(Base, Last));
  }
  return Out;
}

HeldValues ResourceTransfer::loadExact(PathId P, const ResourceState &S) const {
  HeldValues Out;
  if (auto It = S.Holders.find(P); It != S.Holders.end())
    Out = It->second;
  bool Known = !Out.empty() || S.Holders.count(P);
  if (!Facts.Paths.isExact(P) || !Known)
    for (const auto &[Other, Values] : S.Holders)
      if (Other != P && Facts.Paths.mayEqual(Other, P))
        Out.insert(Values.begin(), Values.end());
  return Out;
}

HeldValues ResourceTransfer::load(PathId P, const ResourceState &S) {
  HeldValues Out = loadExact(P, S);
  if (!Out.empty() || S.Holders.count(P))
    return Out;
  // A cudaPitchedPtr is taken as a whole, and its member is given back.
  for (PathId Q = P; Facts.Paths.last(Q).What == Step::Field;) {
    Q = Facts.Paths.parent(Q);
    if (HeldValues Whole = loadExact(Q, S); !Whole.empty())
      return Whole;
  }
  const ValueDecl *Variable = Facts.Paths.variable(P);
  bool Uninitialized = Facts.isOwnStorage(P) && !isa_and_nonnull<ParmVarDecl>(Variable);
  if (!Uninitialized)
    Out.insert({HeldValue::Initial, P});
  return Out;
}

HeldValues ResourceTransfer::valuesOf(const Operand &Value, const ResourceState &S) {
  HeldValues Out;
  for (const Atom &A : Value) {
    if (A.What == Atom::Fresh)
      Out.insert(current(A.Id));
    else
      for (PathId P : resolve(A.Id, S)) {
        if (A.What == Atom::Address) {
          Out.insert({HeldValue::Address, P});
          continue;
        }
        HeldValues Held = load(P, S);
        Out.insert(Held.begin(), Held.end());
      }
  }
  return Out;
}

/// Whether \p V is host memory that nothing outside of this function points to.
bool ResourceTransfer::isOwnBlock(HeldValue V, const ResourceState &S) const {
  return V.isResource() && llvm::all_of(S.Holders, [&](const auto &Entry) {
           return !Entry.second.count(V) || Facts.isOwnStorage(Entry.first);
         });
}

/// A member that is a reference.
static bool refersElsewhere(const Step &S) {
  return S.What == Step::Field && S.Decl->getType()->isReferenceType();
}

/// Own variables, and host memory that this function took and has not given away.
bool ResourceTransfer::isOwnStorage(PathId P, const ResourceState &S) const {
  for (; Facts.Paths.last(P).What != Step::Root; P = Facts.Paths.parent(P)) {
    if (refersElsewhere(Facts.Paths.last(P)))
      return false;
    if (Facts.Paths.last(P).What != Step::Star)
      continue;
    auto Block = S.Holders.find(Facts.Paths.parent(P));
    if (Block == S.Holders.end() || Block->second.empty() ||
        !llvm::all_of(Block->second, [&](const HeldValue &V) { return isOwnBlock(V, S); }))
      return false;
  }
  return Facts.isOwnVariable(Facts.Paths.last(P).Decl);
}

//===-- Writing -----------------------------------------------------------===//

bool ResourceTransfer::mayOwn(HeldValue V, const ResourceState &S) {
  auto It = S.Guards.find(V);
  return It != S.Guards.end() && Questions->mayBeOwned(*It->second, *Path);
}

/// The caller has given it, by a parameter.
bool ResourceTransfer::isGiven(HeldValue V) const {
  return V.What == HeldValue::Initial && isa_and_nonnull<ParmVarDecl>(Facts.Paths.variable(V.Id));
}

/// By itself, or as a part of a record that does not free it.
bool ResourceTransfer::isGivenMemory(HeldValue V) const {
  if (!isGiven(V) || Facts.Paths.steps(V.Id).empty())
    return isGiven(V);
  const QualType Given = Facts.Paths.variable(V.Id)->getType().getNonReferenceType();
  const QualType Record = Given->isPointerType() ? Given->getPointeeType() : Given;
  return Record->isRecordType() && freesNothing(Record);
}

/// To whoever frees it, or to another owner.
void ResourceTransfer::give(HeldValue V, ResourceState &S, const std::optional<CallAnswer> &When) {
  if (isGiven(V) && When)
    S.Offered[V].insert({When->Call, When->IsZero});
  else if (isGiven(V))
    S.LetGo.insert(V);
  if (When && V.isResource())
    Listener->onOffer(V, *When);
  if (auto It = S.Guards.find(V); It != S.Guards.end())
    Questions->release(It->second.edit(), When ? Questions->answered(*When, *Path) : *Path);
}

/// A site is run again: what it took before is another resource now.
void ResourceTransfer::age(SiteId Id, ResourceState &S) {
  for (auto &[P, Values] : S.Holders)
    if (Values.erase(current(Id)))
      Values.insert(older(Id));
  auto Current = S.Guards.find(current(Id));
  if (Current == S.Guards.end()) // released in its round
    return;
  Questions->retake(S.Guards[older(Id)].edit(), *Current->second, *Path);
  S.Guards.erase(Current);
}

void ResourceTransfer::acquire(const ResourceEvent &E, ResourceState &S) {
  if (!E.Maybe)
    age(E.Site, S);
  Questions->take(S.Guards[current(E.Site)].edit(), E.Site, *Path);
  if (E.Path == NoPath)
    return;
  const auto Places = resolve(E.Path, S);
  for (PathId P : Places) {
    HeldValues New{current(E.Site)};
    // A registration joins the memory it belongs to.
    bool Joins = E.Accepts != 0;
    if (Joins)
      joinAliases(E, load(P, S), S);
    if (Joins || E.Maybe || Places.size() > 1) // one of them gets it
      New.merge(load(P, S));
    if (isFilledAgain(E, P))
      fillAgain(E, P, New, S);
    assign(E, P, New, S);
  }
}

/// \p Holder is overwritten: what nothing else holds is lost.
void ResourceTransfer::loseFrom(const ResourceEvent &E, PathId Holder, const HeldValues &Old,
                                const HeldValues &New, ResourceState &S) {
  for (const HeldValue &V : Old) {
    auto Owned = S.Guards.find(V);
    if (!V.isResource() || New.count(V) || Owned == S.Guards.end())
      continue;
    bool HeldElsewhere = llvm::any_of(S.Holders, [&](const auto &Entry) {
      return Entry.first != Holder && Entry.second.count(V);
    });
    if (HeldElsewhere)
      continue;
    if (Questions->isOverwritten(*Owned->second, *Path))
      Listener->onLost(E, V, Holder);
    give(V, S);
  }
}

bool ResourceTransfer::isObject(HeldValue V, const ResourceState &S) {
  if (!V.isResource())
    return false;
  const Family What = Facts.Sites[V.Id].What;
  return (infoOf(What).HoldsTensors || What == Family::Owner) && mayOwn(V, S);
}

/// `node = node->next`: what the node before holds has no name any more, and is still there.
void ResourceTransfer::leaveBehind(const HeldValues &Values, ResourceState &S) {
  for (const HeldValue &V : Values)
    if (isObject(V, S))
      give(V, S);
}

void ResourceTransfer::dropBelow(PathId P, ResourceState &S, bool OnlyThroughPointers) {
  for (auto It = S.Holders.begin(); It != S.Holders.end();) {
    PathId Q = It->first;
    bool Below = Q != P && Facts.Paths.isAtOrBelow(Q, P);
    if (Below && OnlyThroughPointers) {
      while (Facts.Paths.parent(Q) != P && Facts.Paths.parent(Q) != NoPath)
        Q = Facts.Paths.parent(Q);
      Below = Facts.Paths.last(Q).What == Step::Star;
    }
    if (Below && OnlyThroughPointers)
      leaveBehind(It->second, S);
    It = Below ? S.Holders.erase(It) : std::next(It);
  }
}

void ResourceTransfer::assign(const ResourceEvent &E, PathId Target, const HeldValues &New,
                              ResourceState &S) {
  store(E, Target, New, S);
  giveUnderTwoNames(Target, New, S);
}

void ResourceTransfer::store(const ResourceEvent &E, PathId Target, const HeldValues &New,
                             ResourceState &S) {
  Listener->onStore(E, Target, New, S);
  fill(Target, S);
  if (!Facts.Paths.isExact(Target)) {
    HeldValues Held = load(Target, S); // the other elements stay
    Held.insert(New.begin(), New.end());
    S.Holders[Target] = std::move(Held);
    return;
  }
  HeldValues Old;
  if (auto It = S.Holders.find(Target); It != S.Holders.end())
    Old = It->second;
  dropBelow(Target, S, /*OnlyThroughPointers=*/true);
  loseFrom(E, Target, Old, New, S);
  S.Holders[Target] = New;
}

void ResourceTransfer::assign(const ResourceEvent &E, ResourceState &S) {
  HeldValues New = valuesOf(E.Value, S);
  const auto Places = resolve(E.Path, S);
  for (PathId P : Places) {
    if (storeIfAccepted(E, P, New, S))
      continue;
    HeldValues Here = New;
    if (Places.size() > 1) // one of them gets it
      Here.merge(load(P, S));
    assign(E, P, Here, S);
    if (!isOwnStorage(P, S))
      for (const HeldValue &V : New) {
        if (V.What == HeldValue::Initial && V.Id != P)
          give(V, S, E.When);
        escapeBlockAround(E, V, S);
      }
  }
}

void ResourceTransfer::declare(const ResourceEvent &E, ResourceState &S) {
  std::vector<std::pair<PathId, HeldValues>> Old;
  for (const auto &[P, Values] : S.Holders)
    if (Facts.Paths.isAtOrBelow(P, E.Path) && isOwnStorage(P, S))
      Old.push_back({P, Values});
    else if (Facts.Paths.isAtOrBelow(P, E.Path) &&
             llvm::any_of(Facts.Paths.steps(P), refersElsewhere))
      for (const HeldValue &V : Values) // the object before goes, and what it refers to stays
        give(V, S);
  dropBelow(E.Path, S, /*OnlyThroughPointers=*/false);
  S.Holders.erase(E.Path);
  for (const auto &[P, Values] : Old)
    loseFrom(E, P, Values, {}, S);
}

/// A wrong call is taken for one that releases, but what frees memory leaves alone what was
/// attached to that, and what takes that off leaves the memory alone.
static bool isMeant(const Site &S, const ResourceEvent &E, bool AnyAccepted) {
  return S.isAcceptedBy(E.Accepts) || !(AnyAccepted || S.Attached || E.onlyDetaches());
}

void ResourceTransfer::release(const ResourceEvent &E, ResourceState &S) {
  HeldValues Values = valuesOf(E.Value, S);
  Listener->onRelease(E, Values);
  bool AnyAccepted = llvm::any_of(Values, [&](const HeldValue &V) {
    return V.isResource() && Facts.Sites[V.Id].isAcceptedBy(E.Accepts);
  });
  for (const HeldValue &V : Values)
    if (V.What == HeldValue::Initial) {
      S.GivenBack.insert(V);
      give(V, S);
    } else if (V.isResource() && isMeant(Facts.Sites[V.Id], E, AnyAccepted) &&
               !leavesOthers(E, V, S)) {
      give(V, S, E.When);
    }
  if (E.onlyDetaches() && !AnyAccepted)
    detachSome(E, S);
}

/// At the end of the program a reset is as good as the end itself.
void ResourceTransfer::releaseAll(ResourceState &S) {
  if (Facts.Function->isMain())
    return;
  for (auto &[V, G] : S.Guards)
    if (!infoOf(Facts.Sites[V.Id].What).IsHost)
      Questions->release(G.edit(), *Path);
}

void ResourceTransfer::apply(const ResourceEvent &E, ResourceState &S) {
  switch (E.Kind) {
  case ResourceEventKind::Acquire:
    return acquire(E, S);
  case ResourceEventKind::Assign:
    return assign(E, S);
  case ResourceEventKind::CopyTree:
    return copyTree(E, S);
  case ResourceEventKind::Rotate:
    return rotate(E, S);
  case ResourceEventKind::Declare:
    return declare(E, S);
  case ResourceEventKind::Remove:
    return remove(E, S);
  case ResourceEventKind::Release:
    return release(E, S);
  case ResourceEventKind::ReleaseAll:
    S.AllReleased = true;
    return releaseAll(S);
  case ResourceEventKind::Doubt:
    return doubt(E, S);
  case ResourceEventKind::View:
    for (const HeldValue &V : valuesOf(E.Value, S))
      if (V.isResource() || isGivenMemory(V))
        Listener->onView(E, V);
      else
        escape(E, V, S); // an object's, say, which may free it
    return;
  case ResourceEventKind::Escape:
    for (const HeldValue &V : valuesOf(E.Value, S))
      escape(E, V, S);
    return;
  case ResourceEventKind::EscapeTree:
    return escapeTree(E, E.Path, S);
  case ResourceEventKind::Throw:
    return Listener->onThrow(E, S);
  case ResourceEventKind::Return:
    return returnValue(E, S);
  }
}

//===-- Rounds of loops -----------------------------------------------------===//

void ResourceTransfer::endRound(LoopId Loop, const Conditions &Way, ResourceState &S) {
  for (auto It = S.Guards.begin(); It != S.Guards.end();) {
    ResourceGuard After = Questions->afterRound(*It->second, Loop, Way);
    bool IsGone = After.empty();
    if (!(After == *It->second))
      It->second = SharedGuard(std::move(After));
    It = IsGone ? S.Guards.erase(It) : std::next(It);
  }
}

} // namespace tensorleak
