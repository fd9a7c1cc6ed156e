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
