//===-- Retention.cpp - Do live bytes grow per step? ----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Never judged on storage bytes alone: after backward() an accumulated loss keeps
// no tensor, only autograd nodes on the host heap.
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/facts/Holders.h"
#include "runtime/replay/verdicts/Expected.h"
#include "runtime/replay/verdicts/HeldPlaces.h"
#include "runtime/replay/verdicts/Verdicts.h"

#include <cmath>

namespace tensorleak {
namespace {

/// What the finding explains of the sites' growth.
struct Explained {
  int64_t BytesPerStep = 0, TotalBytes = 0;
  unsigned LineSites = 0; ///< growing sites on the finding's own lines
  bool Slowing = false;   ///< one of those, or of the loop's, grows slower and slower
  std::string Per;        ///< SiteGrowth::Per
};

bool isGrowing(const SiteGrowth &G) {
  return G.TheGrowth == Growth::Growing || G.TheGrowth == Growth::Slowing;
}

void add(Explained &E, const SiteGrowth &G) {
  E.Per = E.BytesPerStep ? perOfBoth(E.Per, G.Per) : G.Per;
  E.BytesPerStep += G.BytesPerStep;
  E.TotalBytes += G.TotalBytes;
  E.Slowing |= G.TheGrowth == Growth::Slowing;
}

Explained explainedBy(const Case &C, Match AtLeast) {
  Explained E;
  for (const SiteGrowth &G : C.Sites) {
    Match M = isGrowing(G) ? match(C.TheFinding, G.Site->Frames) : Match::None;
    if (isGrowing(G) &&
        (isHeldBy(C.TheFinding, *G.Site, C.Run) || isKeptByCycleOf(C.TheFinding, *G.Site, C.Run)))
      M = Match::Line;
    if (M == Match::None || M < AtLeast)
      continue;
    E.LineSites += M == Match::Line;
    add(E, G);
  }
  return E;
}

std::string stepsText(const Case &C) {
  return std::to_string(C.Facts.Clock.steps()) + " steps (" + C.Facts.Clock.Name + ")";
}

/// Growth of nodes, and of the heap that they take: neither alone is evidence.
struct GraphGrowth {
  NodeGrowth Line, Loop;
  int64_t HeapBytesPerStep = 0;
  bool proves() const { return Line.Trusted && Line.grows() && HeapBytesPerStep > 0; }
};

GraphGrowth graphGrowth(const Case &C) {
  GraphGrowth G;
  G.Line = nodeGrowth(C.Run, C.Facts.Clock, C.TheFinding, Match::Line);
  G.Loop = nodeGrowth(C.Run, C.Facts.Clock, C.TheFinding, Match::Loop);
  G.HeapBytesPerStep = heapBytesPerStep(C.Run, C.Facts.Clock);
  return G;
}

/// A graph that refers to itself needs nobody else. But memory that is used again may look like a
/// cycle, and hardly ever like the variable of which the finding speaks.
std::string whoKeeps(const Case &C) {
  const Finding &F = C.TheFinding;
  const Holder *Held = holderOf(F, C.Run);
  bool IsOwn = Held && F.Rule != rules::GraphCycle && isHeldBy(F, *Held);
  const GraphCycle *Cycle = IsOwn ? nullptr : cycleOf(F, C.Run);
  if (Cycle)
    return "itself: " + Cycle->What;
  return Held ? describe(*Held) : "";
}

/// What a search for cycles adds to a finding that speaks of one.
std::string withoutCycle(const Case &C) {
  bool Missing = C.TheFinding.Rule == rules::GraphCycle && C.Run.CyclesSearched &&
                 !cycleOf(C.TheFinding, C.Run);
  return Missing ? "; but no graph that refers to itself was found" : "";
}

Judgement confirmedGrowth(const Case &C, const Explained &E, const GraphGrowth &G) {
  const char *What = E.BytesPerStep ? "live tensor memory grows with the steps"
                                    : "autograd nodes pile up, and no tensor memory with them";
  Judgement J = confirmed(What + ("; seen over " + stepsText(C)) + withoutCycle(C));
  J.TheEvidence.BytesPerStep = E.BytesPerStep;
  J.TheEvidence.Per = E.Per;
  J.TheEvidence.TotalBytes = E.TotalBytes;
  J.TheEvidence.Holder = whoKeeps(C);
  if (!G.Loop.grows() || !G.Line.Trusted)
    return J;
  J.TheEvidence.NodesPerStep = std::round(G.Loop.PerStep * 100) / 100;
  if (G.HeapBytesPerStep)
    J.TheEvidence.HostBytesPerStep = G.HeapBytesPerStep;
  return J;
}

/// What grows at the places that \p Counts accepts.
template <typename F> int64_t growthAt(const Case &C, F Counts) {
  int64_t Bytes = 0;
  for (const SiteGrowth &G : C.Sites)
    if (isGrowing(G) && Counts(*G.Site))
      Bytes += G.BytesPerStep;
  return Bytes;
}

/// Growth that no stack explains could be this finding's.
int64_t anonymousGrowth(const Case &C) {
  return growthAt(C, [](const SourceSite &S) { return S.Frames.empty(); });
}

/// Only nodes hold it, and cycles are among them: the one of which the finding speaks may be closed
/// on another line than those that allocate, as a hook is.
int64_t keptByCycles(const Case &C) {
  if (C.TheFinding.Rule != rules::GraphCycle || C.Run.Cycles.empty())
    return 0;
  return growthAt(C, [&C](const SourceSite &S) { return onlyNodesHold(S, C.Run); });
}

/// The nodes that the finding's own lines make do not pile up. Without a producer
/// they may all be made elsewhere, and then this is no evidence.
bool ownNodesAreFlat(const Case &C, const GraphGrowth &G) {
  return G.Line.Trusted && !G.Line.grows() && !C.TheFinding.TheSubject.Producers.empty();
}

/// What the program declared to expect is no leak, and was seen.
std::string butExpected(const Case &C) {
  int64_t Bytes = expectedBytes(C.TheFinding, C.Run);
  return Bytes ? ", but for the " + formatBytes(Bytes) + " that the program expects" : "";
}

Judgement bounded(const Case &C, const GraphGrowth &G) {
  if (int64_t Bytes = anonymousGrowth(C))
    return inconclusive(formatBytes(Bytes) + " per step grow at places without a frame of the "
                                             "program; they may be this finding's");
  if (int64_t Bytes = keptByCycles(C))
    return inconclusive("nothing on its own lines grows, but " + formatBytes(Bytes) +
                        " per step are kept by graphs that refer to themselves; they may be this "
                        "finding's");
  NodeGrowth Total = totalNodeGrowth(C.Run, C.Facts.Clock);
  bool NodesFlat = Total.Known && !Total.grows();
  if (!NodesFlat && !ownNodesAreFlat(C, G) && G.HeapBytesPerStep)
    return inconclusive("nothing on its own lines grows, but the host heap does, by " +
                        formatBytes(G.HeapBytesPerStep) +
                        " per step, and whose that is cannot be determined");
  return refutedUnlessBlind(C.Run, "the line ran in " + std::to_string(C.Facts.Where.StepsHit) +
                                       " steps and nothing that it keeps grows" + butExpected(C));
}

Judgement tooFew(const Case &C) {
  return inconclusive("the line ran in " + std::to_string(C.Facts.Where.StepsHit) + " of " +
                      stepsText(C) + "; at least " + std::to_string(MinStepsToJudge) +
                      " are needed to tell growth from warm-up");
}

Judgement decide(const Case &C) {
  bool EnoughSteps =
      C.Facts.Where.StepsHit >= MinStepsToJudge && C.Facts.Clock.steps() >= MinStepsToJudge;
  if (!EnoughSteps)
    return tooFew(C);
  Explained OnLine = explainedBy(C, Match::Line), All = explainedBy(C, Match::Loop);
  GraphGrowth Graph = graphGrowth(C);
  bool Anchored = OnLine.LineSites || (Graph.Line.Trusted && Graph.Line.grows());
  // Without a census by place, what grows in the loop is all there is to go by.
  if (!Anchored && !Graph.Line.Trusted && All.BytesPerStep)
    Anchored = true;
  if (Anchored && All.Slowing)
    return inconclusive("growing, but slower and slower, perhaps a cache that fills: " +
                        formatBytes(All.TotalBytes) + " after " + stepsText(C) +
                        "; run more steps");
  if (Anchored && (All.BytesPerStep || Graph.proves()))
    return confirmedGrowth(C, All, Graph);
  return bounded(C, Graph);
}

} // namespace

Judgement judgeRetention(const Case &C) {
  Judgement J = decide(C);
  J.TheEvidence.Steps = static_cast<int64_t>(C.Facts.Where.StepsHit);
  return J;
}

} // namespace tensorleak
