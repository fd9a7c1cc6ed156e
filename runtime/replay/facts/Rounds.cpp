//===-- Rounds.cpp ----------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/facts/Rounds.h"
#include "runtime/replay/growth/Growth.h"

namespace tensorleak {
namespace {

/// When one recorded site allocated.
struct Beat {
  const SourceSite *Site = nullptr;
  uint64_t SiteId = 0;
  std::vector<uint64_t> At; ///< allocations before it, itself counted; ascending
  uint64_t Stride = 1;      ///< executions from one to the next
  uint64_t Executions = 0;  ///< all
  uint64_t Micros[2] = {};  ///< of the first and the last
  uint64_t span() const { return At.empty() ? 0 : At.back() - At.front(); }
};

using Beats = std::vector<const Beat *>;

uint64_t largestGap(const Beat &B) {
  uint64_t Most = 0;
  for (size_t I = 1; I < B.At.size(); ++I)
    Most = std::max(Most, B.At[I] - B.At[I - 1]);
  return Most;
}

class RoundFinder {
public:
  RoundFinder(const Recording &R, const RunFacts &Facts)
      : R(R), Facts(Facts), Allocations(R.Read.Now.Allocations), Horizon(horizonOf(R)) {
    for (const SourceSite &Site : Facts.Sites)
      for (uint64_t Id : Site.Ids)
        addBeat(Site, Id);
  }

  /// The clock of the loop, without boundaries if there is none.
  StepClock loop() {
    Beats Through;
    for (const Beat &B : All)
      if (runsThrough(B))
        Through.push_back(&B);
    if (Through.empty())
      return {};
    const Beat *Chosen = choose(Through, 0);
    Executions = Chosen->Executions;
    ThreadOfLoop = threadOf(*Chosen->Site);
    return clockOf(*Chosen);
  }

  /// The loops of other threads that run all through the program: who fills a queue and who
  /// empties it need not go round at the same time. By their outermost functions.
  std::map<std::string, StepClock> loopsOfOtherThreads() {
    std::map<std::string, Beats> Through;
    for (const Beat &B : All)
      if (std::string Thread = threadOf(*B.Site);
          runsThrough(B) && !Thread.empty() && Thread != ThreadOfLoop)
        Through[Thread].push_back(&B);
    std::map<std::string, StepClock> Out;
    for (const auto &[Thread, OfThread] : Through)
      if (StepClock Clock = clockOf(*choose(OfThread, 0)); Clock.steps() >= MinStepsToJudge)
        Out[Thread] = std::move(Clock);
    return Out;
  }

  /// Threads that run the same functions are as one.
  static std::string threadOf(const SourceSite &Site) {
    if (Site.Frames.empty())
      return "";
    const Frame &Outermost = Site.Frames.back();
    return Outermost.Function + '|' + Outermost.Where.File;
  }

  /// Equally many allocations each, if there are enough of them.
  StepClock stretches() const {
    constexpr uint64_t Stretches = 64, FewestInOne = 8;
    bool LastsToTheEnd =
        std::any_of(All.begin(), All.end(), [this](const Beat &B) { return reachesEndInTime(B); });
    if (Horizon < Stretches * FewestInOne || !LastsToTheEnd)
      return {};
    uint64_t Length = Horizon / Stretches;
    StepClock Out{"stretch of " + std::to_string(Length) + " allocations", {}, false};
    for (uint64_t I = 1; I <= Stretches; ++I)
      Out.Ticks.push_back(I * Length);
    return Out;
  }

  /// Nearly all that is allocated while that clock runs is alive when it ends: so it is where
  /// a model is built or data is read, but in a loop that works only if that has nothing else
  /// to do. What is kept by graphs was computed, not read.
  bool onlyLoads(const StepClock &Clock) const {
    if (graphsKeepObjects())
      return false;
    uint64_t First = Clock.Ticks.front(), Last = Clock.Ticks.back(), Alive = 0;
    for (const SourceSite &Site : Facts.Sites)
      for (const RecordedObject &O : Site.Objects)
        Alive += O.BirthSequence >= First && O.BirthSequence <= Last &&
                 (!O.DeathTick || O.DeathSequence > Last);
    return 4 * Alive >= 3 * (Last - First + 1);
  }

  uint64_t Executions = 0; ///< of the clock's place

private:
  bool graphsKeepObjects() const {
    auto ThroughNodes = [](const Holder &H) { return H.Nodes != 0; };
    return std::any_of(Facts.Held.begin(), Facts.Held.end(), [&](const HeldSite &Held) {
      return std::any_of(Held.Holders.begin(), Held.Holders.end(), ThroughNodes);
    });
  }

  StepClock clockOf(const Beat &B) const {
    StepClock Out{"execution of " + nameOf(B), {}, false};
    Out.RoundsPerStep = B.Stride;
    for (uint64_t At : B.At)
      if (At <= Horizon)
        Out.Ticks.push_back(At);
    return Out;
  }

