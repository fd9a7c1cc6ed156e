//===-- KindVerdictsTest.cpp - Verdicts of the other kinds ----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Peaks, ownership and correctness.
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

TEST(Ownership, ForeignMemoryThatIsFreed) {
  RunFacts Run = cleanRun();
  Finding F = findingAt(15, Kind::Ownership);
  F.Bytes = 65536;
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Inconclusive); // the heap was not looked at
  for (int64_t Tick : {8, 16, 24, 32, 40, 48, 56})
    Run.Heap.push_back({static_cast<uint64_t>(Tick), 1000});
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Refuted);
  F.Rule = rules::UnfreedDeviceMemory; // which is not in the host's heap
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

TEST(Ownership, TheWayOutOfTheFindingWasNotTaken) {
  RunFacts Run = cleanRun();
  Run.Sites = {siteAt(15)};
  Run.Sites[0].Allocations = Steps;
  Finding F = findingAt(15, Kind::Ownership);
  F.TheSubject.LastUse = line(18);
  FindingFacts Facts = reached(Run);
  EXPECT_EQ(judged(F, Run, Facts).TheVerdict, Verdict::Refuted); // not watched
  Facts.LastUse.Armed = 1;
  Finding Untaken = judged(F, Run, Facts);
  EXPECT_EQ(Untaken.TheVerdict, Verdict::NotReached);
  EXPECT_NE(Untaken.TheEvidence.Reason.find(":18, which leaves it behind"), std::string::npos)
      << Untaken.TheEvidence.Reason;
  Facts.LastUse.Hits = 3;
  EXPECT_EQ(judged(F, Run, Facts).TheVerdict, Verdict::Refuted);
  Facts.LastUse.Hits = 0; // what is there at the end was lost elsewhere
  Run.Sites[0].BytesAtEnd = 512;
  EXPECT_EQ(judged(F, Run, Facts).TheVerdict, Verdict::Confirmed);
}

namespace {
/// A site that makes a stream in every step and destroys none.
SourceSite streamsAt(unsigned Line) {
  SourceSite S = growingSite(Line, 0);
  S.Thing = {"stream", "streams"};
  S.AtEnd = Steps;
  return S;
}
} // namespace

TEST(Ownership, WhatOneWayOutLosesIsAddedUp) {
  RunFacts Run = cleanRun();
  Run.Sites = {growingSite(15, 4096), growingSite(17, 1024), growingSite(30, 512), streamsAt(16)};
  Finding F = findingAt(15, Kind::Ownership);
  F.TheSubject.Producers = {line(15), line(16), line(17)};
  F = judged(F, Run);
  EXPECT_EQ(F.TheVerdict, Verdict::Confirmed);
  EXPECT_EQ(F.TheEvidence.BytesPerStep, 5120); // nothing of line 30
  EXPECT_EQ(F.TheEvidence.Reason.find("what these lines allocate is never freed"), 0u)
      << F.TheEvidence.Reason;
  Run.Sites = {siteAt(15), siteAt(17)};
  Run.Sites[0].Allocations = Run.Sites[1].Allocations = Steps;
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Refuted);
  Run.Sites[1].BytesAtEnd = 512; // only the second is still there
  EXPECT_EQ(judged(F, Run).TheEvidence.TotalBytes, 512);
}

// auto x = torch::from_blob(pixels, {n}).clone();
TEST(Ownership, ACopyBesideTheNameOfTheMemoryIsNotTheMemory) {
  RunFacts Run = cleanRun();
  SourceSite Copies = siteAt(15);
  Copies.Allocations = Steps;
  Run.Sites = {growingSite(12, 4096), Copies};
  Finding F = findingAt(15, Kind::Ownership);
  F.Rule = rules::UndeletedTensor;
  F.TheSubject.Producers = {line(12)};
  EXPECT_EQ(judged(F, Run).TheEvidence.BytesPerStep, 4096);
  Run.Sites = {Copies}; // the copies are freed; of the memory nothing was seen
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Inconclusive);
}

TEST(Ownership, WhatNothingPointsToIsSaidToBeLost) {
  RunFacts Run = cleanRun();
  Run.Sites = {growingSite(15, 4096)};
  Run.Sites[0].Ids = {4};
  Finding F = findingAt(15, Kind::Ownership);
  EXPECT_EQ(judged(F, Run).TheEvidence.Reason.find(NobodyHolds), std::string::npos);
  Run.Held = {HeldSite{4, {}, 3, 3, {}}};
  EXPECT_NE(judged(F, Run).TheEvidence.Reason.find(NobodyHolds), std::string::npos);
  Run.HasPython = true; // whose objects may keep it
  EXPECT_EQ(judged(F, Run).TheEvidence.Reason.find(NobodyHolds), std::string::npos);
  Run.HasPython = false;
  Run.Held = {HeldSite{4, {}, 3, 1, {}}}; // most of them could be reached
  EXPECT_EQ(judged(F, Run).TheEvidence.Reason.find(NobodyHolds), std::string::npos);
}

