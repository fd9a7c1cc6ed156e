//===-- StepsTest.cpp - Boundaries and generations -------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which boundary begins a generation, what is counted since an optimizer's last
// step, and when the large records are due.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/tables/Steps.h"
#include "runtime/probe/tables/Pulses.h"
#include "runtime/trace/Reader.h"

#include <gtest/gtest.h>
#include <unistd.h>

using namespace tensorleak;
using namespace tensorleak::probe;
using trace::BoundaryKind;

namespace {

class StepsTest : public testing::Test {
protected:
  void SetUp() override {
    Path = testing::TempDir() + "/StepsTest." + std::to_string(getpid());
    ASSERT_TRUE(Trace.open(Path));
  }
  void TearDown() override { unlink(Path.c_str()); }

  trace::Boundary at(BoundaryKind Kind, uint64_t Address = 0) {
    trace::Boundary Record;
    TheSteps.begin({Kind, Address, "Adam"}, Record);
    return Record;
  }

  std::string Path;
  Recorder Trace;
  Steps TheSteps{Trace};
};

} // namespace

TEST_F(StepsTest, ABackwardPassIsAStepOnlyWhereNothingBetterIsSeen) {
  EXPECT_TRUE(at(BoundaryKind::Backward).Acting);
  EXPECT_TRUE(at(BoundaryKind::OptimizerStep).Acting);
  EXPECT_FALSE(at(BoundaryKind::Backward).Acting);
  trace::Boundary Step = at(BoundaryKind::OptimizerStep);
  EXPECT_EQ(Step.Tick, 4u);
  EXPECT_EQ(Step.Generation, 3u);
}

TEST_F(StepsTest, InAScopeItsRoundsAreTheSteps) {
  EXPECT_TRUE(at(BoundaryKind::OptimizerStep).Acting);
  TheSteps.scopeWithRounds(/*Begins=*/true);
  EXPECT_FALSE(at(BoundaryKind::OptimizerStep).Acting);
  EXPECT_FALSE(at(BoundaryKind::Age).Acting);
  trace::Boundary Round;
  BoundarySource Source{BoundaryKind::Assertion};
  Source.EndsRound = true;
  TheSteps.begin(Source, Round);
  EXPECT_TRUE(Round.Acting);
  TheSteps.scopeWithRounds(/*Begins=*/false);
  EXPECT_TRUE(at(BoundaryKind::OptimizerStep).Acting);
}

TEST_F(StepsTest, AScopeWithoutRoundsIsNoStep) {
  trace::Boundary Begin;
  TheSteps.begin({BoundaryKind::Assertion}, Begin);
  EXPECT_EQ(Begin.Tick, 1u);
  EXPECT_FALSE(Begin.Acting);
  EXPECT_EQ(TheSteps.firstStep(), 0u);
  EXPECT_TRUE(at(BoundaryKind::Age).Acting);
}

TEST_F(StepsTest, ALoopAfterTrainingTakesOver) {
  at(BoundaryKind::OptimizerStep);
  unsigned Acting = 0;
  for (unsigned I = 0; I < 100; ++I)
    Acting += at(BoundaryKind::LineClock).Acting;
  EXPECT_EQ(Acting, 68u);
}

TEST_F(StepsTest, EventsAreCountedPerOptimizer) {
  TheSteps.zeroGrad({BoundaryKind::OptimizerStep, 0x10});
  bump(TheSteps.Now.Accumulations, 4);
  trace::Boundary First = at(BoundaryKind::OptimizerStep, 0x10);
  bump(TheSteps.Now.Accumulations, 2);
  trace::Boundary Other = at(BoundaryKind::OptimizerStep, 0x20);
  trace::Boundary Again = at(BoundaryKind::OptimizerStep, 0x10);
  EXPECT_EQ(First.ZeroGradsSince, 1u);
  EXPECT_EQ(First.AccumulationsSince, 4u);
  EXPECT_EQ(Other.ZeroGradsSince, 0u);
  EXPECT_EQ(Other.AccumulationsSince, 6u);
  EXPECT_EQ(Again.AccumulationsSince, 2u);
  EXPECT_NE(First.OptimizerId, Other.OptimizerId);
  EXPECT_EQ(First.OptimizerId, Again.OptimizerId);
}

