//===-- PointPlanTest.cpp - Where breakpoints are wanted ------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In Inputs/Places.cpp, whose lines 58 to 62 are calls.
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/facts/points/PointPlan.h"
#include "runtime/replay/debuginfo/CompiledPlaces.h"

using namespace tensorleak;
using test::Places;

namespace {

class PointPlanTest : public testing::Test {
protected:
  static Finding at(unsigned Line) {
    Finding F;
    F.Where = {Places::source(), Line, 3};
    return F;
  }

  PointPlan planFor(const std::vector<Finding> &Findings) {
    return planPoints(Findings, {Program.program()}, Files);
  }

  /// The line of a point, by the debug information.
  unsigned lineOf(const trace::LinePoint &P) {
    return Files.open(P.Module).framesAt(P.Address).at(0).Where.Line;
  }

  Places Program{"g++ -g -O0"};
  DebugFiles Files;
};

} // namespace

TEST_F(PointPlanTest, AFindingsLineIsItsClockIfNoLoopIsKnown) {
  PointPlan Plan = planFor({at(58)});
  ASSERT_FALSE(Plan.ByFinding.at(0).Where.empty());
  EXPECT_NE(Plan.ByFinding[0].ClockGroup, 0u);
  for (const trace::LinePoint &P : Plan.Points) {
    EXPECT_EQ(lineOf(P), 58u);
    EXPECT_TRUE(P.Clock);
  }
}

TEST_F(PointPlanTest, OtherProgramsSourcesAreElsewhere) {
  Finding Other = at(58);
  Other.Where.File = "/of/another/program.cpp";
  Finding NoCode = at(1); // a comment
  PointPlan Plan = planFor({at(58), Other, NoCode});
  EXPECT_FALSE(Plan.ByFinding.at(0).IsElsewhere);
  EXPECT_TRUE(Plan.ByFinding.at(1).IsElsewhere);
  EXPECT_FALSE(Plan.ByFinding.at(2).IsElsewhere);
  EXPECT_FALSE(Plan.ByFinding.at(0).HasNoCode);
  EXPECT_FALSE(Plan.ByFinding.at(1).HasNoCode);
  EXPECT_TRUE(Plan.ByFinding.at(2).HasNoCode);

  Recording R;
  auto IsElsewhere = [&] { return findingFacts(R, Plan, {}).at(1).IsElsewhere; };
  R.Modules = {{0, 0, 1, Program.program(), ""}};
  EXPECT_TRUE(IsElsewhere());
  R.Modules.push_back({0, 2, 3, "/home/me/plugin.so", ""}); // was opened, and not looked at
  EXPECT_FALSE(IsElsewhere());
  EXPECT_EQ(findingFacts(R, Plan, {}).at(1).NotLookedAt, "/home/me/plugin.so");

  // Of a module without debug information nothing is known.
  Plan = planPoints({Other}, {Program.program(), "/bin/true"}, Files);
  EXPECT_FALSE(Plan.ByFinding.at(0).IsElsewhere);
}

TEST_F(PointPlanTest, FindingsOfOneLoopShareItsClock) {
  Finding First = at(59), Second = at(60);
  for (Finding *F : {&First, &Second})
    F->TheSubject.Loop = {Places::source(), 58, 62};
  PointPlan Plan = planFor({First, Second});
  EXPECT_NE(Plan.ByFinding.at(0).ClockGroup, 0u);
  EXPECT_EQ(Plan.ByFinding.at(0).ClockGroup, Plan.ByFinding.at(1).ClockGroup);
  EXPECT_NE(Plan.ByFinding.at(0).Where, Plan.ByFinding.at(1).Where);
  for (const trace::LinePoint &P : Plan.Points)
    EXPECT_EQ(P.Clock, lineOf(P) == 58) << lineOf(P);
}

TEST_F(PointPlanTest, ProducersStandForALineWithoutCode) {
  Finding F = at(3);
  F.TheSubject.Producers = {{Places::source(), 59, 3}};
  F.TheSubject.LastUse = {Places::source(), 61, 3};
  PointPlan Plan = planFor({F});
  const FindingPoints &Points = Plan.ByFinding.at(0);
  EXPECT_EQ(Points.ClockGroup, 0u);
  ASSERT_FALSE(Points.Where.empty());
  ASSERT_FALSE(Points.LastUse.empty());
  EXPECT_EQ(lineOf(Plan.Points.at(Points.Where[0] - 1)), 59u);
  EXPECT_EQ(lineOf(Plan.Points.at(Points.LastUse[0] - 1)), 61u);
}

TEST_F(PointPlanTest, NothingIsWantedInAFileThatIsNotInTheProgram) {
  Finding F;
  F.Where = {"/elsewhere/train.cpp", 58, 3};
  PointPlan Plan = planFor({F});
  EXPECT_TRUE(Plan.Points.empty());
  EXPECT_TRUE(Plan.ByFinding.at(0).Where.empty());
}
