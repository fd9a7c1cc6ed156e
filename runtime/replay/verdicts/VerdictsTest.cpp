//===-- VerdictsTest.cpp - Verdicts from growth and reach -----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Retention, places that were not reached, and growth without a finding.
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/verdicts/JudgedByHand.h"

#include <gtest/gtest.h>

using namespace tensorleak;
using namespace tensorleak::test;

TEST(Retention, GrowthOnTheLineIsConfirmedWithItsBytes) {
  RunFacts Run = cleanRun();
  Run.Sites = {growingSite(15, 4096)};
  Finding F = judged(findingAt(15), Run);
  EXPECT_EQ(F.TheVerdict, Verdict::Confirmed);
  EXPECT_EQ(F.TheEvidence.BytesPerStep, 4096);
  EXPECT_EQ(F.TheEvidence.Steps, static_cast<int64_t>(Steps));
}

TEST(Retention, AGraphExplainsWhatItsLoopSaves) {
  RunFacts Run = cleanRun();
  Run.Sites = {growingSite(12, 4), growingSite(13, 1000), growingSite(30, 77)};
  Finding F = judged(graphFindingAt(15, 12), Run);
  EXPECT_EQ(F.TheVerdict, Verdict::Confirmed);
  EXPECT_EQ(F.TheEvidence.BytesPerStep, 1004); // line 30 is outside the loop
}

namespace {
/// The site's objects lead to a variable declared on that line.
HeldSite heldBy(uint64_t SiteId, unsigned Line, unsigned Targets) {
  HeldSite Held;
  Held.SiteId = SiteId;
  Held.Targets = Targets;
  Held.Holders = {
      {"history", "a local variable of main", line(Line), {line(Line)}, {}, 7, Targets}};
  return Held;
}
} // namespace

TEST(Retention, WhatTheFindingsVariableKeepsIsItsWhereverItWasMade) {
  RunFacts Run = cleanRun();
  Run.Sites = {growingSite(90, 512)}; // in a function that the finding does not name
  Run.Sites[0].Ids = {4};
  Finding F = findingAt(15);
  F.TheSubject.HolderDecl = line(5);
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Refuted);
  Run.Held = {heldBy(4, 6, 3)}; // another variable
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Refuted);
  Run.Held = {heldBy(4, 5, 3)};
  Finding Out = judged(F, Run);
  EXPECT_EQ(Out.TheVerdict, Verdict::Confirmed);
  EXPECT_EQ(Out.TheEvidence.BytesPerStep, 512);
  EXPECT_EQ(Out.TheEvidence.Holder,
            "'history' (a local variable of main, train.cpp:5), through 7 autograd nodes");
}

TEST(Retention, AGraphThatRefersToItselfNeedsNobodyElse) {
  RunFacts Run = cleanRun();
  Run.Sites = {growingSite(12, 500), growingSite(15, 100)};
  Finding F = graphFindingAt(15, 12);
  F.Rule = rules::GraphCycle;
  Run.CyclesSearched = true;
  EXPECT_NE(judged(F, Run).TheEvidence.Reason.find("no graph that refers to itself"),
            std::string::npos);
  Run.Cycles = {{"a hook keeps it", {{{"train", line(90)}}}}}; // of another place
  EXPECT_EQ(judged(F, Run).TheEvidence.Holder, "");
  Run.Cycles.push_back({"a gradient keeps it", {{{"train", line(12)}}}});
  EXPECT_EQ(judged(F, Run).TheEvidence.Holder, "itself: a gradient keeps it");
  EXPECT_EQ(judged(F, Run).TheEvidence.Reason.find("no graph"), std::string::npos);
}

TEST(UnexplainedGrowth, AFindingThatWasNotReachedExplainsNothing) {
  RunFacts Run = cleanRun();
  Run.Sites = {growingSite(15, 4096)};
  Finding F = findingAt(15);
  F.TheVerdict = Verdict::NotReached;
  EXPECT_EQ(unexplainedGrowth(Run, {F}).size(), 1u);
  F.TheVerdict = Verdict::Refuted;
  EXPECT_EQ(unexplainedGrowth(Run, {F}).size(), 1u);
  F.TheVerdict = Verdict::Confirmed;
  EXPECT_EQ(unexplainedGrowth(Run, {F}).size(), 0u);
}

