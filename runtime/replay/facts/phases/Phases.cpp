//===-- Phases.cpp ----------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/facts/phases/Phases.h"
#include "runtime/replay/facts/phases/Activity.h"
#include "runtime/replay/facts/rounds/Gathering.h"
#include "runtime/replay/facts/rounds/Loading.h"
#include "runtime/replay/facts/rounds/LoopClock.h"
#include "runtime/replay/growth/Growth.h"

#include <algorithm>

namespace tensorleak {
namespace {

/// Between which steps a site allocated, and how often: by the number of the step before.
using Visits = std::map<size_t, uint64_t>;

/// One loop of the program, and the times in which it goes round.
struct Phase {
  LoopBeat Loop;
  Spells When;
};

class PhaseFinder {
public:
  PhaseFinder(const Recording &R, const RunFacts &Facts)
      : R(R), Horizon(horizonOf(R)), All(beatsOf(R, Facts)), HasSteps(!Facts.Clock.Inferred) {
    for (const trace::Boundary &B : R.Boundaries)
      if (HasSteps &&
          std::binary_search(Facts.Clock.Ticks.begin(), Facts.Clock.Ticks.end(), B.Tick))
        Steps.push_back(B.Sequence);
  }

  /// Those between the steps, or all beside the loop that \p Judged is in.
  std::vector<Phase> phases(const Beat *Judged) const {
    std::map<std::string, Beats> ByThread;
    for (const Beat &B : All)
      if (HasSteps ? goesRoundInPauses(B) : B.Executions >= MinStepsToJudge && !B.Site->Loop)
        ByThread[threadOf(*B.Site)].push_back(&B);
    std::vector<Phase> Out;
    for (const auto &[Thread, OfThread] : ByThread)
      for (const Activity &A : activitiesOf(OfThread))
        if (!Judged || !contains(A, *Judged))
          Out.push_back({loopBeat(A.Members), A.When});
    return Out;
  }

  /// Its last tick is where all that survives is known: what one pass keeps may be dropped after
  /// it.
  StepClock clockOfLoop(const Phase &P) const {
    StepClock Clock = clockOf(R, P.Loop, Horizon);
    if (HasSteps)
      beginWhereFreesAreKnown(P, Clock);
    if (!Clock.Ticks.empty() && Clock.Ticks.back() < Horizon)
      Clock.Ticks.push_back(Horizon);
    return inferred(R, std::move(Clock));
  }

  /// The sites that allocate, often in each, in the times in which that loop goes round.
  std::set<const SourceSite *> sitesOf(const Phase &P) const {
    std::map<const SourceSite *, Share> BySite;
    const std::string Thread = threadOf(*P.Loop.Chosen->Site);
    for (const Beat &B : All)
      if (threadOf(*B.Site) == Thread)
        BySite[B.Site].add(B, P.When, visitsOf(B));
    std::set<const SourceSite *> Out;
    for (const auto &[Site, Of] : BySite)
      if (!Site->Loop && Of.isMostlyIn())
        Out.insert(Site);
    return Out;
  }

  /// Before the first step a training is prepared, and what a loop keeps that others follow may be
  /// there for these; but not what pass after pass adds to.
  bool maybeForLater(const Phase &P) const {
    constexpr size_t Passes = 3;
    Visits V = visitsOf(*P.Loop.Chosen);
    size_t Times = HasSteps ? V.size() - V.count(0) : spellsOf(*P.Loop.Chosen).size();
    bool Prepares = HasSteps && 2 * beforeFirstStep(V) >= P.Loop.Chosen->Executions;
    return Prepares || (Times < Passes && !reachesTheEnd(*P.Loop.Chosen, R));
  }

private:
  struct Share {
    uint64_t Times = 0, Within = 0;
    Visits Visited;
    void add(const Beat &B, const Spells &When, const Visits &V) {
      Times += B.Stride * B.At.size();
      Within += executionsIn(B, When);
      for (const auto &[Pause, Count] : V)
        Visited[Pause] += Count;
    }
    /// Of what is done once after an epoch its steps are the rounds.
    bool isMostlyIn() const {
      constexpr uint64_t AFew = 4;
      return 4 * Within >= 3 * Times && Times >= AFew * Visited.size();
    }
  };

