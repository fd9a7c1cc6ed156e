//===-- Phases.cpp ----------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/facts/rounds/Phases.h"
#include "runtime/replay/facts/rounds/Gathering.h"
#include "runtime/replay/facts/rounds/Loading.h"
#include "runtime/replay/facts/rounds/LoopClock.h"
#include "runtime/replay/growth/Growth.h"

#include <algorithm>

namespace tensorleak {
namespace {

/// Between which steps a site allocated, and how often: by the number of the step before.
using Visits = std::map<size_t, uint64_t>;

class PhaseFinder {
public:
  PhaseFinder(const Recording &R, const RunFacts &Facts)
      : R(R), Horizon(horizonOf(R)), All(beatsOf(R, Facts)) {
    for (const trace::Boundary &B : R.Boundaries)
      if (std::binary_search(Facts.Clock.Ticks.begin(), Facts.Clock.Ticks.end(), B.Tick))
        Steps.push_back(B.Sequence);
  }

  /// By their outermost functions.
  std::map<std::string, LoopBeat> loops() const {
    std::map<std::string, Beats> Candidates;
    for (const Beat &B : All)
      if (goesRoundInPauses(B))
        Candidates[threadOf(*B.Site)].push_back(&B);
    std::map<std::string, LoopBeat> Out;
    for (const auto &[Thread, OfThread] : Candidates)
      Out[Thread] = loopBeat(OfThread);
    return Out;
  }

  /// Its last tick is where all that survives is known: what one pass keeps may be dropped after
  /// it.
  StepClock clockOfLoop(const LoopBeat &Loop) const {
    StepClock Clock = clockOf(R, Loop, Horizon);
    if (!Clock.Ticks.empty() && Clock.Ticks.back() < Horizon)
      Clock.Ticks.push_back(Horizon);
    return inferred(R, std::move(Clock));
  }

  /// The sites that allocate, often in each, in the pauses in which that loop goes round.
  std::set<const SourceSite *> sitesOf(const LoopBeat &Loop) const {
    Visits Pauses = visitsOf(*Loop.Chosen);
    std::map<const SourceSite *, Visits> BySite;
    for (const Beat &B : All)
      for (const auto &[Pause, Times] : visitsOf(B))
        BySite[B.Site][Pause] += Times;
    std::set<const SourceSite *> Out;
    for (const auto &[Site, Visited] : BySite)
      if (threadOf(*Site) == threadOf(*Loop.Chosen->Site) && isWithin(Visited, Pauses))
        Out.insert(Site);
    return Out;
  }

private:
  Visits visitsOf(const Beat &B) const {
    Visits Out;
    for (uint64_t At : B.At)
      Out[size_t(std::lower_bound(Steps.begin(), Steps.end(), At) - Steps.begin())] += B.Stride;
    return Out;
  }

  static uint64_t beforeFirstStep(const Visits &V) {
    auto Before = V.find(0);
    return Before == V.end() ? 0 : Before->second;
  }

  /// So often in each pause that it visits, and in so few of all: it belongs to no step.
  bool goesRoundInPauses(const Beat &B) const {
    constexpr uint64_t RoundsOfPause = 10;
    Visits V = visitsOf(B);
    size_t Pauses = V.size() - V.count(0);
    bool IsRare = Pauses == 1 || 2 * Pauses <= Steps.size();
    return Pauses && IsRare && B.Executions >= MinStepsToJudge &&
           B.Executions >= RoundsOfPause * Pauses && 2 * beforeFirstStep(V) < B.Executions &&
           reachesTheEnd(B, R);
  }

  static bool isWithin(const Visits &V, const Visits &Pauses) {
    constexpr uint64_t AFew = 4; // of what is done once after an epoch its steps are the rounds
    uint64_t Times = 0, Within = 0;
    for (const auto &[Pause, Count] : V) {
      Times += Count;
      Within += Pauses.count(Pause) ? Count : 0;
    }
    return 4 * Within >= 3 * Times && Times >= AFew * V.size();
  }

  const Recording &R;
  const uint64_t Horizon;
  const std::vector<Beat> All;
  std::vector<uint64_t> Steps; ///< allocations before each
};

} // namespace

static void addLoop(const Recording &R, const PhaseFinder &Finder, const LoopBeat &Loop,
                    RunFacts &Facts) {
  StepClock Clock = Finder.clockOfLoop(Loop);
  if (Clock.steps() < MinStepsToJudge || onlyLoads(Facts, Clock))
    return;
  std::set<const SourceSite *> Sites = Finder.sitesOf(Loop);
  for (SourceSite &Site : Facts.Sites)
    if (Sites.count(&Site))
      Site.Loop = Facts.OtherLoops.size();
  markGathered(R, *Loop.Chosen, Facts.OtherLoops.size(), Facts);
  Facts.ClockRemark +=
      (Facts.ClockRemark.empty() ? "between these steps, what counts as one is each " : ", each ") +
      Clock.Name;
  Facts.OtherLoops.push_back(std::move(Clock));
}

void inferPhases(const Recording &R, RunFacts &Facts) {
  if (Facts.Clock.Announced || !Facts.Clock.steps())
    return;
  PhaseFinder Finder(R, Facts);
  for (const auto &[Thread, Loop] : Finder.loops())
    addLoop(R, Finder, Loop, Facts);
}

} // namespace tensorleak
