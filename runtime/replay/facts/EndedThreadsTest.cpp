//===-- EndedThreadsTest.cpp - What threads kept until they ended -----------===//
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

constexpr unsigned Threads = 3, MostRounds = 180;
constexpr unsigned Summed = Work + 1;

unsigned roundsOf(unsigned Thread) { return 100 + 40 * Thread; }

/// Threads of one loop that end in different rounds; each keeps so many of its last results, and
/// may make something of them at its end.
std::vector<Finding> leaksOfThreads(size_t Most, bool Sums) {
  Program P;
  std::vector<uint64_t> Kept[Threads];
  for (unsigned I = 0; I <= MostRounds; ++I)
    for (unsigned T = 0; T < Threads; ++T) {
      if (I < roundsOf(T)) {
        P.temporary(Take);
        Kept[T].push_back(P.at(Work, 0, 1024));
        if (Kept[T].size() > Most) {
          P.free(Kept[T].front());
          Kept[T].erase(Kept[T].begin());
        }
      } else if (I == roundsOf(T)) {
        uint64_t Sum = Sums ? P.at(Summed, 0, 1024 * Kept[T].size()) : 0;
        P.endThread(T + 1, Kept[T], Sums ? Sum : Kept[T].back(), Sums ? Summed : Work);
        if (Sums)
          P.free(Sum);
      }
    }
  return unexplainedGrowth(P.finish(), {});
}

} // namespace

TEST(EndedThreads, WhatEachKeepsOfEveryRoundIsALeakAlthoughItIsFreed) {
  std::vector<Finding> Leaks = leaksOfThreads(/*Most=*/MostRounds, /*Sums=*/false);
  ASSERT_EQ(Leaks.size(), 1u);
  EXPECT_EQ(Leaks[0].Where.Line, Work);
  EXPECT_NEAR(double(*Leaks[0].TheEvidence.BytesPerStep), 1024, 1024 / 20);
}

TEST(EndedThreads, WhatIsBoundedIsNoLeak) {
  EXPECT_TRUE(leaksOfThreads(/*Most=*/30, /*Sums=*/false).empty());
}

TEST(EndedThreads, WhatSomethingIsMadeOfAtTheEndIsNoLeak) {
  EXPECT_TRUE(leaksOfThreads(/*Most=*/MostRounds, /*Sums=*/true).empty());
}