  static bool contains(const Activity &A, const Beat &B) {
    auto IsSame = [&B](const Beat *M) { return M->SiteId == B.SiteId; };
    return std::any_of(A.Members.begin(), A.Members.end(), IsSame);
  }

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
    bool IsRare = V.size() == 1 || 2 * V.size() <= Steps.size();
    return IsRare && B.Executions >= MinStepsToJudge && B.Executions >= RoundsOfPause * V.size();
  }

  /// What is born and freed before the first generation of a pause begins is not recorded, and
  /// what lasts as long later is: it would seem to become more. Where too few rounds are left, all
  /// count, and only what nearly all of them keep is more.
  void beginWhereFreesAreKnown(const Phase &P, StepClock &Clock) const {
    Visits V = visitsOf(*P.Loop.Chosen);
    if (V.size() != 1 || Clock.Ticks.empty())
      return;
    uint64_t Known = firstAgeAfter(V.begin()->first ? Steps[V.begin()->first - 1] : 0);
    auto First = std::lower_bound(Clock.Ticks.begin(), Clock.Ticks.end(), Known);
    if (Clock.Ticks.end() - First >= std::ptrdiff_t(MinStepsToJudge))
      Clock.Ticks.erase(Clock.Ticks.begin(), First);
    else
      Clock.FreesUnknown = First != Clock.Ticks.begin();
  }

  uint64_t firstAgeAfter(uint64_t Allocations) const {
    for (const trace::Boundary &B : R.Boundaries)
      if (B.TheKind == trace::BoundaryKind::Age && B.Sequence >= Allocations)
        return B.Sequence;
    return Horizon;
  }

  const Recording &R;
  const uint64_t Horizon;
  const std::vector<Beat> All;
  const bool HasSteps;
  std::vector<uint64_t> Steps; ///< allocations before each
};

void addRemark(const StepClock &Clock, RunFacts &Facts) {
  if (Facts.Clock.Inferred || !Facts.Clock.steps())
    Facts.ClockRemark += "; in a part of it, each " + Clock.Name;
  else
    Facts.ClockRemark +=
        (Facts.ClockRemark.empty() ? "what is done between these steps has rounds of its own: each "
                                   : ", each ") +
        Clock.Name;
}

void addLoop(const Recording &R, const PhaseFinder &Finder, const Phase &P, RunFacts &Facts) {
  StepClock Clock = Finder.clockOfLoop(P);
  if (Clock.steps() < MinStepsToJudge || onlyLoads(Facts, Clock))
    return;
  const size_t Number = Facts.OtherLoops.size();
  const bool MaybeForLater = Finder.maybeForLater(P);
  std::set<const SourceSite *> Sites = Finder.sitesOf(P);
  for (SourceSite &Site : Facts.Sites)
    if (Sites.count(&Site)) {
      Site.Loop = Number;
      Site.MaybeForLater = MaybeForLater;
    }
  if (MaybeForLater) {
    markFreedLater(R, *P.Loop.Chosen, Number, Facts);
  } else {
    markGathered(R, *P.Loop.Chosen, Number, Facts);
    addRemark(Clock, Facts);
  }
  Facts.OtherLoops.push_back(std::move(Clock));
}

void addLoops(const Recording &R, const Beat *Judged, RunFacts &Facts) {
  PhaseFinder Finder(R, Facts);
  for (const Phase &P : Finder.phases(Judged))
    addLoop(R, Finder, P, Facts);
}

} // namespace

void inferPhases(const Recording &R, RunFacts &Facts) {
  if (Facts.Clock.Announced || !Facts.Clock.steps())
    return;
  addLoops(R, /*Judged=*/nullptr, Facts);
}

void inferPhasesBeside(const Recording &R, const Beat *Judged, RunFacts &Facts) {
  addLoops(R, Judged, Facts);
}

} // namespace tensorleak
