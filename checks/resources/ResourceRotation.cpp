//===-- ResourceRotation.cpp - What changes places ------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/ResourceState.h"

using namespace clang;

namespace tensorleak {

/// \p P holds the same one resource on all ways to here, if no call has failed.
bool ResourceTransfer::staysOwned(PathId P, Family &What, ResourceState &S) {
  auto Held = S.Holders.find(P);
  if (Held == S.Holders.end() || Held->second.size() != 1 || !Held->second.begin()->isResource())
    return false;
  const HeldValue V = *Held->second.begin();
  auto Guard = S.Guards.find(V);
  What = Facts.Sites[V.Id].What;
  return Guard != S.Guards.end() && mayOwn(V, S) && !Questions->mayBeMissing(*Guard->second, *Path);
}

/// \p P is the caller's, and holds what it held when the function began.
bool ResourceTransfer::isUntouched(PathId P, const ResourceState &S) const {
  auto Held = S.Holders.find(P);
  bool IsOwn = Facts.isOwnStorage(P) && !isa_and_nonnull<ParmVarDecl>(Facts.Paths.variable(P));
  return !IsOwn && !S.GivenBack.count({HeldValue::Initial, P}) &&
         (Held == S.Holders.end() || Held->second == HeldValues{{HeldValue::Initial, P}});
}

/// Each holds one of its own, of one kind: who asks afterwards which places hold something that
/// is not given back yet cannot tell whether they have changed places.
bool ResourceTransfer::arePermuted(llvm::ArrayRef<PathId> Places, ResourceState &S) {
  if (llvm::any_of(Places, [&](PathId P) { return !Facts.Paths.isExact(P); }))
    return false;
  if (llvm::all_of(Places, [&](PathId P) { return isUntouched(P, S); }))
    return true;
  std::set<HeldValue> All;
  std::set<Family> Kinds;
  for (PathId P : Places) {
    Family What;
    if (!staysOwned(P, What, S))
      return false;
    Kinds.insert(What);
    All.insert(*S.Holders.at(P).begin());
  }
  return Kinds.size() == 1 && All.size() == Places.size();
}

/// Store by store, or to nobody knows whom where the stores are not seen.
void ResourceTransfer::rotateOneByOne(const ResourceEvent &E, ResourceState &S) {
  for (unsigned I = 0; I < E.Value.size(); ++I) {
    if (E.ByCallee) {
      for (const HeldValue &V : valuesOf({E.Value[I]}, S))
        escape(E, V, S);
    } else if (E.Path == NoPath) {
      escapeTree(E, E.Value[I].Id, S);
    } else {
      bool IsLast = I + 1 == E.Value.size();
      HeldValues New = IsLast ? load(E.Path, S) : valuesOf({E.Value[I + 1]}, S);
      for (PathId P : resolve(E.Value[I].Id, S))
        assign(E, P, New, S);
    }
  }
}

/// Two places at once. That which holds what this function knows gets the other's first, so that
/// what the other held when the function began has a name when it is replaced.
bool ResourceTransfer::exchangeTwo(const ResourceEvent &E, PathId First, PathId Second,
                                   ResourceState &S) {
  auto IsBelow = [&](const auto &Entry) {
    auto IsOf = [&](PathId P) {
      return Entry.first != P && Facts.Paths.isAtOrBelow(Entry.first, P);
    };
    return IsOf(First) || IsOf(Second);
  };
  auto HoldsBelow = [&](const auto &Entry) {
    auto IsOther = [&](HeldValue V) { return !(V == HeldValue{HeldValue::Initial, Entry.first}); };
    return IsBelow(Entry) && llvm::any_of(Entry.second, IsOther);
  };
  if (!Facts.Paths.isExact(First) || !Facts.Paths.isExact(Second) ||
      llvm::any_of(S.Holders, HoldsBelow))
    return false;
  // Plain data that was written, `cost[0] = 1`, is that of the other now.
  for (auto It = S.Holders.begin(); It != S.Holders.end();)
    It = IsBelow(*It) ? S.Holders.erase(It) : std::next(It);
  if (isUntouched(Second, S))
    std::swap(First, Second);
  const HeldValues Old = load(First, S), New = load(Second, S);
  S.Holders[Second] = Old;
  Listener->onStore(E, Second, Old, S);
  assign(E, First, New, S);
  return true;
}

void ResourceTransfer::rotate(const ResourceEvent &E, ResourceState &S) {
  llvm::SmallVector<PathId, 2> Places;
  for (const Atom &A : E.Value)
    if (auto Resolved = resolve(A.Id, S); A.What == Atom::Load && Resolved.size() == 1)
      Places.push_back(Resolved.front());
  const bool IsWhole =
      Places.size() > 1 && Places.size() == E.Value.size() && arePermuted(Places, S);
  Listener->onRotate(Places, IsWhole);
  const bool IsSwap = !IsWhole && Places.size() == 2 && E.Value.size() == 2;
  if (IsSwap && !E.ByCallee && E.Path == NoPath && exchangeTwo(E, Places[0], Places[1], S))
    return;
  if (!IsWhole)
    return rotateOneByOne(E, S);
  if (E.Path != NoPath) // the helper has what the last place has
    assign(E, E.Path, load(Places.back(), S), S);
}

} // namespace tensorleak
