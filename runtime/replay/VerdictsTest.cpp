//===-- VerdictsTest.cpp - What is said of which facts --------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts made by hand, as the ledger would have made them from a run.
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/Verdicts.h"

#include <gtest/gtest.h>

using namespace tensorleak;

namespace {

constexpr const char *File = "/p/train.cpp";
constexpr uint64_t Steps = 60;

Location line(unsigned Number) { return {File, Number, 5}; }

StepClock clockOf(uint64_t Count) {
  StepClock Clock{"step of SGD", {}};
  for (uint64_t Tick = 1; Tick <= Count; ++Tick)
    Clock.Ticks.push_back(Tick);
  return Clock;
}

/// A site at that line; it allocates and frees as told below.
SourceSite siteAt(unsigned Line) {
  SourceSite S;
  S.Frames = {{"train", line(Line)}};
  return S;
}

/// Keeps one object per step.
SourceSite growingSite(unsigned Line, uint64_t Bytes) {
  SourceSite S = siteAt(Line);
  for (uint64_t Tick = 0; Tick < Steps; ++Tick)
    S.Objects.push_back({0, Bytes, Tick, Tick, std::nullopt});
  S.Allocations = Steps;
  S.BytesAtEnd = static_cast<int64_t>(Steps * Bytes);
  return S;
}

NodeCount census(uint64_t Tick, int64_t NodesPerStep, unsigned Line) {
  NodeCount C;
  C.Tick = Tick;
  C.Nodes = NodesPerStep * static_cast<int64_t>(Tick);
  C.Trusted = true;
  C.Groups = {{{{"train", line(Line)}}, C.Nodes, 0, Tick, Tick}};
  return C;
}

Finding findingAt(unsigned Line, Kind TheKind = Kind::Retention) {
  Finding F;
  F.TheKind = TheKind;
  F.Where = line(Line);
  return F;
}

/// A finding that keeps a graph, in the loop of lines 10 to 20.
Finding graphFindingAt(unsigned Line, unsigned Producer) {
  Finding F = findingAt(Line);
  F.TheSubject.Graph = true;
  F.TheSubject.Loop = {File, 10, 20};
  F.TheSubject.Producers = {line(Producer)};
  return F;
}

RunFacts cleanRun() {
  RunFacts Run;
  Run.Clock = clockOf(Steps);
  Run.Censuses = {census(16, 0, 15), census(32, 0, 15), census(48, 0, 15)};
  Run.Allocations = 1000;
  Run.MainReturned = true;
  return Run;
}

FindingFacts reached(const RunFacts &Run) {
  FindingFacts F;
  F.Where = {1, 1, Steps, Steps, 1, Steps, 0, 500};
  F.Clock = Run.Clock;
  F.Rounds = {0};
  return F;
}

Finding judged(Finding F, const RunFacts &Run, const FindingFacts &Facts) {
  std::vector<Finding> All{std::move(F)};
  judgeAll(All, {Facts}, Run);
  return All.front();
}

Finding judged(Finding F, const RunFacts &Run) { return judged(std::move(F), Run, reached(Run)); }

OptimizerFacts optimizer(bool Zeroes, uint64_t Accumulations) {
  OptimizerFacts O{"SGD", {}};
  for (uint64_t Tick = 1; Tick <= 5; ++Tick)
    O.Steps.push_back({Tick, Zeroes, 1, Accumulations, 0, Zeroes ? Accumulations : 0});
  return O;
}

} // namespace

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
  Held.Holders = {{"history", "a local variable of main", line(Line), {line(Line)}, 7, Targets}};
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
  F.Rule = GraphCycleRule;
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

