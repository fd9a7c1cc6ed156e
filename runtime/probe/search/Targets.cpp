//===-- Targets.cpp - What a search looks for -------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/search/Snapshot.h"

#include <algorithm>

namespace tensorleak::probe {

static constexpr uint64_t LargeStorage = 1 << 18;

/// Calls \p Of with the objects of each site, the oldest first.
template <typename Fn> static void addBySite(PageVector<LiveObject> &All, Fn Of) {
  std::sort(All.begin(), All.end(), [](const LiveObject &A, const LiveObject &B) {
    return A.SiteId != B.SiteId ? A.SiteId < B.SiteId : A.Number < B.Number;
  });
  for (const LiveObject *At = All.data(), *End = At + All.size(); At != End;) {
    const LiveObject *Next =
        std::find_if(At, End, [&](const LiveObject &O) { return O.SiteId != At->SiteId; });
    Of(At, Next);
    At = Next;
  }
}

/// One more, if there is room.
void Snapshot::addTarget(const LiveObject &O) {
  if (Now.Targets.size() < MaxTargets)
    Now.Targets.push_back({O.Address, O.Number, O.SiteId, O.Tick, false});
}

/// An early one, a middle one and a late one.
void Snapshot::addSome(const LiveObject *const *First, size_t Count) {
  for (size_t I = 1; I <= TargetsPerSite; ++I)
    addTarget(*First[(Count - 1) * I / (TargetsPerSite + 1)]);
}

void Snapshot::addTargetsOf(const LiveObject *First, const LiveObject *Last) {
  PageVector<const LiveObject *> Births;
  for (const LiveObject *O = First; O != Last; ++O)
    if (Births.empty() || Births.back()->Generation != O->Generation)
      Births.push_back(O);
  // Of what chance chooses, some always lasts a while.
  bool IsSample = trace::SampleNumber::is(First->Number);
  if (Births.size() >= (IsSample ? 4 * MinGenerations : MinGenerations))
    addSome(Births.data(), Births.size());
}

/// What a site makes anew each time, and larger, is the one object that it keeps: a cache that a
/// generation of tokens concatenates to. Where sizes merely differ, few are as the largest.
bool Snapshot::isMadeLarger(const LiveObject &O) const {
  const uint64_t Often = O.HoldsPointers && !hasGraphs() ? 4 : 16; // arrays grow by a factor
  SiteState &Site = Sites[O.SiteId];
  uint64_t Count = look(Site.Allocations), Largest = look(Site.MaxBytes);
  return O.hasAddress() && Count >= Often && 4 * O.Bytes >= 3 * Largest &&
         4 * look(Site.Bytes) <= 3 * Largest * Count && look(Site.LiveBytes) <= 3 * Largest;
}

/// Of each site the one that was made first.
void Snapshot::addNewest(PageVector<LiveObject> &All) {
  addBySite(All, [this](const LiveObject *First, const LiveObject *) { addTarget(*First); });
}

/// Whether the program only has a pointer to it, and CUDA what stands there.
static bool isHandle(uint8_t DeviceType) {
  switch (trace::CudaObject(DeviceType)) {
#define CUDA_THING(Name, Number, KnownBy, One, Several)                                            \
  case trace::CudaObject::Name:                                                                    \
    return true;
#include "runtime/trace/CudaObjects.def"
  default:
    return false;
  }
}

void Snapshot::clearRequest() {
  Now.Targets.clear();
  Now.Skip.clear();
  Now.Handles.clear();
}

void Snapshot::addKnown(const LiveObject &O) {
  if (O.Bytes >= LargeStorage && !O.HoldsPointers)
    Now.Skip.push_back({O.Address, O.Address + O.Bytes});
  else if (O.hasAddress() && isHandle(Sites[O.SiteId].TheDevice.Type))
    Now.Handles.push_back(O.Address);
}

void Snapshot::sortSkipped() {
  std::sort(Now.Skip.begin(), Now.Skip.end(),
            [](const AddressRange &A, const AddressRange &B) { return A.Begin < B.Begin; });
}

/// Then samples of the heap are mostly parts of these, and lead nowhere else.
bool Snapshot::hasGraphs() const { return look(Trace.totals().NodesMade) != 0; }

void Snapshot::chooseTargets(uint32_t Generation, uint32_t Since) {
  clearRequest();
  PageVector<LiveObject> Old, OldSamples, Newest;
  Live.forEach([&](const LiveObject &O) {
    addKnown(O);
    bool IsSample = trace::SampleNumber::is(O.Number),
         IsArray = O.HoldsPointers && !IsSample && !hasGraphs();
    if (O.Generation >= Since && O.Generation + 2 <= Generation && O.hasAddress())
      (IsSample ? OldSamples : Old).push_back(O);
    bool IsOfAge = IsArray || O.Generation + 2 > Generation;
    if (!IsSample && IsOfAge && O.Generation >= Since && isMadeLarger(O))
      Newest.push_back(O);
  });
  sortSkipped();
  auto AddAll = [this](const LiveObject *First, const LiveObject *Last) {
    addTargetsOf(First, Last);
  };
  addBySite(Old, AddAll);
  addNewest(Newest);
  if (!hasGraphs())
    addBySite(OldSamples, AddAll); // in what room is left
}

bool Snapshot::isUnsearched(uint32_t Site, uint64_t Alive) const {
  const SiteState &S = Sites[Site];
  return look(S.Allocations) >= look(S.Frees) + Alive &&
         (Site >= Searched.size() || !Searched[Site]);
}

/// Where enough is alive at one site, others are looked at with it.
void Snapshot::chooseUnsearched(uint32_t Since) {
  constexpr uint64_t Several = 16;
  clearRequest();
  PageVector<LiveObject> All, Samples;
  Live.forEach([&](const LiveObject &O) {
    addKnown(O);
    if (O.hasAddress() && O.Generation >= Since && isUnsearched(O.SiteId, Several))
      (trace::SampleNumber::is(O.Number) ? Samples : All).push_back(O);
  });
  sortSkipped();
  auto AddAll = [this](const LiveObject *First, const LiveObject *Last) {
    PageVector<const LiveObject *> OfSite;
    for (const LiveObject *O = First; O != Last; ++O)
      OfSite.push_back(O);
    addSome(OfSite.data(), OfSite.size());
  };
  addBySite(All, AddAll);
  if (!hasGraphs())
    addBySite(Samples, AddAll);
}

void Snapshot::rememberSearched() {
  Searched.resize(std::max<size_t>(Searched.size(), Sites.count()));
  for (const trace::SearchTarget &T : Now.Targets)
    if (T.SiteId < Searched.size())
      Searched[T.SiteId] = 1;
}

} // namespace tensorleak::probe
