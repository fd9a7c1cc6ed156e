//===-- HeapPlaces.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/verdicts/host/HeapPlaces.h"
#include "runtime/trace/UserCode.h"

#include <algorithm>
#include <set>

namespace tensorleak {
namespace {

bool isOfTorch(const SourceSite &Site) {
  std::string_view File = fileNameOf(Site.Taker);
  return File.substr(0, 8) == "libtorch" || File.substr(0, 6) == "libc10";
}

bool sharesLine(const std::vector<Frame> &A, const std::vector<Frame> &B) {
  auto IsSame = [](const Location &X, const Location &Y) {
    return X.Line == Y.Line && X.File == Y.File;
  };
  return !A.empty() && !B.empty() && IsSame(A.front().Where, B.front().Where);
}

bool sharesHolder(const SourceSite &A, const SourceSite &B, const RunFacts &Run) {
  const Holder *Of = holderOf(A, Run), *Other = holderOf(B, Run);
  return Of && Other && Of->Name == Other->Name && Of->Where == Other->Where;
}

bool sharesFunction(const std::vector<Frame> &A, const std::vector<Frame> &B) {
  return !A.empty() && !B.empty() && !A.front().Function.empty() &&
         A.front().Function == B.front().Function && A.front().Where.File == B.front().Where.File;
}

/// Of what no search found the holder: no more than an entry for each tensor that the function
/// keeps.
bool mayBeEntries(const SourceSite &Sample, const SourceSite &Site, uint64_t Kept,
                  const RunFacts &Run) {
  constexpr uint64_t MostOfEntry = 256;
  uint64_t Bytes = 0;
  for (const RecordedObject &O : Sample.Objects)
    Bytes += O.Bytes;
  return !holderOf(Sample, Run) && sharesFunction(Sample.Frames, Site.Frames) &&
         Bytes <= Kept * MostOfEntry;
}

/// The objects beside its bytes that a tensor is made of, and the entries in the container that
/// keeps it, come and go with it, and are judged with it.
bool belongsToTensors(const SourceSite &Sample, const RunFacts &Run) {
  return std::any_of(Run.Sites.begin(), Run.Sites.end(), [&](const SourceSite &Site) {
    if (Site.OnHeap && isOfTorch(Sample))
      return false;
    uint64_t Kept = growthOf(Site.Objects, Run.Clock).TotalObjects +
                    growthOf(Site.Expected, Run.Clock).TotalObjects;
    return Kept >= MinStepsToJudge &&
           (sharesLine(Sample.Frames, Site.Frames) || sharesHolder(Sample, Site, Run) ||
            mayBeEntries(Sample, Site, Kept, Run));
  });
}

/// Nodes are counted one by one, and what they are made of is theirs; also those of the program's
/// own classes, which its code makes.
bool belongsToGraph(const SourceSite &Sample, const RunFacts &Run) {
  double PerStep = std::max(nodesPerStep(Run, Run.Clock), totalNodeGrowth(Run, Run.Clock).PerStep);
  if (PerStep < NodeGrowth::MinNodesPerStep)
    return false;
  return isOfTorch(Sample) ||
         std::any_of(Run.NodeSites.begin(), Run.NodeSites.end(),
                     [&](const NodeSite &N) { return sharesLine(Sample.Frames, N.Frames); });
}

const StepClock &clockOf(const SourceSite &Site, const RunFacts &Run) {
  return Site.Loop ? Run.OtherLoops[*Site.Loop] : Run.Clock;
}

/// In the rounds of the program's own clock, also where those of another loop decided.
int64_t bytesPerStep(const SiteGrowth &G, const RunFacts &Run) {
  uint64_t Rounds = Run.Clock.rounds();
  return Rounds ? G.BytesPerStep * int64_t(G.Rounds) / int64_t(Rounds) : 0;
}

/// In how many steps it took what it still has: an entry is made at once, so there are as many
/// keys at least.
size_t stepsWithNew(const SourceSite &Sample, const StepClock &Clock) {
  std::set<uint32_t> Births;
  for (const RecordedObject &O : Sample.Objects)
    if (Clock.deathOf(O).value_or(Clock.steps()) >= Clock.steps())
      Births.insert(Clock.birthOf(O));
  return Births.size();
}

std::string placeOf(const SourceSite &Sample) {
  std::string Out = std::string(fileNameOf(Sample.Taker));
  std::string Inside = Sample.Ops.empty() ? "" : *Sample.Ops.begin();
  if (!Sample.Frames.empty())
    Inside += (Inside.empty() ? "" : ", ") + shortPlace(Sample.Frames.front().Where);
  return Inside.empty() ? Out : Out + " (" + Inside + ")";
}

std::string described(const SiteGrowth &G, const RunFacts &Run) {
  size_t Steps = std::min<size_t>(stepsWithNew(*G.Site, clockOf(*G.Site, Run)), G.Rounds);
  return formatBytes(bytesPerStep(G, Run)) + " by " + placeOf(*G.Site) +
         ": a library's cache, still filling: at least " + std::to_string(Steps) +
         " distinct keys in " + std::to_string(G.Rounds) + " steps";
}

/// All that stays, over all steps: where chance chose, the slope goes up and down by more.
int64_t meanPerStep(const SourceSite &Site, const StepClock &Clock) {
  constexpr uint32_t FirstSteps = 2; // of which optimizers and caches keep something
  uint32_t Steps = Clock.steps();
  int64_t Bytes = 0;
  for (const RecordedObject &O : Site.Objects)
    if (uint32_t Birth = Clock.birthOf(O); Birth >= FirstSteps && Birth < Steps)
      Bytes += Clock.deathOf(O).value_or(Steps) >= Steps ? int64_t(O.Bytes) : 0;
  return Steps > FirstSteps ? Bytes / int64_t(Steps - FirstSteps) / int64_t(Clock.RoundsPerStep)
                            : 0;
}

template <typename Fn> int64_t sumOf(const RunFacts &Run, Fn Counts) {
  int64_t Out = 0;
  for (const SiteGrowth &G : growingHeapPlaces(Run))
    Out += Counts(G) ? bytesPerStep(G, Run) : 0;
  return Out;
}

} // namespace

std::vector<SiteGrowth> growingHeapPlaces(const RunFacts &Run) {
  std::vector<SiteGrowth> Out;
  for (const SourceSite &Site : Run.HeapSamples) {
    const StepClock &Clock = clockOf(Site, Run);
    SiteGrowth G = growthOf(Site.Objects, Clock);
    G.Site = &Site;
    G.BytesPerStep = G.TheGrowth == Growth::Growing ? meanPerStep(Site, Clock) : 0;
    if (keepsMore(G) && !(Clock.Inferred && Site.Gathered) && !belongsToTensors(Site, Run) &&
        !belongsToGraph(Site, Run))
      Out.push_back(G);
  }
  std::stable_sort(Out.begin(), Out.end(), [](const SiteGrowth &A, const SiteGrowth &B) {
    return A.BytesPerStep > B.BytesPerStep;
  });
  return Out;
}

bool isProgramsOwn(const SiteGrowth &G, const RunFacts &Run) {
  constexpr int64_t Noise = 256;
  if (G.Site->Frames.empty() || G.TotalObjects < MinStepsToJudge || G.BytesPerStep < Noise)
    return false;
  return G.Site->Taker.empty() || holderOf(*G.Site, Run) || nobodyHolds(*G.Site, Run);
}

std::vector<std::string> libraryGrowth(const RunFacts &Run) {
  std::vector<std::string> Out;
  int64_t All = bytesByLibraries(Run);
  for (const SiteGrowth &G : growingHeapPlaces(Run))
    if (!isProgramsOwn(G, Run) && 20 * bytesPerStep(G, Run) >= All)
      Out.push_back(described(G, Run));
  return Out;
}

int64_t bytesByProgram(const RunFacts &Run) {
  return sumOf(Run, [&Run](const SiteGrowth &G) { return isProgramsOwn(G, Run); });
}

int64_t bytesByLibraries(const RunFacts &Run) {
  return sumOf(Run, [&Run](const SiteGrowth &G) { return !isProgramsOwn(G, Run); });
}

} // namespace tensorleak
