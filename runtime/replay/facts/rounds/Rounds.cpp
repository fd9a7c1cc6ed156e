//===-- Rounds.cpp ----------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/facts/rounds/Rounds.h"
#include "runtime/replay/facts/phases/Phases.h"
#include "runtime/replay/facts/rounds/Gathering.h"
#include "runtime/replay/facts/rounds/Loading.h"
#include "runtime/replay/facts/rounds/LoopClock.h"
#include "runtime/replay/growth/Growth.h"

#include <algorithm>

namespace tensorleak {
namespace {

struct OtherLoop {
  StepClock Clock;
  const Beat *Chosen = nullptr; ///< the clock's place
};

class RoundFinder {
public:
  RoundFinder(const Recording &R, const RunFacts &Facts)
      : R(R), Horizon(horizonOf(R)), All(beatsOf(R, Facts)) {}

  /// The clock of the loop, without boundaries if there is none.
  StepClock loop() { return loopOf(allThat(runsThrough)); }

  /// The same of the loop that is only the last part of the program.
  StepClock lastLoop() { return loopOf(allThat(isLastPart)); }

  /// What allocates, in the thread of the loop, nearly only since that began.
  std::set<const SourceSite *> sitesOfLoop() const {
    std::map<const SourceSite *, Times> All;
    for (const Beat &B : this->All)
      if (threadOf(*B.Site) == ThreadOfLoop)
        All[B.Site].add(B, Chosen->At.front() - std::min(Chosen->At.front(), largestGap(*Chosen)));
    std::set<const SourceSite *> Out;
    for (const auto &[Site, T] : All)
      if (4 * T.Since >= 3 * T.All)
        Out.insert(Site);
    return Out;
  }

  /// The loops of other threads that run all through the program: who fills a queue and who
  /// empties it need not go round at the same time. By their outermost functions.
  std::map<std::string, OtherLoop> loopsOfOtherThreads() {
    std::map<std::string, Beats> Through;
    for (const Beat &B : All)
      if (std::string Thread = threadOf(*B.Site);
          runsThrough(B, R) && !Thread.empty() && Thread != ThreadOfLoop)
        Through[Thread].push_back(&B);
    std::map<std::string, OtherLoop> Out;
    for (const auto &[Thread, OfThread] : Through) {
      LoopBeat Loop = loopBeat(OfThread);
      if (StepClock Clock = clockOf(R, Loop, Horizon); Clock.steps() >= MinStepsToJudge)
        Out[Thread] = {std::move(Clock), Loop.Chosen};
    }
    return Out;
  }

  /// Equally many allocations each, if there are enough of them.
  StepClock stretches() const {
    constexpr uint64_t Stretches = 64, FewestInOne = 8;
    bool LastsToTheEnd = std::any_of(All.begin(), All.end(),
                                     [this](const Beat &B) { return reachesEndInTime(B, R); });
    if (Horizon < Stretches * FewestInOne || !LastsToTheEnd)
      return {};
    uint64_t Length = Horizon / Stretches;
    StepClock Out{"stretch of " + std::to_string(Length) + " allocations", {}, false};
    for (uint64_t I = 1; I <= Stretches; ++I)
      Out.Ticks.push_back(I * Length);
    return Out;
  }

  const Beat *Chosen = nullptr; ///< the clock's place

private:
  /// How often a place allocated.
  struct Times {
    uint64_t Since = 0, All = 0;
    void add(const Beat &B, uint64_t Begin) {
      auto First = std::lower_bound(B.At.begin(), B.At.end(), Begin);
      Since += B.Stride * uint64_t(B.At.end() - First);
      All += B.Stride * B.At.size();
    }
  };

  StepClock loopOf(const Beats &Among) {
    if (Among.empty())
      return {};
    LoopBeat Loop = loopBeat(Among);
    Chosen = Loop.Chosen;
    ThreadOfLoop = threadOf(*Loop.Chosen->Site);
    return clockOf(R, Loop, Horizon);
  }

  Beats allThat(bool (*Is)(const Beat &, const Recording &)) const {
    Beats Out;
    for (const Beat &B : All)
      if (Is(B, R))
        Out.push_back(&B);
    return Out;
  }

