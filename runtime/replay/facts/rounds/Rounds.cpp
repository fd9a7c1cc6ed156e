//===-- Rounds.cpp ----------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/facts/rounds/Rounds.h"
#include "runtime/replay/facts/rounds/Gathering.h"
#include "runtime/replay/facts/rounds/Loading.h"
#include "runtime/replay/facts/rounds/LoopClock.h"
#include "runtime/replay/growth/Growth.h"

#include <algorithm>

namespace tensorleak {
namespace {

class RoundFinder {
public:
  RoundFinder(const Recording &R, const RunFacts &Facts)
      : R(R), Horizon(horizonOf(R)), All(beatsOf(R, Facts)) {}

  /// The clock of the loop, without boundaries if there is none.
  StepClock loop() {
    Beats Through;
    for (const Beat &B : All)
      if (runsThrough(B, R))
        Through.push_back(&B);
    if (Through.empty())
      return {};
    LoopBeat Loop = loopBeat(Through);
    Chosen = Loop.Chosen;
    ThreadOfLoop = threadOf(*Loop.Chosen->Site);
    return clockOf(R, Loop, Horizon);
  }

  /// The loops of other threads that run all through the program: who fills a queue and who
  /// empties it need not go round at the same time. By their outermost functions.
  std::map<std::string, StepClock> loopsOfOtherThreads() {
    std::map<std::string, Beats> Through;
    for (const Beat &B : All)
      if (std::string Thread = threadOf(*B.Site);
          runsThrough(B, R) && !Thread.empty() && Thread != ThreadOfLoop)
        Through[Thread].push_back(&B);
    std::map<std::string, StepClock> Out;
    for (const auto &[Thread, OfThread] : Through)
      if (StepClock Clock = clockOf(R, loopBeat(OfThread), Horizon);
          Clock.steps() >= MinStepsToJudge)
        Out[Thread] = std::move(Clock);
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
  return std::string(NoSteps) + "; a step is taken to be each " + Facts.Clock.Name +
         (Facts.OnlyLoads ? "; nearly all that is allocated there stays, as where data is "
                            "loaded: called a leak is only what is lost or never freed"
                          : "");
}

void setClock(const Recording &R, StepClock Clock, RunFacts &Facts) {
  Facts.Clock = inferred(R, std::move(Clock));
  Facts.OnlyLoads = onlyLoads(Facts, Facts.Clock);
  Facts.ClockRemark = described(Facts);
}

void addThreadLoops(const Recording &R, RoundFinder &Finder, RunFacts &Facts) {
  std::map<std::string, size_t> Numbers;
  for (auto &[Thread, Clock] : Finder.loopsOfOtherThreads()) {
    Numbers[Thread] = Facts.OtherLoops.size();
    Facts.ClockRemark += "; for other threads each " + Clock.Name;
    Facts.OtherLoops.push_back(inferred(R, Clock));
  }
  for (SourceSite &Site : Facts.Sites)
    if (auto Loop = Numbers.find(threadOf(Site)); Loop != Numbers.end())
      Site.Loop = Loop->second;
}

} // namespace

void inferRounds(const Recording &R, RunFacts &Facts) {
  if (!R.Read.Now.Allocations)
    return;
  RoundFinder Finder(R, Facts);
  StepClock Loop = Finder.loop();
  if (Loop.steps() >= MinStepsToJudge) {
    setClock(R, std::move(Loop), Facts);
    addThreadLoops(R, Finder, Facts);
    return markGathered(R, *Finder.Chosen, /*Loop=*/std::nullopt, Facts);
  }
  if (!Loop.Name.empty()) {
    Facts.ClockRemark = tooFew(Loop, Finder.Chosen->Executions);
    return;
  }
  StepClock Age = Finder.stretches();
  if (Age.steps() && !onlyLoads(Facts, Age))
    return setClock(R, std::move(Age), Facts);
  Facts.ClockRemark = std::string(NoSteps) + ", nor a loop that runs through most of the "
                                             "program: growth per step cannot be judged";
}

} // namespace tensorleak
