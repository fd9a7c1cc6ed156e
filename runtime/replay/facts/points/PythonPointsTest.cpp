//===-- PythonPointsTest.cpp - Which lines of Python were seen ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/facts/points/PythonPoints.h"
#include "runtime/replay/verdicts/JudgedByHand.h"

#include <gtest/gtest.h>

using namespace tensorleak;
using namespace tensorleak::test;

namespace {

constexpr uint64_t FirstAddress = 0x7000;

/// Lines 10 (in the function of line 20) and 20 of train.py have such addresses.
Recording twoStacks() {
  Recording R;
  R.TheProcess.WorkingDirectory = "/home/me";
  R.Symbols = {{FirstAddress, {{"forward", "train.py", 10, 0}}},
               {FirstAddress + 1, {{"main", "train.py", 20, 0}}}};
  R.Stacks[1] = {1, {FirstAddress + 1, FirstAddress + 2}};
  R.Stacks[2] = {2, {FirstAddress + 2}};
  R.PythonLines[1] = {1, 40, 3, 50, 100, 900};
  R.PythonLines[2] = {2, 60, 1, 60, 7, 990};
  return R;
}

Finding at(unsigned Line, const std::string &File = "/home/me/train.py") {
  Finding F;
  F.Where = {File, Line, 5};
  return F;
}

FindingFacts factsOf(const Finding &F) {
  Recording R = twoStacks();
  DebugFiles Files;
  Symbolizer Symbols(R, Files);
  std::vector<FindingFacts> Facts(1);
  addPythonPoints(R, Symbols, {F}, Facts);
  return Facts[0];
}

} // namespace

TEST(PythonPoints, OneStack) {
  PointFacts Where = factsOf(at(10)).Where;
  EXPECT_TRUE(Where.reached());
  EXPECT_EQ(Where.StepsHit, 40u);
  EXPECT_EQ(Where.FirstSequence, 100u);
  EXPECT_EQ(Where.LastSequence, 900u);
}

TEST(PythonPoints, StacksThroughOneLineAreTakenTogether) {
  PointFacts Where = factsOf(at(20)).Where;
  EXPECT_EQ(Where.StepsHit, 60u);
  EXPECT_EQ(Where.FirstTick, 1u);
  EXPECT_EQ(Where.FirstSequence, 7u);
  EXPECT_EQ(Where.LastSequence, 990u);
}

TEST(PythonPoints, AProducerStandsInForALineThatCallsNothing) {
  Finding F = at(11);
  EXPECT_FALSE(factsOf(F).Where.reached());
  F.TheSubject.Producers = {at(10).Where};
  EXPECT_EQ(factsOf(F).Where.StepsHit, 40u);
}

TEST(PythonPoints, WhetherAnUnseenLineRanIsNotKnown) {
  RunFacts Run = cleanRun();
  Finding F = judged(at(11), Run, factsOf(at(11)));
  EXPECT_EQ(F.TheVerdict, Verdict::Inconclusive);
  EXPECT_EQ(F.TheEvidence.Reason.find("Python called LibTorch neither from this line"), 0u);
}

TEST(PythonPoints, AFileOfCppIsLeftAlone) {
  EXPECT_FALSE(factsOf(at(10, "/home/me/train.cpp")).Where.IsPython);
}