TEST(Retention, TheFindingsOwnVariableCountsMoreThanACycle) {
  RunFacts Run = cleanRun();
  Run.Sites = {growingSite(15, 500)};
  Run.Sites[0].Ids = {4};
  Run.Held = {heldBy(4, 5, 3)};
  Run.Cycles = {{"a node keeps it", {{{"train", line(15)}}}}};
  Finding F = findingAt(15);
  EXPECT_EQ(judged(F, Run).TheEvidence.Holder.find("itself: "), 0u);
  F.TheSubject.HolderDecl = line(5);
  EXPECT_EQ(judged(F, Run).TheEvidence.Holder.find("'history'"), 0u);
  F.Rule = rules::GraphCycle; // which says that no variable is needed
  EXPECT_EQ(judged(F, Run).TheEvidence.Holder.find("itself: "), 0u);
}

TEST(Retention, ACustomFunctionIsWrongInItsClass) {
  RunFacts Run = cleanRun();
  Run.Sites = {growingSite(15, 500)};
  GraphCycle Cycle{"Swish keeps it", {{{"train", line(90)}}}}; // where it is applied
  Cycle.Classes = {"Swish"};
  Run.Cycles = {Cycle};
  Run.CyclesSearched = true;
  Finding F = graphFindingAt(15, 15);
  F.Rule = rules::GraphCycle;
  F.Function = "Swishes::forward";
  EXPECT_EQ(judged(F, Run).TheEvidence.Holder, "");
  F.Function = "Swish::forward";
  EXPECT_EQ(judged(F, Run).TheEvidence.Holder, "itself: Swish keeps it");
}

TEST(UnexplainedGrowth, WhatAConfirmedFindingsVariableKeepsIsListedOnce) {
  RunFacts Run = cleanRun();
  Run.Sites = {growingSite(90, 512)}; // where the caller made what is kept with the graph
  Run.Sites[0].Ids = {4};
  Run.Held = {heldBy(4, 5, 3)};
  Finding F = findingAt(15);
  F.TheSubject.HolderDecl = line(5);
  F.TheVerdict = Verdict::Confirmed;
  EXPECT_EQ(unexplainedGrowth(Run, {F}).size(), 0u);
  F.TheVerdict = Verdict::Inconclusive;
  EXPECT_EQ(unexplainedGrowth(Run, {F}).size(), 1u);
  F.TheVerdict = Verdict::Confirmed;
  F.TheSubject.HolderDecl = line(6); // another variable
  EXPECT_EQ(unexplainedGrowth(Run, {F}).size(), 1u);
}

TEST(UnexplainedGrowth, AFindingThatSpeaksOfNoGrowthExplainsNone) {
  RunFacts Run = cleanRun();
  Run.Sites = {growingSite(15, 4096)};
  Finding F = findingAt(15, Kind::Peak);
  F.TheVerdict = Verdict::Confirmed;
  EXPECT_EQ(unexplainedGrowth(Run, {F}).size(), 1u);
}

TEST(UnexplainedGrowth, SaysWhoKeepsIt) {
  RunFacts Run = cleanRun();
  Run.Sites = {growingSite(90, 512)};
  Run.Sites[0].Ids = {4};
  Run.Held = {heldBy(4, 5, 3)};
  std::vector<Finding> Out = unexplainedGrowth(Run, {});
  ASSERT_EQ(Out.size(), 1u);
  EXPECT_NE(Out[0].TheEvidence.Holder.find("'history'"), std::string::npos);
}

TEST(UnexplainedGrowth, WhatTheLineSetUpIsNotInAll) {
  RunFacts Run = cleanRun();
  Run.Sites = {growingSite(15, 4)};
  Run.Sites[0].Objects.push_back({0, 1 << 20, 1, std::nullopt, false}); // a gradient that stays
  std::vector<Finding> Out = unexplainedGrowth(Run, {});
  ASSERT_EQ(Out.size(), 1u);
  EXPECT_EQ(Out[0].TheEvidence.BytesPerStep, 4);
  EXPECT_LE(Out[0].TheEvidence.TotalBytes, int64_t(Steps) * 4);
}

TEST(Retention, BoundedSitesAreRefuted) {
  RunFacts Run = cleanRun();
  Run.Sites = {siteAt(15)};
  EXPECT_EQ(judged(findingAt(15), Run).TheVerdict, Verdict::Refuted);
}

