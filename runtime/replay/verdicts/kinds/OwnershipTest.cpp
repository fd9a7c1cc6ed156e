//===-- OwnershipTest.cpp - What is never freed, judged ---------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory, objects of CUDA's and the host's that nobody gives back.
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/verdicts/JudgedByHand.h"

#include <gtest/gtest.h>

using namespace tensorleak;
using namespace tensorleak::test;

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

// A module that nobody follows, on a line that has a vector of its own besides.
TEST(Ownership, TheHeapSaysNothingOfWhatTheDeviceHas) {
  RunFacts Run = cleanRun();
  Run.Sites = {siteAt(15)};
  Run.Sites[0].Allocations = Steps;
  Run.Sites[0].OnHeap = true;
  Finding F = findingAt(15, Kind::Ownership);
  F.Rule = rules::UnfreedDeviceMemory;
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Inconclusive);
  F.TheSubject.Host = true; // an object of the host's is what is lost
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Refuted);
  F.TheSubject.Host = false;
  Run.Sites.push_back(siteAt(15)); // what the program asked CUDA for there
  Run.Sites[1].Allocations = 1;
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Refuted);
}

// An exception that a call may throw: its line runs whether it does or not.
TEST(Ownership, AWayOutThatIsNotSeenRefutesNothing) {
  RunFacts Run = cleanRun();
  SourceSite S = siteAt(15);
  S.Allocations = Steps;
  Run.Sites = {S};
  Finding F = findingAt(15, Kind::Ownership);
  F.TheSubject.LastUse = line(20);
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Refuted);
  F.TheSubject.UnseenWay = true;
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Inconclusive);
  Run.Sites[0].BytesAtEnd = 512; // it was taken, and left something
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Confirmed);
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

/// `owner.release();` in line 15, of what line 17 takes for others, too; line 14 comes before it.
TEST(Ownership, TheLineThatLetsGoDidNotRun) {
  RunFacts Run = cleanRun();
  Run.Sites = {growingSite(17, 4096)};
  Finding F = findingAt(15, Kind::Ownership);
  F.TheSubject.Producers = {line(17)};
  F.TheSubject.LastUse = line(14);
  FindingFacts Facts = reached(Run);
  Facts.LastUse.Armed = 1;
  EXPECT_EQ(judged(F, Run, Facts).TheVerdict, Verdict::NotReached);
  Facts.LastUse.Hits = 3;
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

// An object that owns itself may have been given what it owns anywhere.
TEST(Ownership, WhatIsLostElsewhereRefutesNoOwner) {
  RunFacts Run = cleanRun();
  SourceSite Own = siteAt(15);
  Own.Allocations = Steps;
  Run.Sites = {Own, growingSite(40, 4096)};
  Run.Sites[1].Ids = {7};
  Run.Held = {unheld(7)};
  Finding F = findingAt(15, Kind::Ownership);
  F.Rule = rules::UndeletedTensor;
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Inconclusive);
  Run.Held.clear(); // nobody has looked for who holds it
  EXPECT_EQ(judged(F, Run).TheVerdict, Verdict::Refuted);
  Run.Held = {unheld(7)};
  F.Rule = rules::UnfreedDeviceMemory;
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
    Run.Held.push_back(heldByNodes(7 + I));
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
