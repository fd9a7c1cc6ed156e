//===-- Leaks.cpp ---------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/verdicts/Leaks.h"
#include "findings/VerdictText.h"
#include "runtime/replay/facts/Holders.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace tensorleak {
namespace {

Leak leakOf(const SiteGrowth &G, const RunFacts &Run) {
  Leak Out{{G}, holderOf(*G.Site, Run), nullptr, ""};
  if (!Out.Held)
    Out.Cycle = cycleThatKeeps(*G.Site, Run);
  if (!Out.Held && !Out.Cycle)
    Out.Nobody = nobodysText(*G.Site, Run);
  return Out;
}

const Frame &placeOf(const SourceSite &S) {
  return (S.Forward.empty() ? S.Frames : S.Forward).front();
}

bool isGraph(const Leak &L) {
  return (L.Held && L.Held->Nodes) || L.Cycle || L.Nobody == OnlyNodesHold ||
         L.Nobody == PythonsNodesHold;
}

using Keeper = std::pair<size_t, std::string>;

/// By whom, in which loop.
Keeper keeperOf(const Leak &L) {
  std::string Name = L.Cycle ? itself(*L.Cycle) : L.Nobody;
  if (L.Held) {
    Holder Variable = *L.Held;
    Variable.Nodes = 0;
    Name = describe(Variable);
  }
  return {L.Places.front().Site->Loop.value_or(SIZE_MAX), Name};
}

/// What is counted and has no size is its own, and so is the host's memory.
using Key = std::tuple<Keeper, std::string, std::string, bool>;

class LeakKeys {
public:
  explicit LeakKeys(const std::vector<Leak> &Places) {
    for (const Leak &L : Places)
      if (isGraph(L))
        Graphs.insert(keeperOf(L));
  }

  /// Of a graph it is the keeper, also of what it keeps beside it; else the line counts too.
  Key keyOf(const Leak &L) const {
    const SourceSite &Site = *L.Places.front().Site;
    Keeper By = keeperOf(L);
    bool OfGraph = !By.second.empty() && Graphs.count(By);
    const Location &Where = placeOf(Site).Where;
    OfGraph |= Site.Sampled && L.Held; // a container, and what its entries keep
    std::string Line = OfGraph ? "" : Where.File + ':' + std::to_string(Where.Line);
    return {By, Line, Site.Thing.Several, Site.OnHeap};
  }

private:
  std::set<Keeper> Graphs;
};

bool keepsMostOf(const SiteGrowth &A, const SiteGrowth &B) {
  return A.BytesPerStep > B.BytesPerStep;
}

bool hasNoKeeper(const Leak &L) { return !L.Held && !L.Cycle && L.Nobody.empty(); }

bool isSameLine(const Location &A, const Location &B) {
  return A.Line == B.Line && A.File == B.File;
}

/// Of what is estimated from samples the leak whose line, and keeper if one is known, the array
/// has; or null.
Leak *leakWithArray(const Leak &Array, std::vector<Leak> &All) {
  const SourceSite &Site = *Array.Places.front().Site;
  for (Leak &L : All)
    if (const SourceSite &Other = *L.Places.front().Site;
        Site.OnHeap && !Site.Sampled && Other.Sampled &&
        isSameLine(placeOf(Other).Where, placeOf(Site).Where) &&
        (hasNoKeeper(Array) || keeperOf(Array) == keeperOf(L)))
      return &L;
  return nullptr;
}

/// The array of a container whose entries keep memory of their own is a part of that leak.
void joinArrays(std::vector<Leak> &All) {
  std::vector<bool> IsPart;
  for (const Leak &Array : All) {
    Leak *L = leakWithArray(Array, All);
    IsPart.push_back(L != nullptr);
    if (L)
      L->Places.insert(L->Places.end(), Array.Places.begin(), Array.Places.end());
  }
  std::vector<Leak> Out;
  for (size_t I = 0; I < All.size(); ++I)
    if (!IsPart[I])
      Out.push_back(std::move(All[I]));
  All = std::move(Out);
}

/// The first of the frames of \p Part, from the innermost out, that is not that of \p First too.
const Frame &differingFrame(const SourceSite &Part, const SourceSite &First) {
  if (!isSameLine(placeOf(Part).Where, placeOf(First).Where))
    return placeOf(Part);
  for (size_t I = 0; I < Part.Frames.size(); ++I)
    if (I >= First.Frames.size() || placeKey(Part.Frames[I]) != placeKey(First.Frames[I]))
      return Part.Frames[I];
  return placeOf(Part);
}

} // namespace

std::string itself(const GraphCycle &Cycle) { return "itself: " + Cycle.What; }

std::vector<Leak> leaksAmong(const std::vector<SiteGrowth> &All, const RunFacts &Run) {
  std::vector<Leak> Places;
  for (const SiteGrowth &G : All)
    Places.push_back(leakOf(G, Run));
  LeakKeys Keys(Places);
  std::map<Key, Leak> ByKey;
  for (Leak &L : Places) {
    auto [Known, IsNew] = ByKey.try_emplace(Keys.keyOf(L), L);
    if (!IsNew)
      Known->second.Places.push_back(L.Places.front());
  }
  std::vector<Leak> Out;
  for (auto &[Key, L] : ByKey) {
    std::stable_sort(L.Places.begin(), L.Places.end(), keepsMostOf);
    L.Held = L.Held ? holderOf(*L.Places.front().Site, Run) : nullptr;
    Out.push_back(std::move(L));
  }
  joinArrays(Out);
  return Out;
}

std::vector<PathNote> partsOf(const Leak &L) {
  std::vector<PathNote> Out;
  const SourceSite &First = *L.Places.front().Site;
  for (size_t I = 1; I < L.Places.size(); ++I) {
    const SiteGrowth &Part = L.Places[I];
    const Frame &Where = differingFrame(*Part.Site, First);
    bool IsCaller = isSameLine(placeOf(*Part.Site).Where, placeOf(First).Where);
    bool IsArray = IsCaller && Part.Site->OnHeap && Part.Site->Sampled != First.Sampled;
    Out.push_back({Where.Where, formatBytes(Part.BytesPerStep) + " per " + nameOfStep(Part.Per) +
                                    " of it " +
                                    (IsArray    ? "for the container's own array"
                                     : IsCaller ? "by a call from here"
                                                : "are allocated here") +
                                    (Where.Function.empty() ? "" : " (" + Where.Function + ")")});
  }
  return Out;
}

} // namespace tensorleak