TEST(Retention, ABlindSpotForbidsRefuting) {
  RunFacts Run = cleanRun();
  Run.BlindSpots = {{"the trace is damaged", BlindSpot::Everything}};
  Finding F = judged(findingAt(15), Run);
  EXPECT_EQ(F.TheVerdict, Verdict::Inconclusive);
  EXPECT_NE(F.TheEvidence.Reason.find("the trace is damaged"), std::string::npos);
}

TEST(Retention, NodesAndHeapTogetherConfirm) {
  RunFacts Run = cleanRun();
  Run.Censuses = {census(16, 8, 15), census(32, 8, 15), census(48, 8, 15)};
  for (int64_t Tick : {8, 16, 24, 32, 40, 48, 56})
    Run.Heap.push_back({static_cast<uint64_t>(Tick), 6000 * Tick});
  Finding F = judged(graphFindingAt(15, 12), Run);
  EXPECT_EQ(F.TheVerdict, Verdict::Confirmed);
  EXPECT_EQ(F.TheEvidence.BytesPerStep, 0);
  EXPECT_EQ(F.TheEvidence.HostBytesPerStep, 6000);
  EXPECT_DOUBLE_EQ(F.TheEvidence.NodesPerStep.value_or(0), 8);
}

TEST(Retention, AGrowingHeapAloneDecidesNothing) {
  RunFacts Run = cleanRun();
  Run.Censuses.clear();
  for (int64_t Tick : {8, 16, 24, 32, 40, 48, 56})
    Run.Heap.push_back({static_cast<uint64_t>(Tick), 6000 * Tick});
  EXPECT_EQ(judged(graphFindingAt(15, 12), Run).TheVerdict, Verdict::Inconclusive);
}

TEST(Retention, AnotherFindingsGrowthInTheLoopIsNotClaimed) {
  RunFacts Run = cleanRun();
  Run.Sites = {growingSite(13, 1000)};
  Finding Innocent = judged(graphFindingAt(16, 17), Run);
  EXPECT_EQ(Innocent.TheVerdict, Verdict::Refuted);
}

TEST(Retention, TheSameProducerIsSettledByTheOwnLine) {
  RunFacts Run = cleanRun();
  Run.Sites = {growingSite(12, 500), growingSite(15, 100)};
  std::vector<Finding> All{graphFindingAt(15, 12), graphFindingAt(16, 12)};
  judgeAll(All, {reached(Run), reached(Run)}, Run);
  EXPECT_EQ(All[0].TheVerdict, Verdict::Confirmed);
  EXPECT_EQ(All[1].TheVerdict, Verdict::Inconclusive);
  EXPECT_NE(All[1].TheEvidence.Reason.find("train.cpp:15"), std::string::npos);
}

TEST(Retention, SharedBytesAreSaidToBeShared) {
  RunFacts Run = cleanRun();
  Run.Sites = {growingSite(13, 500), growingSite(15, 4), growingSite(16, 4)};
  std::vector<Finding> All{graphFindingAt(15, 12), graphFindingAt(16, 17)};
  judgeAll(All, {reached(Run), reached(Run)}, Run);
  EXPECT_NE(All[0].TheEvidence.Reason.find("shared with train.cpp:16"), std::string::npos);
  EXPECT_NE(All[1].TheEvidence.Reason.find("shared with train.cpp:15"), std::string::npos);
}

TEST(Retention, FewExecutionsDecideNothing) {
  RunFacts Run = cleanRun();
  Run.Sites = {growingSite(15, 4096)};
  FindingFacts Facts = reached(Run);
  Facts.Where.StepsHit = MinStepsToJudge - 1;
  EXPECT_EQ(judged(findingAt(15), Run, Facts).TheVerdict, Verdict::Inconclusive);
}

TEST(Reach, EachReasonHasItsVerdict) {
  RunFacts Run = cleanRun();
  FindingFacts Facts = reached(Run);
  Facts.Where.Hits = 0;
  EXPECT_EQ(judged(findingAt(15), Run, Facts).TheVerdict, Verdict::NotReached);
  Facts.Where.Armed = 0;
  EXPECT_EQ(judged(findingAt(15), Run, Facts).TheVerdict, Verdict::Inconclusive);
  Facts.Where.Planned = 0;
  EXPECT_NE(judged(findingAt(15), Run, Facts).TheEvidence.Reason.find("-g"), std::string::npos);
  Facts.HasNoCode = true; // other lines of its file have: no -g is lacking
  EXPECT_NE(judged(findingAt(15), Run, Facts).TheEvidence.Reason.find("-Og"), std::string::npos);
  Facts.Changed = true;
  EXPECT_NE(judged(findingAt(15), Run, Facts).TheEvidence.Reason.find("changed"),
            std::string::npos);
}