TEST(UnexplainedGrowth, SaysWhoKeepsIt) {
  RunFacts Run = cleanRun();
  Run.Sites = {growingSite(90, 512)};
  Run.Sites[0].Ids = {4};
  Run.Held = {heldBy(4, 5, 3)};
  std::vector<Finding> Out = unexplainedGrowth(Run, {});
  ASSERT_EQ(Out.size(), 1u);
  EXPECT_NE(Out[0].TheEvidence.Holder.find("'history'"), std::string::npos);
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

TEST(Correctness, UnseenMemoryHidesNoGradient) {
  RunFacts Run = cleanRun();
  Run.Optimizers = {optimizer(/*Zeroes=*/true, 0)};
  Run.BlindSpots = {{"CUDA memory is not reported", BlindSpot::Memory}};
  EXPECT_EQ(judged(findingAt(15, Kind::Correctness), Run).TheVerdict, Verdict::Refuted);
  Run.BlindSpots = {{"the trace is damaged", BlindSpot::Everything}};
  EXPECT_EQ(judged(findingAt(15, Kind::Correctness), Run).TheVerdict, Verdict::Inconclusive);
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
  Facts.Changed = true;
  EXPECT_NE(judged(findingAt(15), Run, Facts).TheEvidence.Reason.find("changed"),
            std::string::npos);
}

TEST(Correctness, GradientsOfTwoStepsMixed) {
  RunFacts Run = cleanRun();
  Run.Optimizers = {optimizer(/*Zeroes=*/false, /*Accumulations=*/4)};
  Finding F = judged(findingAt(15, Kind::Correctness), Run);
  EXPECT_EQ(F.TheVerdict, Verdict::Confirmed);
  EXPECT_EQ(F.TheEvidence.BytesPerStep, 0);
  EXPECT_NE(F.TheEvidence.Reason.find("4 of 4 steps; memory does not grow"), std::string::npos);
}

TEST(Correctness, AResetRefutes) {
  RunFacts Run = cleanRun();
  Run.Optimizers = {optimizer(/*Zeroes=*/true, /*Accumulations=*/4)};
  EXPECT_EQ(judged(findingAt(15, Kind::Correctness), Run).TheVerdict, Verdict::Refuted);
  Run.Optimizers = {optimizer(/*Zeroes=*/false, /*Accumulations=*/0)}; // grad = {} each step
  EXPECT_EQ(judged(findingAt(15, Kind::Correctness), Run).TheVerdict, Verdict::Refuted);
}

TEST(Correctness, NoStepDecidesNothing) {
  RunFacts Run = cleanRun();
  EXPECT_EQ(judged(findingAt(15, Kind::Correctness), Run).TheVerdict, Verdict::Inconclusive);
}

TEST(Peak, AnInputThatDiesAtOnceConfirms) {
  RunFacts Run = cleanRun();
  SourceSite S = siteAt(15);
  S.Allocations = 30;
  S.MaxBytes = 1 << 20;
  Run.Sites = {S};
  Finding F = findingAt(15, Kind::Peak);
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Inconclusive);
  F.Bytes = 1 << 22;
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Refuted);
  Run.Sites[0].InPlaceCandidates = 10;
  Run.Sites[0].InPlaceBytes = 10 << 20;
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Confirmed);
  EXPECT_EQ(judged(F, Run).TheEvidence.PeakBytes, 1 << 20);
}

TEST(Peak, LiveAfterItsLastUseAtThePeak) {
  RunFacts Run = cleanRun();
  SourceSite S = siteAt(12);
  S.BytesAtPeak = 4096;
  Run.Sites = {S};
  Run.Peak = {40, 700, 10000};
  Finding F = findingAt(15, Kind::Peak);
  F.TheSubject.Producers = {line(12)};
  F.TheSubject.LastUse = line(16);
  FindingFacts Facts = reached(Run);
  Facts.LastUse = Facts.Where;
  EXPECT_EQ(judged(F, Run, Facts).TheEvidence.PeakBytes, 4096);
  Facts.LastUse.LastSequence = 800; // used after the peak
  EXPECT_EQ(judged(F, Run, Facts).TheVerdict, Verdict::Refuted);
  Facts.Rounds = {0, 690, 795}; // the peak is 10 allocations into its round, the uses 0 and 5
  EXPECT_EQ(judged(F, Run, Facts).TheVerdict, Verdict::Confirmed);
  Facts.Rounds = {0, 695, 790};
  EXPECT_EQ(judged(F, Run, Facts).TheVerdict, Verdict::Refuted);
  Facts.Rounds = {0, 690, 700, 795}; // the last allocation before a round is not of that round
  EXPECT_EQ(judged(F, Run, Facts).TheVerdict, Verdict::Confirmed);
}

namespace {
/// A finding of a graph for nothing, on line 15 in the loop of lines 10 to 20.
Finding unusedGraph() {
  Finding F = graphFindingAt(15, 15);
  F.TheKind = Kind::Peak;
  return F;
}
} // namespace

TEST(Peak, AGraphThatNothingDifferentiates) {
  RunFacts Run = cleanRun();
  Run.Peak = {40, 700, 10000};
  EXPECT_EQ(judged(unusedGraph(), Run).TheVerdict, Verdict::Refuted); // no node was made
  Run.NodeSites = {{{{"train", line(15)}}, 480}};
  EXPECT_EQ(judged(unusedGraph(), Run).TheVerdict, Verdict::Confirmed);
  Run.PeakWithoutGrad = 2000;
  EXPECT_EQ(judged(unusedGraph(), Run).TheEvidence.PeakBytes, 8000);
  Run.PeakWithoutGrad = 9990;
  EXPECT_EQ(judged(unusedGraph(), Run).TheVerdict, Verdict::Refuted);
  Run.Backwards.Steps = {{30, false, 1, 0, 0, 0}};
  EXPECT_EQ(judged(unusedGraph(), Run).TheVerdict, Verdict::Inconclusive);
}

