//===-- NoGrowth.cpp - Nothing grows with the rounds of a scope -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fails for what a run would call confirmed: bytes that a place keeps from more and more
// rounds, and autograd nodes that pile up together with the host memory that they take.
// Growth that slows down, as of a cache that fills, is none.
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/assertions/Places.h"
#include "runtime/replay/facts/Holders.h"
#include "runtime/replay/facts/Ledger.h"
#include "runtime/replay/verdicts/Matcher.h"

#include <algorithm>
#include <cmath>

namespace tensorleak {
namespace {

using trace::AssertionAnswer;

std::string keptBy(const std::string &Who) { return Who.empty() ? "" : "\n    kept by " + Who; }

std::string keeperOf(const SourceSite &Site, const RunFacts &Run) {
  if (const Holder *Held = holderOf(Site, Run))
    return keptBy(describe(*Held));
  std::string Nobody = nobodysText(Site, Run);
  return Nobody.empty() ? "" : "\n    " + Nobody;
}

std::string figuresOf(const SiteGrowth &G) {
  if (!G.Site->Thing.isMemory())
    return G.Site->Thing.counted(G.TotalObjects) + " in all";
  return formatBytes(G.BytesPerStep) + " per round, " + formatBytes(G.TotalBytes) + " in all,";
}

std::string describeGrowth(const SiteGrowth &G, const RunFacts &Run, const std::string &Folder) {
  std::string Out =
      "\n  " + figuresOf(G) + " from " + nameOfPlace({G.Site->Frames, G.Site->Forward}, Folder);
  for (const std::string &Op : G.Site->Ops)
    Out += ", " + Op;
  return Out + keeperOf(*G.Site, Run);
}

std::string grownSites(const RunFacts &Run, const std::string &Folder) {
  constexpr size_t Shown = 5;
  std::vector<SiteGrowth> Grown;
  for (const SiteGrowth &G : growthOfSites(Run, Run.Clock))
    if (keepsMore(G))
      Grown.push_back(G);
  std::stable_sort(Grown.begin(), Grown.end(), [](const SiteGrowth &A, const SiteGrowth &B) {
    return A.BytesPerStep > B.BytesPerStep;
  });
  std::string Out;
  for (size_t I = 0; I < std::min(Shown, Grown.size()); ++I)
    Out += describeGrowth(Grown[I], Run, Folder);
  if (Grown.size() > Shown)
    Out += "\n  and from " + std::to_string(Grown.size() - Shown) + " more places";
  return Out;
}

/// By the frames of the place that made them.
using NodesByPlace = std::map<std::string, int64_t>;

NodesByPlace nodesByPlace(const NodeCount &Count, const std::string &Folder) {
  NodesByPlace Out;
  for (const NodeCount::Group &G : Count.Groups)
    if (!G.Frames.empty())
      Out[nameOfPlace({G.Frames, {}}, Folder)] += G.Nodes;
  return Out;
}

/// Of the scope, after its warm-up.
std::vector<const NodeCount *> judgedCounts(const RunFacts &Run) {
  std::vector<const NodeCount *> Out;
  for (const NodeCount &C : Run.Censuses)
    if (uint32_t Step = Run.Clock.stepOf(C.Tick);
        Step > warmUpSteps(Run.Clock.steps()) &&
        (Out.empty() || Run.Clock.stepOf(Out.back()->Tick) < Step))
      Out.push_back(&C);
  return Out;
}

bool nodesPileUp(const RunFacts &Run, const std::vector<const NodeCount *> &Counts) {
  std::vector<std::pair<uint32_t, int64_t>> Samples;
  for (const NodeCount *C : Counts)
    Samples.emplace_back(Run.Clock.stepOf(C->Tick), C->Nodes);
  return growsSteadily(Samples) && heapBytesPerStep(Run, Run.Clock) > 0;
}

/// Of the place that makes most of those that pile up; "" if that is not known.
std::string busiestPlace(const std::vector<const NodeCount *> &Counts, const std::string &Folder) {
  NodesByPlace First = nodesByPlace(*Counts.front(), Folder);
  std::string Best;
  int64_t Most = 0;
  if (Counts.back()->Trusted)
    for (const auto &[Place, Nodes] : nodesByPlace(*Counts.back(), Folder))
      if (Nodes - First[Place] > Most) {
        Most = Nodes - First[Place];
        Best = Place;
      }
  return Best;
}

std::string keeperOfNodes(const RunFacts &Run, const std::string &Place,
                          const std::string &Folder) {
  for (const HeldSite &Held : Run.Held)
    if (!Held.Holders.empty() && nameOfPlace({Held.Frames, {}}, Folder) == Place)
      return keptBy(describe(Held.Holders.front()));
  for (const GraphCycle &C : Run.Cycles)
    for (const std::vector<Frame> &Frames : C.Places)
      if (nameOfPlace({Frames, {}}, Folder) == Place)
        return keptBy("itself: " + C.What);
  return "";
}

std::string perRound(const std::vector<const NodeCount *> &Counts, const StepClock &Clock) {
  double Rounds = Clock.stepOf(Counts.back()->Tick) - Clock.stepOf(Counts.front()->Tick);
  double Nodes = double(Counts.back()->Nodes - Counts.front()->Nodes) / Rounds;
  int64_t Whole = std::llround(Nodes);
  if (Whole < 1)
    return "autograd nodes";
  return ThingName{"autograd node", "autograd nodes"}.counted(uint64_t(Whole)) + " per round";
}

std::string grownNodes(const RunFacts &Run, const std::string &Folder) {
  std::vector<const NodeCount *> Counts = judgedCounts(Run);
  if (!nodesPileUp(Run, Counts))
    return "";
  std::string Place = busiestPlace(Counts, Folder);
  return "\n  " + perRound(Counts, Run.Clock) + ", with " +
         formatBytes(heapBytesPerStep(Run, Run.Clock)) + " of host memory," +
         (Place.empty() ? " pile up" : " from " + Place + keeperOfNodes(Run, Place, Folder));
}

} // namespace

AssertionResult judgeNoGrowth(const AssertionCase &C) {
  std::string Rounds = std::to_string(C.Said.Limit);
  if (C.Said.Limit < MinStepsToJudge)
    return {AssertionAnswer::Fails, "at least " + std::to_string(MinStepsToJudge) +
                                        " rounds are needed to tell growth from warm-up, " +
                                        "not " + Rounds};
  RunFacts Run = buildFacts(C.R, C.Symbols, C.Clock);
  const std::string &Folder = C.R.TheProcess.WorkingDirectory;
  std::string Grown = grownSites(Run, Folder) + grownNodes(Run, Folder);
  if (Grown.empty())
    return {};
  return {AssertionAnswer::Fails,
          "memory grows from round to round (" + Rounds + " rounds)" + Grown};
}

} // namespace tensorleak