TEST(Retention, ATensorThatIsMadeAnewAndLargerEachStep) {
  RunFacts Run = cleanRun();
  Run.Sites = {siteAt(15)};
  for (int64_t Tick : {8, 16, 24, 32, 40, 48, 56})
    Run.Sites[0].LiveBytes[static_cast<uint64_t>(Tick)] = 1024 * Tick;
  Finding F = judged(findingAt(15), Run);
  EXPECT_EQ(F.TheVerdict, Verdict::Confirmed);
  EXPECT_EQ(F.TheEvidence.BytesPerStep, 1024);
  Run.Sites[0].LiveBytes[48] = 1024; // it was cut back
  EXPECT_EQ(judged(findingAt(15), Run).TheVerdict, Verdict::Refuted);
}

TEST(UnexplainedGrowth, OnlyWhatNoFindingMatches) {
  RunFacts Run = cleanRun();
  Run.Sites = {growingSite(15, 4096), growingSite(30, 64)};
  std::vector<Finding> Out = unexplainedGrowth(Run, {findingAt(15)});
  ASSERT_EQ(Out.size(), 1u);
  EXPECT_EQ(Out[0].Where.Line, 30u);
  EXPECT_EQ(Out[0].TheEvidence.BytesPerStep, 64);
}

TEST(Growth, OfAProgramWithoutDebugInformationHasItsFunction) {
  RunFacts Run = cleanRun();
  Run.Sites = {growingSite(20, 64)};
  EXPECT_EQ(modulesWithoutLines(Run), "");
  Run.Sites[0].Frames = {{"main+0x57", {"/home/me/train", 0, 0}}};
  std::vector<Finding> Found = unexplainedGrowth(Run, {});
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_FALSE(Found[0].Where.isValid());
  EXPECT_NE(Found[0].Message.find("(main+0x57)"), std::string::npos);
  EXPECT_EQ(modulesWithoutLines(Run).rfind("'train' has no debug information", 0), 0u);
}

TEST(Growth, WithoutAFrameOfTheProgramIsSaid) {
  RunFacts Run = cleanRun();
  EXPECT_EQ(growthWithoutPlace(Run), "");
  SourceSite Placed = growingSite(20, 64), Unplaced = growingSite(20, 32);
  Unplaced.Frames.clear();
  Unplaced.Ops = {"aten::relu"};
  Run.Sites = {Placed};
  EXPECT_EQ(growthWithoutPlace(Run), "");
  Run.Sites = {Placed, Unplaced};
  EXPECT_EQ(growthWithoutPlace(Run),
            "32 B per step grow at places without a frame of the program (aten::relu)");
}

/// A training in which so many nodes of those lines are added in each step.
static RunFacts withGraphs(int64_t NodesPerStep, std::vector<unsigned> Lines) {
  RunFacts Run = cleanRun();
  Run.Censuses.clear();
  for (uint64_t Tick : {1, 2, 4, 8, 16, 32}) {
    NodeCount C = census(Tick, NodesPerStep, Lines.front());
    for (size_t I = 1; I < Lines.size(); ++I)
      C.Groups.push_back(census(Tick, NodesPerStep, Lines[I]).Groups.front());
    for (size_t I = 0; I < Lines.size(); ++I)
      C.Groups[I].SiteId = I;
    Run.Censuses.push_back(C);
  }
  return Run;
}

/// A search found that variable at the end of a way from nodes of that line.
static HeldSite keptNodes(unsigned Line, const char *Name, uint64_t Nodes) {
  Holder H;
  H.Name = Name;
  H.What = "a local variable of main";
  H.Where = line(3);
  H.Nodes = Nodes;
  HeldSite Held;
  Held.Frames = {{"train", line(Line)}};
  Held.Targets = 3;
  Held.Holders = {H};
  return Held;
}

TEST(ObservedNodes, AGraphThatIsAddedUpIsOneLeak) {
  RunFacts Run = withGraphs(2, {15, 16});
  Run.Held = {keptNodes(15, "total", 3), keptNodes(16, "total", 1)};
  std::vector<Finding> Out = unexplainedGrowth(Run, {});
  ASSERT_EQ(Out.size(), 1u);
  EXPECT_EQ(Out[0].Where.Line, 16u); // made last
  EXPECT_DOUBLE_EQ(Out[0].TheEvidence.NodesPerStep.value_or(0), 4);
  EXPECT_EQ(Out[0].TheEvidence.Holder, "'total' (a local variable of main, train.cpp:3)");
}

