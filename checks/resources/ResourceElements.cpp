//===-- ResourceElements.cpp ----------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/ResourceState.h"

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
  bool IsOwn = Own != S.Holders.end() && Own->second.count(V);
  return IsOwn ? std::nullopt : std::optional<int64_t>(Places[0]);
}

/// One element is given back, and others that a loop has filled remain.
bool ResourceTransfer::leavesOthers(const ResourceEvent &E, HeldValue V, ResourceState &S) {
  const unsigned Elements = Facts.Sites[V.Id].several();
  auto Place = Elements ? placeOfOne(E, V, S) : std::nullopt;
  if (!Place)
    return false;
  S.GivenElements.insert({V.Id, *Place});
  auto Given = givenElements(V.Id, S);
  return std::distance(Given.begin(), Given.end()) < Elements;
}

/// Of what the container held when the function began.
void ResourceTransfer::remove(const ResourceEvent &E, ResourceState &S) {
  for (PathId P : resolve(E.Path, S)) {
    auto IsOfThem = [&](const HeldValue &V) {
      return !V.isResource() && Facts.Paths.isAtOrBelow(V.Id, P);
    };
    bool IsGiven = S.AllReleased || llvm::any_of(S.GivenBack, IsOfThem);
    bool IsKept = llvm::any_of(S.Holders, [&](const auto &Entry) {
      return !Facts.Paths.isAtOrBelow(Entry.first, P) && llvm::any_of(Entry.second, IsOfThem);
    });
    if (!IsGiven && !IsKept && !isOwnStorage(P, S))
      Listener->onRemove(E, P);
  }
}

} // namespace tensorleak
