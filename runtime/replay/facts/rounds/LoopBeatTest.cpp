//===-- LoopBeatTest.cpp - The place that is executed once in a round -------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/facts/rounds/ProgramByHand.h"
#include "runtime/replay/verdicts/Verdicts.h"

#include <gtest/gtest.h>

using namespace tensorleak;
using namespace tensorleak::test;

static std::vector<Finding> leaksOf(const RunFacts &Facts) { return unexplainedGrowth(Facts, {}); }

TEST(LoopBeat, ACallThatReturnsEarlyInSomeRoundsBelongsToEachRound) {
  Program P;
  for (int I = 0; I < 300; ++I) {
    P.temporary(Head);
    uint64_t Buffer = P.at(Call, Inside, 3000);
    if (I % 3 == 0)
      continue; // and it is lost
    P.temporary(Call, Inside + 1);
    P.free(Buffer);
  }
  std::vector<Finding> Leaks = leaksOf(P.finish());
  ASSERT_EQ(Leaks.size(), 1u);
  EXPECT_NEAR(double(*Leaks[0].TheEvidence.BytesPerStep), 1000, 50);
}

TEST(LoopBeat, WhatAConditionLeavesOutInTheSameBlockIsNoRound) {
  for (uint64_t BlockOfHead : {2, 3}) { // in 3, a loop of its own
    Program P;
    P.Blocks[Head] =
        BlockOfHead == 2 ? std::vector<uint64_t>{1, 2} : std::vector<uint64_t>{1, 2, 3};
    P.Blocks[Tail] = {1, 2};
    for (int I = 0; I < 300; ++I) {
      uint64_t Object = P.at(Head, 0, 4096);
      if (I % 2 == 0)
        continue;
      P.temporary(Tail);
      P.free(Object);
    }
    std::vector<Finding> Leaks = leaksOf(P.finish());
    ASSERT_EQ(Leaks.size(), 1u);
    EXPECT_NEAR(double(*Leaks[0].TheEvidence.BytesPerStep), BlockOfHead == 2 ? 2048 : 4096, 100);
  }
}

/// Three hundred rounds, in each of which \p First runs as often as it says for that round, and
/// then, but in every fifth, what comes after it in the same block. Returns bytes per step.
static double bytesOf(unsigned First, unsigned (*Times)(int Round)) {
  Program P;
  for (int I = 0; I < 300; ++I) {
    std::vector<uint64_t> Made;
    for (unsigned J = 0; J < Times(I); ++J)
      Made.push_back(P.at(First, 0, 3000));
    if (I % 5 == 4)
      continue; // an exception: what was made is lost
    P.temporary(Tail);
    P.temporary(Call);
    for (uint64_t Object : Made)
      P.free(Object);
  }
  std::vector<Finding> Leaks = leaksOf(P.finish());
  return Leaks.size() == 1 ? double(*Leaks[0].TheEvidence.BytesPerStep) : 0;
}

TEST(LoopBeat, WhatMostIsLeftOutOfInSomeRoundsIsRoundsOfWhatComesBefore) {
  EXPECT_NEAR(bytesOf(Head, [](int) { return 1u; }), 600, 15);
}

TEST(LoopBeat, AnInnerLoopBeforeTheRestIsNoRound) {
  EXPECT_NEAR(bytesOf(Head, [](int) { return 3u; }), 2250, 60);
}

TEST(LoopBeat, WhatComesAfterIsNotWhatARoundBeginsWith) {
  EXPECT_NEAR(bytesOf(Kept, [](int) { return 1u; }), 750, 15);
}

TEST(LoopBeat, WhatIsInNoBlockOfAFunctionIsAroundItsLoops) {
  for (bool HasBlocks : {true, false}) { // of a file without debug information nothing is known
    Program P;
    for (unsigned InLoop : {Head, Tail, Call})
      if (HasBlocks)
        P.Blocks[InLoop] = {1};
    for (int I = 0; I < 200; ++I) {
      P.at(Kept, 0, 4096);
      for (int J = 0; J < 2 + I % 5; ++J)
        for (unsigned InLoop : {Head, Tail, Call})
          P.temporary(InLoop);
    }
    std::vector<Finding> Leaks = leaksOf(P.finish());
    ASSERT_EQ(Leaks.size(), 1u);
    EXPECT_NEAR(double(*Leaks[0].TheEvidence.BytesPerStep), HasBlocks ? 4096 : 1024, 50);
  }
}
