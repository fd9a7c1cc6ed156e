//===-- KindVerdictsTest.cpp - Verdicts of the other kinds ----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Peaks and correctness.
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/verdicts/JudgedByHand.h"

#include <gtest/gtest.h>

using namespace tensorleak;
using namespace tensorleak::test;

TEST(Reach, OfAProgramThatWasKilledTheEndIsNotKnown) {
  RunFacts Run = cleanRun();
  FindingFacts Facts = reached(Run);
  Facts.Where.Hits = Facts.Where.Armed = 0;
  Facts.Where.IsCut = true;
  Finding F = judged(findingAt(15), Run, Facts);
  EXPECT_EQ(F.TheVerdict, Verdict::Inconclusive);
  EXPECT_NE(F.TheEvidence.Reason.find("ends before"), std::string::npos);
}

TEST(Correctness, UnseenMemoryHidesNoGradient) {
  RunFacts Run = cleanRun();
  Run.Optimizers = {optimizer(/*Zeroes=*/true, 0)};
  Run.BlindSpots = {{"CUDA memory is not reported", BlindSpot::Memory}};
  EXPECT_EQ(judged(findingAt(15, Kind::Correctness), Run).TheVerdict, Verdict::Refuted);
  Run.BlindSpots = {{"the trace is damaged", BlindSpot::Everything}};
  EXPECT_EQ(judged(findingAt(15, Kind::Correctness), Run).TheVerdict, Verdict::Inconclusive);
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
  Run.Backwards.Steps = {{30, false, 1, 0, 0}};
  EXPECT_EQ(judged(unusedGraph(), Run).TheVerdict, Verdict::Inconclusive);
}

TEST(Peak, TheSameTransferInEveryRound) {
  RunFacts Run = cleanRun();
  Finding F = findingAt(15, Kind::Peak);
  F.Rule = rules::RepeatedTransfer;
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
  F.Rule = rules::EmptyCacheInLoop;
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Inconclusive);
  Run.Sites = {siteAt(12)};
  Run.Sites[0].OnDevice = true;
  Run.Sites[0].Allocations = 1;
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Confirmed);
  FindingFacts Once = reached(Run);
  Once.Where.StepsHit = 1;
  EXPECT_EQ(judged(F, Run, Once).TheVerdict, Verdict::Refuted);
}

TEST(UnusedGraph, WhatStaysAliveWithItIsCounted) {
  RunFacts Run = cleanRun();
  Finding F = findingAt(15, Kind::Peak);
  F.Rule = rules::MissingNoGrad;
  F.TheSubject.Graph = true;
  F.TheSubject.Loop = {line(15).File, 10, 20};
  NodeSite Made;
  Made.Frames = siteAt(15).Frames;
  Made.Made = 500;
  Run.NodeSites = {Made};
  F = judged(F, Run);
  EXPECT_EQ(F.TheVerdict, Verdict::Confirmed);
  EXPECT_EQ(F.TheEvidence.BytesPerStep, std::nullopt);

  // In the loop, and what another finding reports.
  Run.Sites = {growingSite(15, 4096), growingSite(17, 1024), growingSite(30, 512)};
  Finding Kept = findingAt(17, Kind::Retention);
  std::vector<Finding> All{F, Kept};
  judgeAll(All, {reached(Run), reached(Run)}, Run);
  EXPECT_EQ(All[1].TheEvidence.BytesPerStep, 1024);
  EXPECT_EQ(All[0].TheEvidence.BytesPerStep, 4096);
  EXPECT_NE(All[0].TheEvidence.Reason.find("stays alive with its graph"), std::string::npos);
}

// A hook is hung on another line than those whose memory it keeps.
TEST(Retention, ACycleElsewhereRefutesNoCycle) {
  RunFacts Run = cleanRun();
  SourceSite Own = siteAt(15);
  Own.Allocations = Steps;
  Run.Sites = {Own, growingSite(40, 4096)};
  Run.Sites[1].Ids = {7};
  Run.Held = {heldByNodes(7)};
  Run.Cycles = {{"a hook keeps it", {{{"train", line(40)}}}}};
  Finding F = findingAt(15);
  F.Rule = rules::GraphCycle;
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Inconclusive);
  F.Rule = rules::RetainedActivation;
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Refuted);
  F.Rule = rules::GraphCycle;
  Run.Cycles.clear();
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Refuted);
}

// A custom function is applied in several places, and each is a cycle of its own.
TEST(Retention, SeveralCyclesOfOneFunctionAreItsOwn) {
  RunFacts Run = cleanRun();
  Run.Sites = {growingSite(40, 4096)};
  Run.Sites[0].Ids = {7};
  Run.Held = {heldByNodes(7)};
  GraphCycle First{"Gate keeps it", {{{"train", line(90)}}}}, Second{"Gate keeps it", {}};
  First.Classes = Second.Classes = {"Gate"};
  Run.Cycles = {First, Second};
  Run.CyclesSearched = true;
  Finding F = findingAt(15);
  F.Rule = rules::GraphCycle;
  F.Function = "Gate::forward";
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Confirmed);
  EXPECT_EQ(judged(F, Run).TheEvidence.BytesPerStep, 4096);
  Run.Cycles.push_back({"another keeps it", {{{"train", line(91)}}}});
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Inconclusive); // it may be that one's
}
