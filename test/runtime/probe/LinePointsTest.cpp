//===-- LinePointsTest.cpp - Lines of real LibTorch programs ----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which lines ran, in how many steps, which of them make the steps; and that the
// program notices nothing of the breakpoints.
//
//===----------------------------------------------------------------------===//
#include "VictimRuns.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <sys/wait.h>

using namespace tensorleak;
using namespace tensorleak::test;
using trace::BoundaryKind;

namespace {

TEST(LinePoints, LinesAreCountedPerStep) {
  std::vector<trace::LinePoint> Points = pointsAt("keep", VICTIM, /*Clock=*/false);
  ASSERT_FALSE(Points.empty());
  RecordedTrace T = traceOf("keep", Points);
  uint64_t Generations = 0;
  for (auto &[Id, P] : T.Points)
    Generations = std::max(Generations, P.GenerationsHit);
  EXPECT_EQ(Generations, Steps);
  RecordedTrace Clean = traceOf("clean", Points);
  for (auto &[Id, P] : Clean.Points) {
    EXPECT_EQ(P.Status, trace::PointStatus::Armed);
    EXPECT_EQ(P.Hits, 0u);
  }
}

TEST(LinePoints, ALoopLineIsTheClockOfAnInference) {
  std::vector<trace::LinePoint> Points = pointsAt("loop", VICTIM, /*Clock=*/true);
  ASSERT_FALSE(Points.empty());
  RecordedTrace T = traceOf("infer", Points);
  EXPECT_NEAR(double(T.boundaries(BoundaryKind::LineClock).size()), Steps, 1);
  std::set<uint64_t> Ticks;
  for (const trace::Born &B : T.Births)
    if (B.Bytes == 32)
      Ticks.insert(B.Tick);
  EXPECT_GE(Ticks.size(), Steps / 2);
}

TEST(LinePoints, AStepThatIsReportedOddlyEndsNoProgram) {
  RecordedTrace T = traceOf("infer-oddly", pointsAt("loop", VICTIM, /*Clock=*/true));
  EXPECT_NEAR(double(T.boundaries(BoundaryKind::LineClock).size()), Steps, 1);
}

TEST(LinePoints, ATrapOfTheProgramsOwnEndsIt) {
  VictimRun Run = victim("trap", pointsAt("loop", VICTIM, /*Clock=*/true));
  ASSERT_TRUE(WIFSIGNALED(Run.Status)) << Run.Output;
  EXPECT_EQ(WTERMSIG(Run.Status), SIGTRAP);
}

TEST(LinePoints, LinesOfAPluginAreSeenFromItsFirstInstruction) {
  std::vector<trace::LinePoint> Points = pointsAt("every-other", PLUGIN, /*Clock=*/false);
  for (trace::LinePoint &P : pointsAt("loop", PLUGIN, /*Clock=*/true)) {
    P.Id += 100;
    Points.push_back(P);
  }
  VictimRun Run = runUnderProbe({HOST, PLUGIN, "infer", std::to_string(Steps)}, Points);
  ASSERT_EQ(Run.Status, 0) << Run.Output;
  ASSERT_EQ(Run.Traces.size(), 1u);
  expectBalance(Run.Traces[0]);
  EXPECT_EQ(Run.Traces[0].Points[1].GenerationsHit, Steps / 2);
}

} // namespace
