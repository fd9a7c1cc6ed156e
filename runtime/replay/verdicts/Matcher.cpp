//===-- Matcher.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/verdicts/Matcher.h"
#include "findings/RuleNames.h"

#include <algorithm>
#include <cmath>

namespace tensorleak {

static bool onLine(const Location &A, const Location &B) {
  return A.Line == B.Line && A.File == B.File;
}

bool isProducer(const Finding &F, const Location &Where) {
  const std::vector<Location> &Producers = F.TheSubject.Producers;
  return std::any_of(Producers.begin(), Producers.end(),
                     [&Where](const Location &P) { return onLine(P, Where); });
}

namespace {

bool isOwnLine(const Finding &F, const Location &Where) {
  return onLine(F.Where, Where) || isProducer(F, Where);
}

std::vector<Lifetime> lifetimesBy(const StepClock &Clock, const std::vector<RecordedObject> &All) {
  std::vector<Lifetime> Out;
  for (const RecordedObject &O : All)
    Out.push_back({Clock.birthOf(O), Clock.deathOf(O).value_or(Lifetime::Never),
                   static_cast<int64_t>(O.Bytes)});
  return Out;
}

/// The censuses that fall in the judged steps. They are taken at powers of two, so
/// that two lie in the last three quarters of any run; a third of warm-up, as for
/// bytes, could leave only one.
std::vector<const NodeCount *> judgedCensuses(const RunFacts &Run, const StepClock &Clock) {
  std::vector<const NodeCount *> Out;
  for (const NodeCount &C : Run.Censuses) {
    uint32_t Step = Clock.stepOf(C.Tick);
    if (Step > 0 && 4 * Step >= Clock.steps() && Step <= Clock.steps())
      Out.push_back(&C);
  }
  return Out;
}

/// \p NodesOf counts what is of interest in one census.
template <typename Fn>
NodeGrowth growthBetweenCensuses(const RunFacts &Run, const StepClock &Clock, Fn NodesOf) {
  NodeGrowth Out;
  std::vector<const NodeCount *> Judged = judgedCensuses(Run, Clock);
  if (Judged.size() < 2)
    return Out;
  const NodeCount &First = *Judged.front(), &Last = *Judged.back();
  double Steps = Clock.stepOf(Last.Tick) - Clock.stepOf(First.Tick);
  if (Steps < 1)
    return Out;
  Out.Known = true;
  Out.Trusted = First.Trusted && Last.Trusted;
  Out.PerStep = static_cast<double>(NodesOf(Last) - NodesOf(First)) / Steps;
  return Out;
}

/// Below this growth cannot be distinguished from the heap's own noise: one autograd node
/// with what hangs on it takes about 750 bytes.
constexpr double MinHeapBytesPerStep = 256;

} // namespace

Match match(const Finding &F, const std::vector<Frame> &Frames) {
  Match Best = Match::None;
  for (const Frame &Fr : Frames) {
    if (isOwnLine(F, Fr.Where))
      return Match::Line;
    if (F.TheSubject.Graph && F.TheSubject.Loop.Begin && F.TheSubject.Loop.contains(Fr.Where))
      Best = Match::Loop;
  }
  return Best;
}

bool isProduced(const Finding &F, const std::vector<Frame> &Frames) {
  bool OnlyNames = F.Rule == rules::UndeletedTensor && !F.TheSubject.Producers.empty();
  return std::any_of(Frames.begin(), Frames.end(), [&](const Frame &Fr) {
    return OnlyNames ? isProducer(F, Fr.Where) : isOwnLine(F, Fr.Where);
  });
}

bool isHeldBy(const Finding &F, const Holder &H) {
  const Location &Wanted = F.TheSubject.HolderDecl;
  return Wanted.isValid() &&
         std::any_of(H.Declarations.begin(), H.Declarations.end(),
                     [&Wanted](const Location &Where) { return onLine(Wanted, Where); });
}

bool isHeldBy(const Finding &F, const HeldSite &Held) {
  return std::any_of(Held.Holders.begin(), Held.Holders.end(),
                     [&F](const Holder &H) { return isHeldBy(F, H); });
}

bool isHeldBy(const Finding &F, const SourceSite &Site, const RunFacts &Run) {
  return std::any_of(Run.Held.begin(), Run.Held.end(), [&](const HeldSite &Held) {
    return Site.Ids.count(Held.SiteId) && isHeldBy(F, Held);
  });
}

/// Prefers the finding's variable, then the holder of more objects.
static bool isBetter(const Finding &F, const Holder &A, const Holder &B) {
  const bool IsOwn = isHeldBy(F, A);
  return IsOwn != isHeldBy(F, B) ? IsOwn : A.Targets > B.Targets;
}

const Holder *holderOf(const Finding &F, const RunFacts &Run) {
  const Holder *Best = nullptr;
  for (const HeldSite &Held : Run.Held) {
    if (match(F, Held.Frames) == Match::None && !isHeldBy(F, Held))
      continue;
    for (const Holder &H : Held.Holders)
      if (!Best || isBetter(F, H, *Best))
        Best = &H;
  }
  return Best;
}

/// A custom function's node is made where it is applied; what is wrong stands in its class.
static bool isInClassOf(const Finding &F, const GraphCycle &C) {
  return std::any_of(C.Classes.begin(), C.Classes.end(), [&F](const std::string &Class) {
    return F.Function.rfind(Class + "::", 0) == 0;
  });
}

static bool isCycleOf(const Finding &F, const GraphCycle &C) {
  return isInClassOf(F, C) ||
         std::any_of(C.Places.begin(), C.Places.end(), [&F](const std::vector<Frame> &Frames) {
           return match(F, Frames) != Match::None;
         });
}

const GraphCycle *cycleOf(const Finding &F, const RunFacts &Run) {
  auto It = std::find_if(Run.Cycles.begin(), Run.Cycles.end(),
                         [&F](const GraphCycle &C) { return isCycleOf(F, C); });
  return It == Run.Cycles.end() ? nullptr : &*It;
}

bool isKeptByCycleOf(const Finding &F, const SourceSite &Site, const RunFacts &Run) {
  return !Run.Cycles.empty() && onlyNodesHold(Site, Run) &&
         std::all_of(Run.Cycles.begin(), Run.Cycles.end(),
                     [&F](const GraphCycle &C) { return isCycleOf(F, C); });
}

/// "search<Node>" and "search" are one function for who reads the source.
static std::string withoutArguments(const std::string &Function) {
  return Function.substr(0, Function.find('<'));
}

static bool isInFunctionOf(const Finding &F, const std::vector<Frame> &Frames) {
  return !F.Function.empty() && std::any_of(Frames.begin(), Frames.end(), [&F](const Frame &Fr) {
    return Fr.Where.File == F.Where.File &&
           withoutArguments(Fr.Function) == withoutArguments(F.Function);
  });
}

bool isLostWithOwner(const Finding &F, const SourceSite &Site, const RunFacts &Run) {
  auto IsOwn = [&F](const SourceSite &S) {
    return S.Allocations && match(F, S.Frames) == Match::Line;
  };
  return F.TheKind == Kind::Ownership && F.Rule != rules::UnfreedDeviceMemory &&
         nobodyHolds(Site, Run) && isInFunctionOf(F, Site.Frames) &&
         std::none_of(Run.Sites.begin(), Run.Sites.end(), IsOwn);
}

/// A graph for nothing explains what stays alive with it.
static bool speaksOfGrowth(const Finding &F) {
  return F.TheKind == Kind::Retention || F.TheKind == Kind::Ownership ||
         (F.Rule == rules::MissingNoGrad && F.TheEvidence.BytesPerStep);
}

bool explainsGrowth(const Finding &F, const SourceSite &Site, const RunFacts &Run) {
  if (!speaksOfGrowth(F) || F.TheVerdict == Verdict::NotReached || F.TheVerdict == Verdict::Refuted)
    return false;
  if (match(F, Site.Frames) != Match::None || match(F, Site.Forward) != Match::None)
    return true;
  if (F.TheVerdict != Verdict::Confirmed)
    return false;
  return F.TheKind == Kind::Retention ? isHeldBy(F, Site, Run) || isKeptByCycleOf(F, Site, Run)
                                      : isLostWithOwner(F, Site, Run);
}

static int64_t perRound(int64_t BytesPerStep, const StepClock &Clock) {
  return std::llround(static_cast<double>(BytesPerStep) / static_cast<double>(Clock.RoundsPerStep));
}

/// Where samples lie between two steps, one may meet the old object beside the new one, for
/// which it is being copied. So counted is the largest that there was, as long as it, or two
/// of the kind at most, are what is alive; nothing where that does not hold.
static std::map<uint64_t, int64_t> newestOf(const SourceSite &Site, uint64_t FirstTick) {
  for (auto Live = Site.LiveBytes.lower_bound(FirstTick); Live != Site.LiveBytes.end(); ++Live) {
    auto Largest = Site.LargestBytes.find(Live->first);
    if (Largest == Site.LargestBytes.end() || Live->second < Largest->second ||
        Live->second > 2 * Largest->second)
      return {};
  }
  return Site.LargestBytes;
}

static uint64_t firstTickAfterWarmUp(const StepClock &Clock, const SourceSite &Site) {
  for (const auto &[Tick, Bytes] : Site.LiveBytes)
    if (Clock.stepOf(Tick) > warmUpSteps(Clock.steps()))
      return Tick;
  return UINT64_MAX;
}

/// One object that is made anew in every step, each time larger, outlives no step: only
/// what the site holds at a few steps shows it.
static void addRecreatedGrowth(const StepClock &Clock, SiteGrowth &G) {
  std::vector<std::pair<uint32_t, int64_t>> Samples;
  for (const auto &[Tick, Bytes] :
       Clock.Inferred ? newestOf(*G.Site, firstTickAfterWarmUp(Clock, *G.Site)) : G.Site->LiveBytes)
    if (uint32_t Step = Clock.stepOf(Tick);
        Step > warmUpSteps(Clock.steps()) && Step <= Clock.steps())
      if (Samples.empty() || Samples.back().first != Step)
        Samples.emplace_back(Step, Bytes);
  // Samples between two steps meet what a round just has: sizes that take turns may rise by
  // chance in a few of them.
  constexpr size_t EnoughBetweenSteps = 8;
  if (!growsSteadily(Samples) || (Clock.Inferred && Samples.size() < EnoughBetweenSteps))
    return;
  G.TheGrowth = Growth::Growing;
  G.TotalBytes = Samples.back().second;
  G.BytesPerStep = (Samples.back().second - Samples.front().second) /
                   (Samples.back().first - Samples.front().first);
  G.BytesPerStep = perRound(G.BytesPerStep, Clock);
}

/// A container of the program's own, which outlives many steps, and is replaced in few.
static void addArrayGrowth(const StepClock &Clock, SiteGrowth &G) {
  constexpr int64_t WorthSaying = 256; // not a number that is written down in each step
  std::vector<Lifetime> Lives = lifetimesBy(Clock, G.Site->Objects);
  int64_t PerStep = arrayBytesPerStep(Lives, Clock.steps());
  if (!G.Site->OnHeap || perRound(PerStep, Clock) < WorthSaying)
    return;
  G.TheGrowth = Growth::Growing;
  G.BytesPerStep = perRound(PerStep, Clock);
  G.TotalBytes = PerStep * Clock.steps();
}

/// Of what a place that grows holds, what it made in the first rounds, where that is more than they
/// would make again: buffers and parameters that are made on the same line, and are no part of it.
static int64_t setUpBytes(const std::vector<Lifetime> &Lives, uint32_t Steps,
                          int64_t BytesPerStep) {
  constexpr uint32_t FirstRounds = 2;
  int64_t Bytes = 0;
  for (const Lifetime &L : Lives)
    if (L.Birth < FirstRounds && L.Death >= Steps)
      Bytes += L.Bytes;
  return Bytes > 4 * FirstRounds * BytesPerStep ? Bytes : 0;
}

/// Whether nine of ten rounds keep something, from the first third to the last.
static bool nearlyAllKeep(const SiteSeries &S) {
  for (uint32_t Third = 0; Third < 3; ++Third) {
    uint32_t From = S.steps() * Third / 3, To = S.steps() * (Third + 1) / 3;
    auto Births = std::count_if(S.BirthsAlive.begin(), S.BirthsAlive.end(),
                                [From, To](uint32_t B) { return B >= From && B < To; });
    if (10 * Births < 9 * static_cast<std::ptrdiff_t>(To - From) - 10)
      return false;
  }
  return true;
}

static Growth judgeBy(const StepClock &Clock, const SiteSeries &Series) {
  Growth Out = judge(Series);
  if (Clock.FreesUnknown && Out != Growth::TooShort && !nearlyAllKeep(Series))
    return Growth::Bounded;
  return Out;
}

SiteGrowth growthOf(const std::vector<RecordedObject> &Objects, const StepClock &Clock) {
  std::vector<Lifetime> Lives = lifetimesBy(Clock, Objects);
  SiteSeries Series = seriesOf(Lives, Clock.steps());
  SiteGrowth G{nullptr, judgeBy(Clock, Series)};
  G.Rounds = Clock.rounds();
  G.Per = Clock.Per;
  if (Series.steps())
    G.TotalBytes = Series.Bytes.back();
  if (G.TheGrowth == Growth::Growing || G.TheGrowth == Growth::Slowing) {
    int64_t PerStep = bytesPerStep(Series.Bytes);
    G.BytesPerStep = perRound(PerStep, Clock);
    G.TotalBytes -= setUpBytes(Lives, Series.steps(), PerStep);
  }
  G.TotalObjects = size_t(std::count_if(Lives.begin(), Lives.end(), [&](const Lifetime &L) {
    return L.Birth < Series.steps() && L.Death >= Series.steps();
  }));
  return G;
}

bool keepsMore(const SiteGrowth &G) {
  return G.TheGrowth == Growth::Growing && (G.BytesPerStep > 0 || !G.Site->Thing.isMemory());
}

std::string perOfBoth(const std::string &A, const std::string &B) { return A == B ? A : "round"; }

std::vector<SiteGrowth> growthOfSites(const RunFacts &Run, const StepClock &Clock) {
  std::vector<SiteGrowth> Out;
  bool IsPrograms = Clock.Inferred == Run.Clock.Inferred && Clock.Ticks == Run.Clock.Ticks;
  for (const SourceSite &Site : Run.Sites) {
    const StepClock &Own = IsPrograms && Site.Loop ? Run.OtherLoops[*Site.Loop] : Clock;
    SiteGrowth G = growthOf(Site.Objects, Own);
    G.Site = &Site;
    if (G.TheGrowth == Growth::Bounded)
      addRecreatedGrowth(Own, G);
    if (G.TheGrowth != Growth::Growing)
      addArrayGrowth(Own, G);
    if (Own.Inferred && Site.Gathered)
      G.TheGrowth = Growth::Bounded;
    Out.push_back(G);
  }
  return Out;
}

NodeGrowth totalNodeGrowth(const RunFacts &Run, const StepClock &Clock) {
  return growthBetweenCensuses(Run, Clock, [](const NodeCount &C) { return C.Nodes; });
}

NodeGrowth nodeGrowth(const RunFacts &Run, const StepClock &Clock, const Finding &F,
                      Match AtLeast) {
  return growthBetweenCensuses(Run, Clock, [&F, AtLeast](const NodeCount &C) {
    int64_t Nodes = 0;
    for (const NodeCount::Group &G : C.Groups)
      if (match(F, G.Frames) >= AtLeast)
        Nodes += G.Nodes;
    return Nodes;
  });
}

static std::vector<const HeapSample *> judgedHeap(const RunFacts &Run, const StepClock &Clock) {
  uint32_t WarmUp = warmUpSteps(Clock.steps());
  std::vector<const HeapSample *> Judged;
  for (const HeapSample &H : Run.Heap)
    if (uint32_t Step = Clock.stepOf(H.Tick); Step > WarmUp && Step <= Clock.steps())
      Judged.push_back(&H);
  return Judged;
}

static double stepsBetween(const StepClock &Clock, uint64_t First, uint64_t Last) {
  return static_cast<double>((Clock.stepOf(Last) - Clock.stepOf(First)) * Clock.RoundsPerStep);
}

bool heapIsFlat(const RunFacts &Run, const StepClock &Clock) {
  return judgedHeap(Run, Clock).size() >= 2 && heapBytesPerStep(Run, Clock) == 0;
}

double nodesPerStep(const RunFacts &Run, const StepClock &Clock) {
  std::vector<const HeapSample *> Judged = judgedHeap(Run, Clock);
  if (Judged.empty())
    return 0;
  double Steps = stepsBetween(Clock, Judged.front()->Tick, Judged.back()->Tick);
  double More = static_cast<double>(Judged.back()->Nodes - Judged.front()->Nodes);
  return Steps < 1 ? 0 : std::max(0.0, More / Steps);
}

/// The middle one of the slopes between two samples: the probe's own searches, and caches that
/// are filled at once, show in a few of them.
int64_t heapBytesPerStep(const RunFacts &Run, const StepClock &Clock) {
  std::vector<const HeapSample *> Judged = judgedHeap(Run, Clock);
  std::vector<double> Slopes;
  for (size_t I = 1; I < Judged.size(); ++I)
    if (double Steps = stepsBetween(Clock, Judged[I - 1]->Tick, Judged[I]->Tick); Steps >= 1)
      Slopes.push_back(static_cast<double>(Judged[I]->Bytes - Judged[I - 1]->Bytes) / Steps);
  std::sort(Slopes.begin(), Slopes.end());
  if (Slopes.empty() || !(Slopes.front() >= MinHeapBytesPerStep))
    return 0;
  return std::llround(Slopes[(Slopes.size() - 1) / 2]);
}

} // namespace tensorleak
