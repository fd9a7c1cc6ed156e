//===-- Observed.cpp - What grows or is left over, and no finding says so --===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/VerdictText.h"
#include "runtime/replay/facts/Holders.h"
#include "runtime/replay/verdicts/Leaks.h"
#include "runtime/replay/verdicts/Verdicts.h"
#include "runtime/replay/verdicts/host/HeapPlaces.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>
#include <tuple>

namespace tensorleak {

/// "4 KiB in 2 allocations", "3 streams".
static std::string unfreed(const SourceSite &S) {
  if (!S.Thing.isMemory())
    return S.Thing.counted(S.AtEnd);
  return formatBytes(S.BytesAtEnd) + " in " +
         ThingName{"allocation", "allocations"}.counted(S.AtEnd);
}

Finding observedGrowth(const SiteGrowth &G) {
  bool IsBackward = !G.Site->Forward.empty();
  const Frame &Place = (IsBackward ? G.Site->Forward : G.Site->Frames).front();
  Finding F;
  F.Rule = rules::ObservedGrowth;
  F.TheLevel = Level::Note;
  F.Where = Place.Where;
  F.Function = Place.Function;
  F.Message = std::string("what is allocated ") +
              (IsBackward ? "in the backward pass of this line" : "here") +
              (Place.Function.empty() ? "" : " (" + Place.Function + ")") +
              " stays alive and grows per " + nameOfStep(G.Per) + "; no finding speaks of it";
  F.TheVerdict = Verdict::Confirmed;
  if (!G.Site->Thing.isMemory()) {
    F.Message = "the " + G.Site->Thing.Several + " that are made here stay alive, more in every " +
                nameOfStep(G.Per) + "; no finding speaks of them";
    F.TheEvidence.Reason = G.Site->Thing.counted(G.TotalObjects) + " in all";
  }
  if (G.Site->ByProgram && G.Site->AtEnd)
    F.TheEvidence.Reason = unfreed(*G.Site) + " never freed";
  F.TheEvidence.BytesPerStep = G.BytesPerStep;
  F.TheEvidence.Per = G.Per;
  F.TheEvidence.TotalBytes = G.TotalBytes;
  F.TheEvidence.Steps = static_cast<uint32_t>(G.Rounds);
  return F;
}

/// Nothing leads to it, or main has returned and it was still to be freed by hand.
static bool isLost(const SiteGrowth &G, const RunFacts &Run) {
  return nobodyHolds(*G.Site, Run) || (G.Site->ByProgram && 2 * G.Site->AtEnd >= G.TotalObjects);
}

/// Autograd nodes are on the way to it.
static bool graphKeeps(const SourceSite &Site, const RunFacts &Run) {
  return std::any_of(Run.Held.begin(), Run.Held.end(), [&Site](const HeldSite &Held) {
    auto ThroughNodes = [](const Holder &H) { return H.Nodes != 0; };
    return Site.Ids.count(Held.SiteId) &&
           (Held.HeldByNodes ||
            std::any_of(Held.Holders.begin(), Held.Holders.end(), ThroughNodes));
  });
}

/// Data that is loaded in a loop, or what a loop that is over made for the rest of the program. By
/// whom device memory was held is not known once main has returned; it is listed as never freed.
static bool isMaybeNeeded(const SiteGrowth &G, const RunFacts &Run) {
  if (G.Site->MaybeForLater)
    return G.Site->ByProgram || (!nobodyHolds(*G.Site, Run) && !graphKeeps(*G.Site, Run));
  return Run.OnlyLoads && !isLost(G, Run);
}

/// Nodes that one place made and that stay alive, more in every step.
struct GrowingNodes {
  const std::vector<Frame> *Frames;
  uint64_t SiteId = 0;
  double PerStep = 0;
  const Holder *Held = nullptr;      ///< the variable that leads to them, if one was found
  const GraphCycle *Cycle = nullptr; ///< the graph of theirs that refers to itself
};

static bool samePlace(const std::vector<Frame> &A, const std::vector<Frame> &B) {
  return std::equal(A.begin(), A.end(), B.begin(), B.end(),
                    [](const Frame &X, const Frame &Y) { return placeKey(X) == placeKey(Y); });
}

static bool isPlaceOf(const GraphCycle &Cycle, const std::vector<Frame> &Frames) {
  return std::any_of(
      Cycle.Places.begin(), Cycle.Places.end(),
      [&Frames](const std::vector<Frame> &Place) { return samePlace(Place, Frames); });
}

static void addKeeper(const RunFacts &Run, GrowingNodes &G) {
  for (const GraphCycle &Cycle : Run.Cycles)
    if (isPlaceOf(Cycle, *G.Frames))
      G.Cycle = &Cycle;
  for (const HeldSite &Held : Run.Held)
    if (samePlace(Held.Frames, *G.Frames) && !Held.Holders.empty() && Held.Holders.front().Nodes)
      G.Held = &Held.Holders.front();
}

/// The count of that place's nodes at each census that can be judged, by the step.
static std::vector<std::pair<uint32_t, int64_t>> countsOf(const RunFacts &Run,
                                                          const std::vector<Frame> &Frames) {
  constexpr uint32_t FirstRounds = 2; // of which optimizers and caches keep something
  std::vector<std::pair<uint32_t, int64_t>> Out;
  for (const NodeCount &C : Run.Censuses) {
    uint32_t Step = Run.Clock.stepOf(C.Tick);
    if (Step <= FirstRounds || Step > Run.Clock.steps())
      continue;
    int64_t Nodes = 0;
    for (const NodeCount::Group &G : C.Groups)
      Nodes += samePlace(G.Frames, Frames) ? G.Nodes : 0;
    Out.emplace_back(Step, Nodes);
  }
  return Out;
}

/// In a training, by places, and only where the steps are the program's own: what a loop that was
/// guessed gathers may be differentiated after it.
static bool nodesCanBeJudged(const RunFacts &Run) {
  return !Run.Clock.Inferred && Run.Clock.steps() >= MinStepsToJudge && !Run.Censuses.empty() &&
         std::all_of(Run.Censuses.begin(), Run.Censuses.end(),
                     [](const NodeCount &C) { return C.Trusted; });
}

static std::vector<GrowingNodes> growingNodes(const RunFacts &Run) {
  std::vector<GrowingNodes> Out;
  if (!nodesCanBeJudged(Run))
    return Out;
  for (const NodeCount::Group &Group : Run.Censuses.back().Groups) {
    auto Counts = countsOf(Run, Group.Frames);
    auto IsKnown = [&Group](const GrowingNodes &G) { return samePlace(*G.Frames, Group.Frames); };
    if (Group.Frames.empty() || !growsSteadily(Counts) ||
        std::any_of(Out.begin(), Out.end(), IsKnown))
      continue;
    GrowingNodes G{&Group.Frames, Group.SiteId};
    G.PerStep = double(Counts.back().second - Counts.front().second) /
                double(Counts.back().first - Counts.front().first);
    addKeeper(Run, G);
    if (G.PerStep >= NodeGrowth::MinNodesPerStep)
      Out.push_back(G);
  }
  return Out;
}

/// Who keeps them, in words; places with the same keeper are parts of one graph.
static std::string keeperOf(const GrowingNodes &G) {
  if (!G.Held)
    return G.Cycle ? itself(*G.Cycle) : "";
  Holder Variable = *G.Held;
  Variable.Nodes = 0;
  return describe(Variable);
}

/// Of one graph: the place that made its nodes last, and so of the first nodes that a search meets
/// that comes from who keeps them.
static const GrowingNodes &outermost(const std::vector<GrowingNodes> &Graph) {
  auto Rank = [](const GrowingNodes &G) {
    return std::make_tuple(G.Held != nullptr, G.Cycle != nullptr, G.SiteId);
  };
  return *std::max_element(
      Graph.begin(), Graph.end(),
      [&Rank](const GrowingNodes &A, const GrowingNodes &B) { return Rank(A) < Rank(B); });
}

static Finding observedNodes(const RunFacts &Run, const std::vector<GrowingNodes> &Graph) {
  const GrowingNodes &Place = outermost(Graph);
  Finding F;
  F.Rule = rules::ObservedGrowth;
  F.TheLevel = Level::Note;
  F.Where = Place.Frames->front().Where;
  F.Function = Place.Frames->front().Function;
  F.Message = "the autograd nodes that are made here (" + F.Function +
              ") stay alive, more in every step; no finding speaks of them";
  F.TheVerdict = Verdict::Confirmed;
  F.TheEvidence.Steps = Run.Clock.steps();
  F.TheEvidence.Holder = keeperOf(Place);
  double PerStep = 0;
  for (const GrowingNodes &G : Graph)
    PerStep += G.PerStep;
  F.TheEvidence.NodesPerStep = std::round(PerStep * 100) / 100;
  if (int64_t Bytes = heapBytesPerStep(Run, Run.Clock))
    F.TheEvidence.HostBytesPerStep = Bytes;
  std::ostringstream Nodes;
  Nodes << *F.TheEvidence.NodesPerStep << (PerStep == 1 ? " autograd node" : " autograd nodes");
  F.TheEvidence.Reason = Nodes.str() + " per step, and no tensor memory with them";
  return F;
}

/// Whether a finding, or what was listed before, explains those nodes: by its place, or by who
/// keeps them.
static bool isExplained(const GrowingNodes &G, const std::vector<Finding> &Known) {
  std::string Keeper = G.Held ? "'" + G.Held->Name + "'" : G.Cycle ? itself(*G.Cycle) : "";
  return std::any_of(Known.begin(), Known.end(), [&](const Finding &F) {
    if (F.TheVerdict == Verdict::NotReached || F.TheVerdict == Verdict::Refuted)
      return false;
    bool SameKeeper = !Keeper.empty() && F.TheEvidence.Holder.rfind(Keeper, 0) == 0;
    return SameKeeper || match(F, *G.Frames) != Match::None;
  });
}

using Graphs = std::map<std::string, std::vector<GrowingNodes>>;

/// Nodes to which no search found a way are parts of a graph that was listed, or of the only one
/// that will be. So are those of a cycle beside a variable that was found: memory that is used
/// again may look like a cycle, and hardly ever like a variable.
static void joinUnkept(Graphs &All, bool ExplainedElsewhere) {
  bool ByVariable = std::any_of(All.begin(), All.end(), [](const auto &Entry) {
    return Entry.second.front().Held != nullptr;
  });
  std::vector<GrowingNodes> Parts;
  for (auto Graph = All.begin(); Graph != All.end();) {
    const GrowingNodes &First = Graph->second.front();
    bool IsPart = ByVariable ? !First.Held : !First.Cycle && (All.size() > 1 || ExplainedElsewhere);
    if (IsPart)
      Parts.insert(Parts.end(), Graph->second.begin(), Graph->second.end());
    Graph = IsPart ? All.erase(Graph) : std::next(Graph);
  }
  if (All.size() == 1)
    All.begin()->second.insert(All.begin()->second.end(), Parts.begin(), Parts.end());
}

/// After backward() a loss that is added up keeps no tensor, but its graph.
static void addNodes(const RunFacts &Run, const std::vector<Finding> &Known,
                     std::vector<Finding> &Listed) {
  Graphs All;
  for (const GrowingNodes &G : growingNodes(Run))
    if (!isExplained(G, Known) && !isExplained(G, Listed))
      All[keeperOf(G)].push_back(G);
  bool GraphIsKnown = std::any_of(Known.begin(), Known.end(), [](const Finding &F) {
    return F.TheVerdict == Verdict::Confirmed && F.TheKind == Kind::Retention && F.TheSubject.Graph;
  });
  joinUnkept(All, /*ExplainedElsewhere=*/GraphIsKnown || !Listed.empty());
  for (const auto &[Keeper, Graph] : All)
    Listed.push_back(observedNodes(Run, Graph));
}

static std::string ofHeap(const SourceSite &Sample) {
  size_t Slash = Sample.Taker.rfind('/');
  return "memory of the heap" +
         (Sample.Taker.empty() ? "" : " that " + Sample.Taker.substr(Slash + 1) + " takes") +
         ", estimated from samples";
}

/// All places of a leak as one entry, where most of it is allocated.
static Finding observedLeak(const Leak &L) {
  SourceSite Left = *L.Places.front().Site;
  SiteGrowth Sum = L.Places.front();
  Sum.Site = &Left;
  for (size_t I = 1; I < L.Places.size(); ++I) {
    const SiteGrowth &Part = L.Places[I];
    Sum.BytesPerStep += Part.BytesPerStep;
    Sum.Per = perOfBoth(Sum.Per, Part.Per);
    Sum.TotalBytes += Part.TotalBytes;
    Sum.TotalObjects += Part.TotalObjects;
    Left.AtEnd += Part.Site->AtEnd;
    Left.BytesAtEnd += Part.Site->BytesAtEnd;
  }
  Finding F = observedGrowth(Sum);
  F.Notes = partsOf(L);
  for (const PathNote &Part : F.Notes)
    F.TheSubject.Producers.push_back(Part.Where);
  if (L.Held)
    F.TheEvidence.Holder = describe(*L.Held);
  else if (L.Cycle)
    F.TheEvidence.Holder = itself(*L.Cycle);
  else if (!L.Nobody.empty())
    F.TheEvidence.Reason += (F.TheEvidence.Reason.empty() ? "" : "; ") + L.Nobody;
  if (Left.Sampled)
    F.TheEvidence.Reason += (F.TheEvidence.Reason.empty() ? "" : "; ") + ofHeap(Left);
  return F;
}

/// Growth at a known place of which no finding speaks.
static bool isUnexplained(const SiteGrowth &G, const RunFacts &Run,
                          const std::vector<Finding> &Known) {
  return keepsMore(G) && !G.Site->Frames.empty() &&
         std::none_of(Known.begin(), Known.end(),
                      [&](const Finding &F) { return explainsGrowth(F, *G.Site, Run); });
}

/// Growth of which no finding speaks. What the program keeps in blocks that are too small to be
/// traced each, or has a library take for it, is among it.
static std::vector<SiteGrowth> unexplained(const RunFacts &Run, const std::vector<Finding> &Known) {
  std::vector<SiteGrowth> All = growthOfSites(Run, Run.Clock), Out;
  for (const SiteGrowth &G : growingHeapPlaces(Run))
    if (isProgramsOwn(G, Run))
      All.push_back(G);
  for (const SiteGrowth &G : All)
    if (!isMaybeNeeded(G, Run) && isUnexplained(G, Run, Known))
      Out.push_back(G);
  return Out;
}

std::string keptForLater(const RunFacts &Run, const std::vector<Finding> &Known) {
  SiteGrowth Most;
  for (const SiteGrowth &G : growthOfSites(Run, Run.Clock))
    if (G.Site->MaybeForLater && isMaybeNeeded(G, Run) && G.TotalBytes > Most.TotalBytes &&
        isUnexplained(G, Run, Known))
      Most = G;
  if (!Most.Site)
    return "";
  return formatBytes(Most.TotalBytes) + " in " +
         ThingName{"allocation", "allocations"}.counted(Most.TotalObjects) + " from " +
         shortPlace(Most.Site->Frames.front()) +
         " are kept, more in each round, by a loop that is over before the program is: what comes "
         "later may need them, so they are judged by no rounds; mark that loop's rounds by "
         "tensorleak_step() to have them judged";
}

std::vector<Finding> unexplainedGrowth(const RunFacts &Run, const std::vector<Finding> &Known) {
  std::vector<Finding> Out;
  for (const Leak &L : leaksAmong(unexplained(Run, Known), Run))
    Out.push_back(observedLeak(L));
  addNodes(Run, Known, Out);
  return Out;
}

/// "cudaMalloc, cudaMallocHost"
static std::string callsOf(const SourceSite &S) {
  std::string Out;
  for (const std::string &Op : S.Ops)
    Out += (Out.empty() ? "" : ", ") + Op;
  return Out;
}

static Finding unfreedAt(const SourceSite &S, const RunFacts &Run) {
  Finding F;
  F.Rule = rules::ObservedUnfreed;
  F.TheLevel = Level::Note;
  F.TheKind = Kind::Ownership;
  F.Where = S.Frames.front().Where;
  F.Message = unfreed(S) + (S.Thing.isMemory() ? ", taken" : ", made") + " here by " + callsOf(S) +
              ", never freed: alive when " +
              (Run.MainReturned ? "main had returned" : "the program called exit()");
  F.TheEvidence.TotalBytes = S.BytesAtEnd;
  return F;
}

std::vector<Finding> neverFreed(const RunFacts &Run, const std::vector<Finding> &Known) {
  std::vector<Finding> Out;
  if (!Run.MainReturned && !Run.CalledExit)
    return Out;
  for (const SourceSite &S : Run.Sites) {
    auto Speaks = [&S](const Finding &F) {
      return F.TheVerdict == Verdict::Confirmed && match(F, S.Frames) == Match::Line;
    };
    bool IsLeft = S.ByProgram && S.AtEnd && !S.Frames.empty();
    if (IsLeft && std::none_of(Known.begin(), Known.end(), Speaks))
      Out.push_back(unfreedAt(S, Run));
  }
  return Out;
}

std::string modulesWithoutLines(const RunFacts &Run) {
  std::set<std::string> Modules;
  for (const SourceSite &S : Run.Sites)
    if (!S.Frames.empty() && !S.Frames.front().Where.isValid())
      Modules.insert(shortPlace(S.Frames.front().Where));
  std::string Out;
  for (const std::string &Module : Modules)
    Out += (Out.empty() ? "'" : ", '") + Module + "'";
  return Out.empty() ? ""
                     : Out + " has no debug information, and its places are functions: compile it "
                             "with -g to see lines, and all that holds memory";
}

std::string growthWithoutPlace(const RunFacts &Run) {
  if (Run.OnlyLoads)
    return "";
  int64_t Bytes = 0;
  std::set<std::string> Ops;
  for (const SiteGrowth &G : growthOfSites(Run, Run.Clock)) {
    if (G.TheGrowth != Growth::Growing || G.BytesPerStep <= 0 || !G.Site->Frames.empty())
      continue;
    Bytes += G.BytesPerStep;
    Ops.insert(G.Site->Ops.begin(), G.Site->Ops.end());
  }
  if (!Bytes)
    return "";
  std::string Out;
  for (const std::string &Op : Ops)
    Out += (Out.empty() ? " (" : ", ") + Op;
  return formatBytes(Bytes) + " per step grow at places without a frame of the program" +
         (Out.empty() ? Out : Out + ")");
}

} // namespace tensorleak