  /// What lives two generations is recorded. Of what was born after the last but one it is
  /// only known whether it is alive at the end.
  static uint64_t horizonOf(const Recording &R) {
    std::vector<uint64_t> Ages;
    for (const trace::Boundary &B : R.Boundaries)
      if (B.TheKind == trace::BoundaryKind::Age)
        Ages.push_back(B.Sequence);
    return Ages.size() < 2 ? 0 : Ages[Ages.size() - 2];
  }

  void addBeat(const SourceSite &Site, uint64_t Id) {
    auto Pulse = R.Pulses.find(Id);
    auto Counted = R.Counters.find(Id);
    if (Pulse == R.Pulses.end() || Counted == R.Counters.end())
      return;
    const trace::SitePulse &P = Pulse->second;
    Beat B{&Site, Id, {}, P.Stride, Counted->second.Allocations, {}};
    for (uint64_t At : P.Sequences)
      if (At)
        B.At.push_back(At);
    std::sort(B.At.begin(), B.At.end());
    B.Micros[0] = P.FirstMicroseconds;
    B.Micros[1] = P.LastMicroseconds;
    if (B.At.size() >= 2)
      All.push_back(std::move(B));
  }

  bool runsThrough(const Beat &B) const {
    return isMostOfTheRun(B) && reachesTheEnd(B) && 4 * largestGap(B) <= B.span();
  }

  bool isMostOfTheRun(const Beat &B) const {
    return 2 * B.span() >= Allocations ||
           (R.End && 2 * (B.Micros[1] - B.Micros[0]) >= R.End->Microseconds);
  }

  /// A loop that builds a model, or fills buffers that are used without allocating, has an
  /// end, and the program goes on.
  bool reachesTheEnd(const Beat &B) const {
    uint64_t Rest = Allocations - B.At.back();
    return Rest <= std::max(2 * largestGap(B), B.span() / 8) && reachesEndInTime(B);
  }

  bool reachesEndInTime(const Beat &B) const {
    constexpr uint64_t Instant = 20000; // for which any program may be kept waiting
    return !R.End ||
           R.End->Microseconds - B.Micros[1] <= std::max(B.Micros[1] - B.Micros[0], Instant);
  }

  /// From the outermost function in. Two places on one line differ by their column, and two
  /// operators of one place by their number.
  static std::string keyOf(const Beat &B, size_t Depth) {
    const std::vector<Frame> &Frames = B.Site->Frames;
    if (Depth >= Frames.size())
      return "#" + std::to_string(B.SiteId);
    return placeKey(Frames[Frames.size() - 1 - Depth]);
  }

  const Beat *choose(const Beats &Among, size_t Depth) {
    std::map<std::string, Beats> Groups;
    for (const Beat *B : Among)
      Groups[keyOf(*B, Depth)].push_back(B);
    LoopDepth = Depth;
    if (Groups.size() == 1 && (Among.size() > 1 || Depth + 1 < Among[0]->Site->Frames.size()))
      return choose(Among, Depth + 1);
    Beats Calls;
    for (const auto &[Key, Group] : Groups)
      Calls.push_back(rarest(Group));
    const Beat *Best = mostAlike(Calls);
    if (const Beat *Always = loopOfCondition(*Best, Calls, Depth))
      Best = Always;
    while (const Beat *Outer = loopAround(*Best, Calls, Depth))
      Best = Outer;
    return Best;
  }

  static const std::vector<uint64_t> &blocksOf(const Beat &B, size_t Depth) {
    static const std::vector<uint64_t> None;
    const std::vector<Frame> &Frames = B.Site->Frames;
    return Depth < Frames.size() ? Frames[Frames.size() - 1 - Depth].Blocks : None;
  }

  static bool isWithin(const std::vector<uint64_t> &Blocks, const std::vector<uint64_t> &Outer) {
    return !Outer.empty() && Outer.size() <= Blocks.size() &&
           std::equal(Outer.begin(), Outer.end(), Blocks.begin());
  }

  /// If something ran too rarely to judge by: what ran more often in the same block or in one
  /// around it, as all that is executed in every round where that is done in some of them.
  static const Beat *loopOfCondition(const Beat &Rare, const Beats &Calls, size_t Depth) {
    Beats Always;
    for (const Beat *B : Calls)
      if (Rare.Executions < MinStepsToJudge && B->Executions >= MinStepsToJudge &&
          isWithin(blocksOf(Rare, Depth), blocksOf(*B, Depth)))
        Always.push_back(B);
    return Always.empty() ? nullptr : mostAlike(Always);
  }

