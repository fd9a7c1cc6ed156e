//===-- AssertionTest.cpp - What the program asserts ----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scopes as the probe would have recorded them.
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/assertions/Assertion.h"
#include "runtime/replay/recording/TraceByHand.h"

#include <gtest/gtest.h>

using namespace tensorleak;
using trace::AssertionAnswer;
using trace::AssertionKind;

namespace {

constexpr uint64_t ScopeId = 7;

/// A program with one allocating site, of which a scope is told round by round.
class Program {
public:
  Program(AssertionKind Kind, uint64_t Limit, const char *Library = "/usr/lib/libtorch_cpu.so") {
    trace::Module Torch;
    Torch.Path = Library;
    trace::OpName Op;
    Op.Id = 1;
    Op.Name = "aten::ones";
    trace::Site Where;
    Where.Id = 1;
    Where.OpId = 1;
    Where.DeviceIndex = -1;
    T.add(Torch).add(Op).add(Where);
    boundary(trace::BoundaryKind::OptimizerStep, 0);
    T.add(trace::Assertion{ScopeId, Kind, Limit, "test.cpp", 12});
    boundary(trace::BoundaryKind::Assertion, ScopeId);
  }

  uint64_t born(uint64_t Bytes) {
    trace::Born B;
    B.Object = ++Objects;
    B.SiteId = 1;
    B.Bytes = Bytes;
    B.Tick = Tick;
    T.add(B);
    return Objects;
  }
  void died(uint64_t Object) { T.add(trace::Died{Object, Tick, Objects}); }
  void endRound(uint64_t Id = ScopeId) { boundary(trace::BoundaryKind::Assertion, Id); }
  void optimizerSteps() { boundary(trace::BoundaryKind::OptimizerStep, 0); }
  void memory(uint64_t AtTick, uint64_t Live, uint64_t High) {
    T.add(trace::LiveMemory{AtTick, 0, {{0, -1, Live, High}}});
  }
  void peak(uint64_t Bytes) {
    trace::PeakSnapshot P;
    P.DeviceIndex = -1;
    P.Tick = Tick;
    P.TotalBytes = Bytes;
    P.Sites = {{1, Bytes}};
    T.add(P);
  }
  uint64_t now() const { return Tick; }

  AssertionResult judged(uint64_t Id = ScopeId) {
    trace::SiteCounters Counted;
    Counted.SiteId = 1;
    Counted.Allocations = Objects;
    T.add(Counted);
    Recording R = T.read();
    DebugFiles Files;
    Symbolizer Symbols(R, Files);
    return judgeAssertion(std::move(R), Id, Symbols);
  }

private:
  void boundary(trace::BoundaryKind Kind, uint64_t Group) {
    trace::Boundary B;
    B.Tick = ++Tick;
    B.TheKind = Kind;
    B.PointGroup = Group;
    T.add(B);
  }

  test::Tape T;
  uint64_t Tick = 0, Objects = 0;
};

} // namespace

TEST(NoGrowth, FailsForWhatEveryRoundKeeps) {
  Program P(AssertionKind::NoGrowth, 30);
  for (int I = 0; I < 30; ++I) {
    P.born(4096);
    P.endRound();
  }
  AssertionResult Result = P.judged();
  EXPECT_EQ(Result.Answer, AssertionAnswer::Fails);
  EXPECT_EQ(Result.Text, "memory grows from round to round (30 rounds)\n"
                         "  4 KiB per round, 120 KiB in all, from an unknown place, aten::ones");
}

TEST(NoGrowth, HoldsForARingThatIsFull) {
  Program P(AssertionKind::NoGrowth, 60);
  std::vector<uint64_t> Ring;
  for (int I = 0; I < 60; ++I) {
    Ring.push_back(P.born(4096));
    if (Ring.size() > 8)
      P.died(Ring[Ring.size() - 9]);
    P.endRound();
  }
  EXPECT_EQ(P.judged().Answer, AssertionAnswer::Holds);
}