TEST(ObservedNodes, WhatAFindingSpeaksOfIsNotListed) {
  RunFacts Run = withGraphs(2, {15});
  Finding Known = graphFindingAt(15, 12);
  Known.TheVerdict = Verdict::Confirmed;
  EXPECT_TRUE(unexplainedGrowth(Run, {Known}).empty());
  Known.TheVerdict = Verdict::Refuted;
  EXPECT_EQ(unexplainedGrowth(Run, {Known}).size(), 1u);
}

TEST(ObservedNodes, TensorsOfTheSameVariableExplainThem) {
  RunFacts Run = withGraphs(2, {15});
  Run.Held = {keptNodes(15, "history", 1)};
  Run.Sites = {growingSite(13, 1000)};
  Run.Sites[0].Ids = {7};
  Run.Held.push_back(keptNodes(13, "history", 0));
  Run.Held.back().SiteId = 7;
  EXPECT_EQ(unexplainedGrowth(Run, {}).size(), 1u);
}

TEST(ObservedNodes, NodesThatComeAndGoAreNoLeak) {
  EXPECT_TRUE(unexplainedGrowth(withGraphs(0, {15}), {}).empty());
  RunFacts Run = withGraphs(2, {15});
  Run.Censuses.back().Groups.front().Nodes = 20; // a window that was cut
  EXPECT_TRUE(unexplainedGrowth(Run, {}).empty());
  Run = withGraphs(2, {15});
  Run.Clock.Inferred = true;
  EXPECT_TRUE(unexplainedGrowth(Run, {}).empty());
  Run = withGraphs(2, {15});
  Run.Censuses.back().Trusted = false;
  EXPECT_TRUE(unexplainedGrowth(Run, {}).empty());
}

TEST(ObservedNodes, WhatACycleKeepsIsOneLeak) {
  RunFacts Run = withGraphs(2, {15, 16});
  Run.Cycles = {{"a hook keeps a tensor that leads back to the hook", {{{"train", line(15)}}}, 4}};
  std::vector<Finding> Out = unexplainedGrowth(Run, {});
  ASSERT_EQ(Out.size(), 1u); // line 16 hangs on it
  EXPECT_EQ(Out[0].Where.Line, 15u);
  EXPECT_DOUBLE_EQ(Out[0].TheEvidence.NodesPerStep.value_or(0), 4);
  Run.Sites = {growingSite(13, 1000)};
  Run.Sites[0].Ids = {7};
  Run.Held = {heldByNodes(7)};
  Out = unexplainedGrowth(Run, {});
  ASSERT_EQ(Out.size(), 1u);
  EXPECT_EQ(Out[0].Where.Line, 13u);
  EXPECT_EQ(Out[0].TheEvidence.Holder, "itself: a hook keeps a tensor that leads back to the hook");
  EXPECT_EQ(Out[0].TheEvidence.Reason, "");
  Run.Cycles.clear(); // of two or three rounds none is believed
  Run.Censuses.clear();
  Out = unexplainedGrowth(Run, {});
  ASSERT_EQ(Out.size(), 1u);
  EXPECT_EQ(Out[0].TheEvidence.Reason.find("only autograd nodes point to it"), 0u);
  Run.Held[0].HeldByNodes = false;
  EXPECT_EQ(unexplainedGrowth(Run, {})[0].TheEvidence.Reason, NobodyHolds);
}

TEST(ObservedNodes, AVariableThatWasFoundCountsMoreThanACycle) {
  RunFacts Run = withGraphs(2, {15, 16});
  Run.Cycles = {{"a hook keeps a tensor that leads back to the hook", {{{"train", line(15)}}}, 4}};
  Run.Held = {keptNodes(16, "total", 1)};
  std::vector<Finding> Out = unexplainedGrowth(Run, {});
  ASSERT_EQ(Out.size(), 1u);
  EXPECT_EQ(Out[0].Where.Line, 16u);
  EXPECT_DOUBLE_EQ(Out[0].TheEvidence.NodesPerStep.value_or(0), 4);
  EXPECT_EQ(Out[0].TheEvidence.Holder, "'total' (a local variable of main, train.cpp:3)");
}
