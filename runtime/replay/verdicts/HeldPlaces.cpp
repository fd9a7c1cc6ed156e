//===-- HeldPlaces.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/verdicts/HeldPlaces.h"

#include <algorithm>

namespace tensorleak {

namespace {

/// What the searches looked for of a place.
struct Searched {
  unsigned Targets = 0, Unheld = 0;
  /// One may seem to be held, by a word that was left over somewhere.
  bool areMostUnheld() const { return Unheld >= 2 && 2 * Unheld > Targets; }
  /// Where nothing points to most objects, a variable that leads to a few has the newest: those
  /// that the function has just made that runs when the search comes.
  bool hasNewestOnly(const Holder &H) const {
    constexpr unsigned Few = 4;
    return areMostUnheld() && Few * H.Targets <= Unheld;
  }
};

Searched searchedOf(const SourceSite &Site, const RunFacts &Run) {
  Searched Out;
  for (const HeldSite &Held : Run.Held)
    if (Site.Ids.count(Held.SiteId)) {
      Out.Targets += Held.Targets;
      Out.Unheld += Held.Unheld;
    }
  return Out;
}

} // namespace

const Holder *holderOf(const SourceSite &Site, const RunFacts &Run) {
  const Searched All = searchedOf(Site, Run);
  for (const HeldSite &Held : Run.Held)
    if (Site.Ids.count(Held.SiteId) && !Held.Holders.empty() &&
        !All.hasNewestOnly(Held.Holders.front()))
      return &Held.Holders.front();
  return nullptr;
}

bool nobodyHolds(const SourceSite &Site, const RunFacts &Run) {
  if (!Run.OtherAllocator.empty() || Run.HasPython)
    return false; // in its heap a holder may have been overlooked
  return searchedOf(Site, Run).areMostUnheld() && !holderOf(Site, Run);
}

static bool nodesHold(const SourceSite &Site, const RunFacts &Run) {
  return std::any_of(Run.Held.begin(), Run.Held.end(), [&Site](const HeldSite &Held) {
    return Held.HeldByNodes && Site.Ids.count(Held.SiteId);
  });
}

std::string nobodysText(const SourceSite &Site, const RunFacts &Run) {
  if (Run.HasPython && nodesHold(Site, Run) && !holderOf(Site, Run))
    return PythonsNodesHold;
  if (!nobodyHolds(Site, Run))
    return "";
  return nodesHold(Site, Run) ? OnlyNodesHold : NobodyHolds;
}

bool onlyNodesHold(const SourceSite &Site, const RunFacts &Run) {
  return nodesHold(Site, Run) && nobodyHolds(Site, Run);
}

const GraphCycle *cycleThatKeeps(const SourceSite &Site, const RunFacts &Run) {
  return Run.Cycles.size() == 1 && onlyNodesHold(Site, Run) ? &Run.Cycles.front() : nullptr;
}

} // namespace tensorleak