TEST(Ownership, WhoHasTheNewestOfWhatIsLostKeepsNone) {
  RunFacts Run = cleanRun();
  Run.Sites = {growingSite(15, 4096)};
  Run.Sites[0].Ids = {4, 5};
  Finding F = findingAt(15, Kind::Ownership);
  Holder Running;
  Running.Name = "Running";
  Running.Targets = 3;
  auto IsLost = [&] {
    return judged(F, Run).TheEvidence.Reason.find(NobodyHolds) != std::string::npos;
  };
  Run.Held = {HeldSite{4, {}, 6, 3, {Running}}, HeldSite{5, {}, 9, 9, {}}};
  EXPECT_TRUE(IsLost());
  Run.Held[1].Unheld = 8; // it leads to more than a fourth of as many as are lost
  EXPECT_FALSE(IsLost());
}

TEST(Ownership, WhatALostObjectOwnsIsMadeElsewhereInItsFunction) {
  RunFacts Run = cleanRun();
  Run.Sites = {growingSite(18, 4096)};
  Run.Sites[0].Ids = {4};
  Finding F = findingAt(15, Kind::Ownership);
  F.Function = "train";
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Inconclusive); // somebody may hold it
  Run.Held = {HeldSite{4, {}, 3, 3, {}}};
  Finding Out = judged(F, Run);
  EXPECT_EQ(Out.TheVerdict, Verdict::Confirmed);
  EXPECT_EQ(Out.TheEvidence.BytesPerStep, 4096);
  EXPECT_EQ(unexplainedGrowth(Run, {Out}).size(), 0u);
  F.Function = "evaluate";
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Inconclusive);
  F.Function = "train";
  Run.Sites.push_back(siteAt(15)); // its own line allocates, and frees
  Run.Sites[1].Allocations = Steps;
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Refuted);
}

TEST(Ownership, AnObjectOfTheHeapIsFreedWhereNothingPilesUp) {
  RunFacts Run = cleanRun();
  for (int64_t Tick : {8, 16, 24, 32, 40, 48, 56})
    Run.Heap.push_back({static_cast<uint64_t>(Tick), 1000});
  Finding F = findingAt(15, Kind::Ownership);
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Refuted);
  Run.Sites = {growingSite(18, 4096)};
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Inconclusive);
  Run.Sites.clear();
  FindingFacts Rare = reached(Run);
  Rare.Where.StepsHit = 5;
  EXPECT_EQ(judged(F, Run, Rare).TheVerdict, Verdict::Inconclusive);
}

TEST(Ownership, StreamsThatPileUpBesideMemoryThatIsFreed) {
  RunFacts Run = cleanRun();
  SourceSite Memory = siteAt(15);
  Memory.Allocations = Steps;
  Memory.Bytes = 4096;
  Run.Sites = {Memory, streamsAt(15)};
  Finding F = judged(findingAt(15, Kind::Ownership), Run);
  EXPECT_EQ(F.TheVerdict, Verdict::Confirmed);
  EXPECT_EQ(F.TheEvidence.Reason.find("60 streams that were made here were never destroyed"), 0u)
      << F.TheEvidence.Reason;
  Run.Sites = {Memory};
  EXPECT_EQ(judged(findingAt(15, Kind::Ownership), Run).TheVerdict, Verdict::Refuted);
}

TEST(Ownership, AStreamThatIsThereAtTheEnd) {
  RunFacts Run = cleanRun();
  Run.Sites = {streamsAt(15)};
  Run.Sites[0].Objects.resize(1);
  Run.Sites[0].AtEnd = 1;
  Finding F = judged(findingAt(15, Kind::Ownership), Run);
  EXPECT_EQ(F.TheVerdict, Verdict::Confirmed);
  EXPECT_EQ(F.TheEvidence.Reason.find("1 stream made here was alive at the end"), 0u);
  Run.Sites[0].Objects[0].DeathTick = Steps;
  Run.Sites[0].AtEnd = 0;
  EXPECT_EQ(judged(findingAt(15, Kind::Ownership), Run).TheVerdict, Verdict::Refuted);
}

TEST(Ownership, StreamsThatNoFindingSpeaksOf) {
  RunFacts Run = cleanRun();
  Run.Sites = {streamsAt(15)};
  std::vector<Finding> Growth = unexplainedGrowth(Run, {});
  ASSERT_EQ(Growth.size(), 1u);
  EXPECT_EQ(Growth[0].Message.find("the streams that are made here stay alive"), 0u);
  EXPECT_EQ(Growth[0].TheEvidence.Reason, "60 streams in all");
  Run.Sites[0].Objects.resize(3); // made in the first steps and kept
  EXPECT_TRUE(unexplainedGrowth(Run, {}).empty());
}

TEST(Observed, WhatAnObjectOfPythonsMayKeepIsNotLost) {
  RunFacts Run = cleanRun();
  Run.HasPython = true;
  Run.Sites = {growingSite(13, 1000), growingSite(14, 500)};
  for (uint64_t I : {0, 1}) {
    Run.Sites[I].Ids = {7 + I};
    HeldSite Unheld;
    Unheld.SiteId = 7 + I;
    Unheld.Targets = Unheld.Unheld = 3;
    Unheld.HeldByNodes = true;
    Run.Held.push_back(Unheld);
  }
  std::vector<Finding> Out = unexplainedGrowth(Run, {});
  ASSERT_EQ(Out.size(), 1u); // a graph with all that it keeps
  EXPECT_EQ(Out[0].TheEvidence.Reason, PythonsNodesHold);
  for (HeldSite &Unheld : Run.Held)
    Unheld.HeldByNodes = false;
  Out = unexplainedGrowth(Run, {});
  ASSERT_EQ(Out.size(), 2u);
  EXPECT_EQ(Out[0].TheEvidence.Reason, "");
}
