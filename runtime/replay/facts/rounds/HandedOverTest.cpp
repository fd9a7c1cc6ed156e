//===-- HandedOverTest.cpp - What a short loop leaves for another thread ----===//
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

namespace {

constexpr uint64_t MainThread = 1;

/// In that line, from what is computed in another.
uint64_t made(Program &P, unsigned Line, unsigned Other) {
  P.temporary(Other);
  P.temporary(Other);
  return P.at(Line, 0, 2048);
}

/// A thread fills a queue in so many microseconds for each of its 240 rounds, and has done so
/// before the main thread looks at it, which forgets every so many entries; 0 for none.
std::vector<Finding> leaksOfQueue(uint64_t PerRound, unsigned ForgetsEvery,
                                  uint64_t Emptied = MainThread) {
  Program P;
  std::vector<uint64_t> Queue;
  for (int I = 0; I < 240; ++I) {
    Queue.push_back(made(P, Take, Work));
    P.wait(PerRound);
  }
  for (size_t I = 0; I < Queue.size(); ++I)
    if (!ForgetsEvery || I % ForgetsEvery)
      P.free(Queue[I], Emptied);
  return unexplainedGrowth(P.finish(), {});
}

} // namespace

TEST(HandedOver, AQueueThatIsEmptiedAfterItWasFilledIsNoLeak) {
  EXPECT_TRUE(leaksOfQueue(/*PerRound=*/2, /*ForgetsEvery=*/0).empty());
}

TEST(HandedOver, WhatIsForgottenThenIsALeakOfItsOwnSize) {
  std::vector<Finding> Leaks = leaksOfQueue(/*PerRound=*/2, /*ForgetsEvery=*/2);
  ASSERT_EQ(Leaks.size(), 1u);
  EXPECT_EQ(Leaks[0].TheEvidence.BytesPerStep, 1024);
}

TEST(HandedOver, AThreadThatHadTimeEnoughWouldHaveEmptiedIt) {
  EXPECT_EQ(leaksOfQueue(/*PerRound=*/100, /*ForgetsEvery=*/0).size(), 1u);
}

TEST(HandedOver, WhatTheThreadItselfFreesWasItsOwn) {
  Program P;
  std::vector<uint64_t> List;
  for (int I = 0; I < 240; ++I)
    List.push_back(made(P, Take, Work));
  P.endThread(7, List, List.back(), Take);
  EXPECT_EQ(unexplainedGrowth(P.finish(), {}).size(), 1u);
}

TEST(HandedOver, WhatTheMainThreadFreesAfterItsOwnLoopItHadKept) {
  Program P;
  std::vector<uint64_t> List;
  for (int I = 0; I < 240; ++I)
    List.push_back(made(P, Kept, Head));
  for (uint64_t Object : List)
    P.free(Object, MainThread);
  EXPECT_EQ(unexplainedGrowth(P.finish(), {}).size(), 1u);
}