TEST(Schedule, IsLogSpaced) {
  Schedule S;
  std::vector<uint64_t> Due;
  for (uint64_t G = 1; G <= 256; ++G)
    if (S.isDue(G))
      Due.push_back(G);
  EXPECT_EQ(Due, (std::vector<uint64_t>{1, 2, 4, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128,
                                        160, 192, 224, 256}));
}

TEST_F(StepsTest, AgesAreCountedFromTheLastStepOn) {
  EXPECT_TRUE(at(BoundaryKind::Age).Acting);
  EXPECT_EQ(TheSteps.firstStep(), 0u);
  at(BoundaryKind::OptimizerStep);
  EXPECT_EQ(TheSteps.firstStep(), 2u);
  at(BoundaryKind::OptimizerStep);
  EXPECT_TRUE(at(BoundaryKind::Age).Acting);
  EXPECT_EQ(TheSteps.firstStep(), 2u);
  EXPECT_EQ(TheSteps.lastStep(), 3u);
  EXPECT_EQ(TheSteps.ages(), 2u);
  EXPECT_EQ(TheSteps.agesSinceStep(), 1u);
}

TEST(AgeMarks, AreMoreAndMoreAllocationsApart) {
  AgeMarks M;
  std::vector<uint64_t> Due;
  for (uint64_t Allocations = 1; Allocations <= 200; ++Allocations)
    if (M.isDue(Allocations))
      Due.push_back(Allocations);
  ASSERT_GE(Due.size(), 20u);
  EXPECT_EQ(Due[0], 8u);
  EXPECT_EQ(Due[15], 128u);
  EXPECT_EQ(Due[20] - Due[19], 10u);
}

TEST(AgeMarks, BeginAnewInAPauseThatIsLongerThanAnyBefore) {
  AgeMarks M;
  auto FirstDue = [&M](uint64_t From, uint64_t To) {
    for (uint64_t I = From; I <= To; ++I)
      if (M.isDue(I))
        return I;
    return uint64_t(0);
  };
  for (uint64_t Step = 1; Step <= 10; ++Step)
    M.stepped(1000 + 50 * Step);
  EXPECT_EQ(FirstDue(1501, 1900), 1600u); // an evaluation
  EXPECT_TRUE(M.isDue(1608));
  M.stepped(1900);
  // The next one, which may be the last of a short run: few marks, and no more than these.
  EXPECT_EQ(FirstDue(1901, 2300), 2124u);
  EXPECT_FALSE(M.isLongPause(2124));
  EXPECT_FALSE(M.isDue(2151));
  EXPECT_TRUE(M.isDue(2152));
  M.stepped(2300);
  EXPECT_FALSE(M.isLongPause(3099)); // the end of the training
  EXPECT_TRUE(M.isLongPause(3100));
  EXPECT_TRUE(M.isDue(3100));
  EXPECT_TRUE(M.isDue(3150));
}

namespace {
struct PulseReader : trace::TraceVisitor {
  void visit(const trace::SitePulse &R) override { Pulses.push_back(R); }
  std::vector<trace::SitePulse> Pulses;
};
} // namespace

TEST_F(StepsTest, ThePulsesOfABusySiteAreThinnedOut) {
  Pulses P;
  SiteState Busy{}, Rare{};
  for (uint64_t Count = 1; Count <= 1000; ++Count)
    P.allocated(Busy, 7, Count, 10 * Count);
  P.allocated(Rare, 8, 1, 5);
  P.write(Trace);
  PulseReader Read;
  trace::readTrace(Path, Read);
  ASSERT_EQ(Read.Pulses.size(), 1u); // one that allocates once is in no loop
  const trace::SitePulse &Pulse = Read.Pulses[0];
  EXPECT_EQ(Pulse.SiteId, 7u);
  EXPECT_EQ(Pulse.Stride, 4u);
  ASSERT_EQ(Pulse.Sequences.size(), 250u);
  EXPECT_EQ(Pulse.Sequences.front(), 40u);
  EXPECT_EQ(Pulse.Sequences.back(), 10000u);
}