TEST(NoGrowth, IsJudgedByTheRoundsAndNotByStepsWithinThem) {
  Program P(AssertionKind::NoGrowth, 20);
  for (int I = 0; I < 20; ++I) {
    for (int Step = 0; Step < 5; ++Step)
      P.optimizerSteps();
    P.born(100);
    P.endRound();
  }
  EXPECT_NE(P.judged().Text.find("100 B per round, 2.0 KiB in all"), std::string::npos);
}

TEST(NoGrowth, WhatWasThereBeforeIsNoGrowth) {
  Program P(AssertionKind::NoGrowth, 40);
  for (int I = 0; I < 40; ++I)
    P.endRound(/*Id=*/3); // another scope, before
  for (int I = 0; I < 40; ++I)
    P.endRound();
  EXPECT_EQ(P.judged().Answer, AssertionAnswer::Holds);
}

TEST(NoGrowth, NeedsRounds) {
  Program P(AssertionKind::NoGrowth, 19);
  P.endRound();
  AssertionResult Result = P.judged();
  EXPECT_EQ(Result.Answer, AssertionAnswer::Fails);
  EXPECT_EQ(Result.Text, "at least 20 rounds are needed to tell growth from warm-up, not 19");
}

TEST(PeakBelow, CountsFromWhatWasHeldBefore) {
  Program P(AssertionKind::PeakBelow, 1024);
  P.born(1);
  P.memory(P.now(), 10000, 90000);
  P.memory(P.now() + 1, 10000, 11025);
  P.peak(11025);
  P.endRound();
  AssertionResult Result = P.judged();
  EXPECT_EQ(Result.Answer, AssertionAnswer::Fails);
  EXPECT_EQ(Result.Text,
            "at its highest the CPU held 1.0 KiB more than before; the limit is 1 KiB\n"
            "  10.8 KiB from an unknown place, aten::ones");
}

TEST(PeakBelow, TheLimitItselfHolds) {
  Program P(AssertionKind::PeakBelow, 1024);
  P.born(1);
  P.memory(P.now(), 10000, 90000);
  P.memory(P.now() + 1, 10000, 11024);
  P.endRound();
  P.memory(P.now() + 1, 99999, 99999); // after it
  EXPECT_EQ(P.judged().Answer, AssertionAnswer::Holds);
}

TEST(KeptBelow, CountsWhatTheScopeMadeAndDidNotFree) {
  Program P(AssertionKind::KeptBelow, 100);
  P.died(P.born(5000));
  P.born(60);
  P.born(60);
  P.endRound();
  AssertionResult Result = P.judged();
  EXPECT_EQ(Result.Answer, AssertionAnswer::Fails);
  EXPECT_EQ(Result.Text, "memory is still alive at the end; the limit is 100 B from one place\n"
                         "  120 B from an unknown place, aten::ones");
}

TEST(KeptBelow, AnyLimitIsANumber) {
  Program P(AssertionKind::KeptBelow, ~uint64_t(0));
  P.born(60);
  P.endRound();
  EXPECT_EQ(P.judged().Answer, AssertionAnswer::Holds);
}

TEST(Assertion, WithoutEyesNothingHolds) {
  Program P(AssertionKind::KeptBelow, 100, "/usr/lib/libother.so");
  P.endRound();
  AssertionResult Result = P.judged();
  EXPECT_EQ(Result.Answer, AssertionAnswer::Unknown);
  EXPECT_NE(Result.Text.find("loaded no shared LibTorch"), std::string::npos);
}

TEST(Assertion, OneThatTheTraceDoesNotHaveIsNotJudged) {
  Program P(AssertionKind::KeptBelow, 100);
  EXPECT_EQ(P.judged(ScopeId).Answer, AssertionAnswer::Unknown); // it has no end
  EXPECT_EQ(P.judged(99).Answer, AssertionAnswer::Unknown);
}