  /// What is executed less often and stands in a block around the other's: then that is in a
  /// loop of its own, within the loop of this one. Null if there is none.
  static const Beat *loopAround(const Beat &Inner, const Beats &Calls, size_t Depth) {
    const std::vector<uint64_t> &Within = blocksOf(Inner, Depth);
    Beats Around;
    for (const Beat *B : Calls) {
      const std::vector<uint64_t> &Blocks = blocksOf(*B, Depth);
      bool IsAround = Blocks.size() < Within.size() && isWithin(Within, Blocks);
      if (IsAround && B->Executions >= MinStepsToJudge && B->Executions < Inner.Executions &&
          !sameRate(*B, Inner))
        Around.push_back(B);
    }
    return Around.empty() ? nullptr : mostAlike(Around);
  }

  static const Beat *rarest(const Beats &Group) {
    return *std::min_element(Group.begin(), Group.end(), [](const Beat *A, const Beat *B) {
      return std::make_pair(A->Executions, A->At.front()) <
             std::make_pair(B->Executions, B->At.front());
    });
  }

  /// Up to the one that the end of the run, or of its recording, has cut off.
  static bool sameRate(const Beat &A, const Beat &B) {
    uint64_t Less = std::min(A.Executions, B.Executions);
    return std::max(A.Executions, B.Executions) - Less <= 2 + Less / 50;
  }

  /// The rate that most calls have; of two the slower, which is the outer loop's.
  static const Beat *mostAlike(const Beats &Calls) {
    Beats Best;
    for (const Beat *B : Calls) {
      Beats Alike;
      for (const Beat *Other : Calls)
        if (sameRate(*B, *Other))
          Alike.push_back(Other);
      bool Slower = Alike.size() == Best.size() && B->Executions < rarest(Best)->Executions;
      if (Alike.size() > Best.size() || Slower)
        Best = Alike;
    }
    return rarest(Best);
  }

  /// "server.cpp:31 (aten::addmm)", the line being the loop's.
  std::string nameOf(const Beat &B) const {
    std::string Name = functionOfSite(R, B.SiteId);
    const std::vector<Frame> &Frames = B.Site->Frames;
    if (Frames.empty())
      return Name.empty() ? "a place without debug information" : Name;
    std::string Line =
        shortPlace(Frames[Frames.size() - 1 - std::min(LoopDepth, Frames.size() - 1)]);
    return Name.empty() ? Line : Line + " (" + Name + ")";
  }

  const Recording &R;
  const RunFacts &Facts;
  const uint64_t Allocations, Horizon;
  std::vector<Beat> All;
  size_t LoopDepth = 0; ///< of the functions in which the loop was found, from the outermost
  std::string ThreadOfLoop;
};

std::vector<uint64_t> allocationsAtTicks(const Recording &R) {
  std::vector<uint64_t> Out;
  for (const trace::Boundary &B : R.Boundaries) {
    Out.resize(std::max<size_t>(Out.size(), B.Tick));
    if (B.Tick)
      Out[B.Tick - 1] = B.Sequence;
  }
  return Out;
}

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

StepClock inferred(const Recording &R, StepClock Clock) {
  Clock.Inferred = true;
  Clock.AllocationsAtTick = allocationsAtTicks(R);
  return Clock;
}

void setClock(const Recording &R, const RoundFinder &Finder, StepClock Clock, RunFacts &Facts) {
  Facts.Clock = inferred(R, std::move(Clock));
  Facts.OnlyLoads = Finder.onlyLoads(Facts.Clock);
  Facts.ClockRemark = described(Facts);
}

void addThreadLoops(const Recording &R, RoundFinder &Finder, RunFacts &Facts) {
  std::map<std::string, size_t> Numbers;
  for (auto &[Thread, Clock] : Finder.loopsOfOtherThreads()) {
    Numbers[Thread] = Facts.ThreadLoops.size();
    Facts.ClockRemark += "; for other threads each " + Clock.Name;
    Facts.ThreadLoops.push_back(inferred(R, Clock));
  }
  for (SourceSite &Site : Facts.Sites)
    if (auto Loop = Numbers.find(RoundFinder::threadOf(Site)); Loop != Numbers.end())
      Site.Loop = Loop->second;
}

} // namespace

void inferRounds(const Recording &R, RunFacts &Facts) {
  if (!R.Read.Now.Allocations)
    return;
  RoundFinder Finder(R, Facts);
  StepClock Loop = Finder.loop();
  if (Loop.steps() >= MinStepsToJudge) {
    setClock(R, Finder, std::move(Loop), Facts);
    return addThreadLoops(R, Finder, Facts);
  }
  if (!Loop.Name.empty()) {
    Facts.ClockRemark = tooFew(Loop, Finder.Executions);
    return;
  }
  StepClock Age = Finder.stretches();
  if (Age.steps() && !Finder.onlyLoads(Age))
    return setClock(R, Finder, std::move(Age), Facts);
  Facts.ClockRemark = std::string(NoSteps) + ", nor a loop that runs through most of the "
                                             "program: growth per step cannot be judged";
}

} // namespace tensorleak