TEST(Peak, TheSameTransferInEveryRound) {
  RunFacts Run = cleanRun();
  Finding F = findingAt(15, Kind::Peak);
  F.Rule = TransferRule;
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Refuted);
  Run.Sites = {siteAt(15)};
  Run.Sites[0].Allocations = 1;
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Refuted);
  Run.Sites[0].Allocations = Steps;
  Run.Sites[0].MaxBytes = 4096;
  EXPECT_EQ(judged(F, Run).TheEvidence.PeakBytes, 4096);
}

TEST(Correctness, GradientsThatTheOptimizerDoesNotReset) {
  RunFacts Run = cleanRun();
  OptimizerFacts O = optimizer(/*Zeroes=*/true, /*Accumulations=*/6);
  for (OptimizerStep &S : O.Steps)
    S.ZeroOps = 4;
  Run.Optimizers = {O};
  EXPECT_EQ(judged(findingAt(15, Kind::Correctness), Run).TheVerdict, Verdict::Confirmed);
  for (OptimizerStep &S : Run.Optimizers[0].Steps)
    S.ZeroOps = 6; // all that was added to had been set to zero
  EXPECT_EQ(judged(findingAt(15, Kind::Correctness), Run).TheVerdict, Verdict::Refuted);
  Run.Optimizers = {O, O}; // another optimizer may reset them in its turn
  EXPECT_EQ(judged(findingAt(15, Kind::Correctness), Run).TheVerdict, Verdict::Refuted);
}

TEST(Correctness, EmptyCacheNeedsADeviceAndALoop) {
  RunFacts Run = cleanRun();
  Finding F = findingAt(15, Kind::Correctness);
  F.Rule = EmptyCacheRule;
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Inconclusive);
  Run.Sites = {siteAt(12)};
  Run.Sites[0].OnDevice = true;
  Run.Sites[0].Allocations = 1;
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Confirmed);
  FindingFacts Once = reached(Run);
  Once.Where.StepsHit = 1;
  EXPECT_EQ(judged(F, Run, Once).TheVerdict, Verdict::Refuted);
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

TEST(Ownership, ForeignMemoryThatIsFreed) {
  RunFacts Run = cleanRun();
  Finding F = findingAt(15, Kind::Ownership);
  F.Bytes = 65536;
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Inconclusive); // the heap was not looked at
  for (int64_t Tick : {8, 16, 24, 32, 40, 48, 56})
    Run.Heap.push_back({static_cast<uint64_t>(Tick), 1000});
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Refuted);
  F.Rule = DeviceMemoryRule; // of which the host's heap says nothing
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Inconclusive);
  F.Rule = "";
  Run.UsesCuda = true; // it may be on the device
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Inconclusive);
}

TEST(Ownership, AliveWhenMainHasReturned) {
  RunFacts Run = cleanRun();
  SourceSite S = siteAt(15);
  S.Allocations = 1;
  S.BytesAtEnd = 512;
  Run.Sites = {S};
  Finding F = findingAt(15, Kind::Ownership);
  EXPECT_EQ(judged(F, Run).TheEvidence.TotalBytes, 512);
  Run.MainReturned = false; // exit() in main: its variables still exist
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Inconclusive);
  Run.Sites[0].BytesAtEnd = 0;
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Refuted);
}

TEST(Ownership, WhatNothingPointsToIsSaidToBeLost) {
  RunFacts Run = cleanRun();
  Run.Sites = {growingSite(15, 4096)};
  Run.Sites[0].Ids = {4};
  Finding F = findingAt(15, Kind::Ownership);
  EXPECT_EQ(judged(F, Run).TheEvidence.Reason.find(NobodyHolds), std::string::npos);
  Run.Held = {HeldSite{4, {}, 3, 3, {}}};
  EXPECT_NE(judged(F, Run).TheEvidence.Reason.find(NobodyHolds), std::string::npos);
  Run.Held = {HeldSite{4, {}, 3, 1, {}}}; // most of them could be reached
  EXPECT_EQ(judged(F, Run).TheEvidence.Reason.find(NobodyHolds), std::string::npos);
}

TEST(UnexplainedGrowth, OnlyWhatNoFindingMatches) {
  RunFacts Run = cleanRun();
  Run.Sites = {growingSite(15, 4096), growingSite(30, 64)};
  std::vector<Finding> Out = unexplainedGrowth(Run, {findingAt(15)});
  ASSERT_EQ(Out.size(), 1u);
  EXPECT_EQ(Out[0].Where.Line, 30u);
  EXPECT_EQ(Out[0].TheEvidence.BytesPerStep, 64);
}
