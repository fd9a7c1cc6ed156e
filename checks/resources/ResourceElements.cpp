//===-- ResourceElements.cpp ----------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/ResourceState.h"

#include "llvm/ADT/SetOperations.h"
#include <limits>

using namespace clang;

namespace tensorleak {

/// A callee's loop fills the elements that it has filled before.
bool ResourceTransfer::isFilledAgain(const ResourceEvent &E, PathId P) const {
  const Site &S = Facts.Sites[E.Site];
  return E.ByCallee && !E.Maybe && S.Elements > 0 && !S.LoopBegin && Facts.Paths.isElementOfOne(P);
}

void ResourceTransfer::fillAgain(const ResourceEvent &E, PathId P, const HeldValues &New,
                                 ResourceState &S) {
  auto Held = S.Holders.find(P);
  if (Held == S.Holders.end())
    return;
  HeldValues Old;
  for (const HeldValue &V : Held->second)
    if (V.isResource() && Facts.Sites[V.Id].Elements > 0)
      Old.insert(V);
  loseFrom(E, P, Old, New, S);
  for (const HeldValue &V : Old)
    S.Holders[P].erase(V);
}

static auto givenElements(SiteId Id, const ResourceState &S) {
  return llvm::make_range(
      S.GivenElements.lower_bound({Id, std::numeric_limits<int64_t>::min()}),
      S.GivenElements.lower_bound({Id + 1, std::numeric_limits<int64_t>::min()}));
}

bool ResourceTransfer::hasGivenElementsOf(SiteId Id, const ResourceState &S) const {
  return !givenElements(Id, S).empty();
}

/// The single place that \p E gives something back from, where others may hold as much.
std::optional<int64_t> ResourceTransfer::placeOfOne(const ResourceEvent &E, HeldValue V,
                                                    ResourceState &S) {
  if (E.Element)
    return *E.Element;
  if (E.Value.size() != 1 || E.Value[0].What != Atom::Load)
    return std::nullopt;
  auto Places = resolve(E.Value[0].Id, S);
  if (Places.size() != 1 || !Facts.Paths.isExact(Places[0]))
    return std::nullopt;
  auto Own = S.Holders.find(Places[0]);
  const bool IsOwn = Own != S.Holders.end() && Own->second.count(V) && !Facts.Sites[V.Id].IntoNamed;
  return IsOwn ? std::nullopt : std::optional<int64_t>(Places[0]);
}

/// Among the places of single elements these stand for a loop that leaves so many.
static int64_t allButFirst(unsigned Spared) { return std::numeric_limits<int64_t>::min() + Spared; }
static int64_t allButLast(unsigned Spared) {
  return allButFirst(ManyElements) + 1 + int64_t(Spared);
}

/// Whether some remain of the elements that the site \p Id has filled: single places, and loops
/// that pass others by, have given back the rest.
bool ResourceTransfer::areSomeLeft(SiteId Id, const ResourceState &S) const {
  SparedElements Spared{ManyElements, ManyElements};
  unsigned Singles = 0;
  for (const auto &[Of, Each] : givenElements(Id, S))
    if (Each < allButLast(0))
      Spared.AtBegin = std::min(Spared.AtBegin, unsigned(Each - allButFirst(0)));
    else if (Each < allButLast(ManyElements))
      Spared.AtEnd = std::min(Spared.AtEnd, unsigned(Each - allButLast(0)));
    else
      ++Singles;
  const uint64_t Left = uint64_t(Spared.AtBegin) + Spared.AtEnd;
  return Singles < std::min<uint64_t>(Facts.Sites[Id].several(), Left);
}

/// One element is given back, or a loop gives back all but some, and others that a loop has filled
/// remain.
bool ResourceTransfer::leavesOthers(const ResourceEvent &E, HeldValue V, ResourceState &S) {
  const Site &Filled = Facts.Sites[V.Id];
  if (!Filled.several())
    return false;
  const SparedElements Spared = Filled.sparedBy(E.Spared, E.Until);
  auto Place = Spared.areSome() ? std::nullopt : placeOfOne(E, V, S);
  if (!Spared.areSome() && !Place)
    return false;
  if (Place)
    S.GivenElements.insert({V.Id, *Place});
  else
    S.GivenElements.insert({{V.Id, allButFirst(Spared.AtBegin)}, {V.Id, allButLast(Spared.AtEnd)}});
  return areSomeLeft(V.Id, S);
}

/// What a null pointer should hold was not taken on this path, and nothing lies in it; a container
/// without elements holds nothing.
void ResourceTransfer::refine(const Branch &B, bool IsTrue, ResourceState &S) {
  HeldValues Null = valuesOf(IsTrue ? B.NullOnTrue : B.NullOnFalse, S);
  for (const HeldValue &V : HeldValues(Null))
    forEachIn(V, S, [&](HeldValue Part, llvm::ArrayRef<Step>) { Null.insert(Part); });
  for (const HeldValue &V : Null) {
    S.Guards.erase(V);
    if (isGiven(V))
      S.Null.insert(V);
  }
  const PathId None = IsTrue ? B.NoneOnTrue : B.NoneOnFalse;
  if (None != NoPath)
    for (PathId P : resolve(None, S))
      S.Empty.insert(P);
}

/// `if (!p) goto end;`: the side where p is null has forgotten it. What is owned behind `end` is so
/// only where control came there along \p Path.
void ResourceTransfer::knowNotNull(const Operand &Pointer, const Conditions &Path,
                                   ResourceState &S) {
  for (const HeldValue &V : valuesOf(Pointer, S))
    if (auto Guard = S.Guards.find(V); Guard != S.Guards.end())
      GuardQuestions::restrict(Guard->second.edit(), Path);
}

/// \p Target, or an element in which that is, has something now.
void ResourceTransfer::fill(PathId Target, ResourceState &S) const {
  for (auto It = S.Empty.begin(); It != S.Empty.end();)
    It = Facts.Paths.isAtOrBelow(Target, *It) ? S.Empty.erase(It) : std::next(It);
}

/// Of what the container held when the function began.
void ResourceTransfer::remove(const ResourceEvent &E, ResourceState &S) {
  for (PathId P : resolve(E.Path, S)) {
    if (S.AllReleased || isOwnStorage(P, S) || S.Empty.count(P))
      continue;
    auto IsOfThem = [&](const HeldValue &V) {
      return !V.isResource() && Facts.Paths.isAtOrBelow(V.Id, P);
    };
    std::set<PathId> Settled;
    for (const HeldValue &V : S.GivenBack)
      if (IsOfThem(V))
        Settled.insert(V.Id);
    // A variable of the function's keeps it no longer than that, unless it gives it to somebody.
    for (const auto &[Holder, Values] : S.Holders)
      for (const HeldValue &V : Values)
        if (IsOfThem(V) && !Facts.Paths.isAtOrBelow(Holder, P) && !isOwnStorage(Holder, S))
          Settled.insert(V.Id);
    for (const HeldValue &V : S.Null)
      if (IsOfThem(V))
        Settled.insert(V.Id);
    if (Settled.empty() && !E.Whole)
      S.Emptied.insert(P);
    Listener->onRemove(E, P, Settled);
  }
}

//===-- Copies of records and containers ------------------------------------===//

static bool isHandleMember(const Step &S) {
  return S.What == Step::Field && mayBeHandle(S.Decl->getType());
}

/// What is known of \p Root and all below, and what its handles held when the function
/// began, where nothing has been written to them.
std::map<PathId, HeldValues> ResourceTransfer::treeAt(PathId Root, const ResourceState &S) {
  std::map<PathId, HeldValues> Out;
  const bool IsGiven = Facts.Paths.last(Root).What == Step::Root &&
                       isa_and_nonnull<ParmVarDecl>(Facts.Paths.variable(Root)); // `all = given;`
  for (const auto &[P, Values] : S.Holders)
    if (Facts.Paths.isAtOrBelow(P, Root) &&
        !isOver(Budget::PathSteps, Facts.Paths.steps(P).size() + 1))
      Out[P] = Values;
  for (PathId P = 0, End = Facts.Paths.size(); P < End; ++P) {
    const bool IsElement = IsGiven && Facts.Paths.last(P).What == Step::Elem;
    if (!(isHandleMember(Facts.Paths.last(P)) || IsElement) || S.Holders.count(P) ||
        !Facts.Paths.isAtOrBelow(P, Root) ||
        isOver(Budget::PathSteps, Facts.Paths.steps(P).size() + 1))
      continue;
    if (HeldValues Held = load(P, S); Held == HeldValues{{HeldValue::Initial, P}})
      Out[P] = std::move(Held);
  }
  return Out;
}

/// What \p From has there when the function begins, of what it names below \p To: the elements of
/// `todo = std::move(all); for (T *p : todo) free(p);`.
void ResourceTransfer::addNamedBelow(PathId To, PathId From, const ResourceState &S,
                                     std::map<PathId, HeldValues> &Tree) {
  const size_t Depth = Facts.Paths.steps(To).size();
  for (PathId P = 0, End = Facts.Paths.size(); P < End; ++P) {
    const Step &Last = Facts.Paths.last(P);
    if ((Last.What != Step::Elem && !isHandleMember(Last)) || P == To ||
        !Facts.Paths.isAtOrBelow(P, To))
      continue;
    const llvm::SmallVector<Step, 4> Steps = Facts.Paths.steps(P);
    if (isOver(Budget::PathSteps, Steps.size() + 1))
      continue;
    const PathId Named = Facts.Paths.extend(From, llvm::ArrayRef(Steps).drop_front(Depth));
    if (HeldValues Held = load(Named, S); Held == HeldValues{{HeldValue::Initial, Named}})
      Tree.try_emplace(Named, std::move(Held));
  }
}

void ResourceTransfer::copyTree(const ResourceEvent &E, ResourceState &S) {
  for (PathId From : resolve(E.From, S))
    for (PathId To : resolve(E.Path, S)) {
      const size_t Depth = Facts.Paths.steps(From).size();
      std::map<PathId, HeldValues> Tree = treeAt(From, S);
      if (!isOwnStorage(From, S) && isOwnStorage(To, S))
        addNamedBelow(To, From, S, Tree);
      for (const auto &[P, Values] : Tree) {
        const llvm::SmallVector<Step, 4> Steps = Facts.Paths.steps(P);
        assign(E, Facts.Paths.extend(To, llvm::ArrayRef(Steps).drop_front(Depth)), Values, S);
      }
    }
}

//===-- Joins ---------------------------------------------------------------===//

void ResourceTransfer::join(ResourceState &Into, ResourceState From) const {
  if (!From.Reached)
    return;
  if (!Into.Reached) {
    Into = std::move(From);
    return;
  }
  Into.AllReleased &= From.AllReleased;
  llvm::set_intersect(Into.Emptied, From.Emptied);
  llvm::set_intersect(Into.Empty, From.Empty);
  for (const auto &[V, G] : From.Guards) {
    auto [It, New] = Into.Guards.try_emplace(V, G);
    if (!New && !It->second.isShared(G))
      Questions->join(It->second.edit(), *G);
  }
  llvm::set_intersect(Into.Null, From.Null);
  Into.LetGo.insert(From.LetGo.begin(), From.LetGo.end());
  for (const auto &[V, Calls] : From.Offered)
    Into.Offered[V].insert(Calls.begin(), Calls.end());
  Into.GivenBack.insert(From.GivenBack.begin(), From.GivenBack.end());
  Into.GivenElements.insert(From.GivenElements.begin(), From.GivenElements.end());
  auto AddInitial = [&](PathId P, HeldValues &Values) {
    if (!Facts.isOwnStorage(P) || isa_and_nonnull<ParmVarDecl>(Facts.Paths.variable(P)))
      Values.insert({HeldValue::Initial, P});
  };
  for (auto &[P, Values] : Into.Holders)
    if (!From.Holders.count(P))
      AddInitial(P, Values);
  for (const auto &[P, Values] : From.Holders) {
    auto [It, New] = Into.Holders.try_emplace(P, Values);
    if (New)
      AddInitial(P, It->second);
    else
      It->second.insert(Values.begin(), Values.end());
  }
}

} // namespace tensorleak