  const Recording &R;
  const uint64_t Horizon;
  const std::vector<Beat> All;
  std::string ThreadOfLoop;
};

constexpr const char *NoSteps = "no optimizer step and no backward pass was seen, and nothing is "
                                "marked";

std::string tooFew(const StepClock &Clock, uint64_t Executions) {
  return std::string(NoSteps) + "; the loop went round " + std::to_string(Executions) + " times (" +
         Clock.Name + "): too few to judge growth, about " + std::to_string(2 * MinStepsToJudge) +
         " rounds are needed";
}

std::string described(const RunFacts &Facts) {
  return std::string(NoSteps) + "; each " + Facts.Clock.Name + " counts as a step" +
         (Facts.OnlyLoads ? "; nearly all that is allocated there stays, as in a loop that loads "
                            "data: only what is lost or never freed is called a leak"
                          : "");
}

void setClock(const Recording &R, StepClock Clock, RunFacts &Facts) {
  Clock.Per.clear(); // its rounds are the steps
  Facts.Clock = inferred(R, std::move(Clock));
  Facts.OnlyLoads = onlyLoads(Facts, Facts.Clock);
  Facts.ClockRemark = described(Facts);
}

void addThreadLoops(const Recording &R, RoundFinder &Finder, RunFacts &Facts) {
  const std::map<std::string, OtherLoop> Loops = Finder.loopsOfOtherThreads();
  std::map<std::string, size_t> Numbers;
  for (const auto &[Thread, Loop] : Loops) {
    Numbers[Thread] = Facts.OtherLoops.size();
    Facts.ClockRemark += "; in other threads, each " + Loop.Clock.Name;
    Facts.OtherLoops.push_back(inferred(R, Loop.Clock));
  }
  for (auto *Sites : {&Facts.Sites, &Facts.HeapSamples})
    for (SourceSite &Site : *Sites)
      if (auto Loop = Numbers.find(threadOf(Site)); Loop != Numbers.end())
        Site.Loop = Loop->second;
  for (const auto &[Thread, Loop] : Loops)
    endHandedOver(R, *Loop.Chosen, Numbers[Thread], Facts);
}

/// A program whose rounds are known has one more loop, of its last part.
void addLastLoop(const Recording &R, const RoundFinder &Finder, StepClock Loop, RunFacts &Facts) {
  if (Loop.steps() < MinStepsToJudge || onlyLoads(Facts, Loop))
    return;
  const size_t Number = Facts.OtherLoops.size();
  std::set<const SourceSite *> Sites = Finder.sitesOfLoop();
  for (SourceSite &Site : Facts.Sites)
    if (Sites.count(&Site))
      Site.Loop = Number;
  Facts.ClockRemark += "; in its last part each " + Loop.Name;
  Facts.OtherLoops.push_back(inferred(R, std::move(Loop)));
  markGathered(R, *Finder.Chosen, Number, Facts);
}

void judgeByLoop(const Recording &R, RoundFinder &Finder, StepClock Loop, RunFacts &Facts) {
  setClock(R, std::move(Loop), Facts);
  addThreadLoops(R, Finder, Facts);
  endHandedOver(R, *Finder.Chosen, /*Loop=*/std::nullopt, Facts);
  markGathered(R, *Finder.Chosen, /*Loop=*/std::nullopt, Facts);
}

} // namespace

/// Returns the place of the loop that all is judged by, if there is one.
static const Beat *inferMainLoop(const Recording &R, RoundFinder &Finder, RunFacts &Facts) {
  StepClock Loop = Finder.loop();
  if (Loop.steps() >= MinStepsToJudge) {
    judgeByLoop(R, Finder, std::move(Loop), Facts);
    return Finder.Chosen;
  }
  if (!Loop.Name.empty()) {
    Facts.ClockRemark = tooFew(Loop, Finder.Chosen->Executions);
    return nullptr;
  }
  StepClock Age = Finder.stretches(), Last = Finder.lastLoop();
  if (Age.steps() && !onlyLoads(Facts, Age)) {
    setClock(R, std::move(Age), Facts);
    addLastLoop(R, Finder, std::move(Last), Facts);
  } else if (Last.steps() >= MinStepsToJudge) {
    judgeByLoop(R, Finder, std::move(Last), Facts);
  } else {
    Facts.ClockRemark = std::string(NoSteps) + ", nor a loop that runs through most of the "
                                               "program: growth per step cannot be judged";
    return nullptr;
  }
  return Finder.Chosen;
}

void inferRounds(const Recording &R, RunFacts &Facts) {
  if (!R.Read.Now.Allocations)
    return;
  RoundFinder Finder(R, Facts);
  inferPhasesBeside(R, inferMainLoop(R, Finder, Facts), Facts);
}

} // namespace tensorleak
