//===-- ExpectedTest.cpp - Growth that the program declared ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/verdicts/Expected.h"
#include "runtime/replay/facts/FactsByHand.h"

#include <gtest/gtest.h>

using namespace tensorleak;
using namespace tensorleak::test;

namespace {

/// A site that keeps one object per step, all of them declared.
SourceSite declaredSite(unsigned Line, uint64_t Bytes) {
  SourceSite S = growingSite(Line, Bytes);
  S.Expected.swap(S.Objects);
  return S;
}

} // namespace

TEST(Expected, GrowthIsListedAndSetAside) {
  RunFacts Run = cleanRun();
  Run.Sites = {declaredSite(15, 64), growingSite(16, 64)};
  std::vector<Finding> Found = expectedGrowth(Run);
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Where, line(15));
  EXPECT_TRUE(Found[0].Suppressed);
  EXPECT_EQ(Found[0].TheEvidence.BytesPerStep, 64);
}

TEST(Expected, WhatDoesNotGrowOrHasNoPlaceIsNotListed) {
  RunFacts Run = cleanRun();
  Run.Sites = {declaredSite(15, 64), declaredSite(16, 64)};
  for (RecordedObject &O : Run.Sites[0].Expected)
    O.DeathTick = O.BirthTick + 2;
  Run.Sites[1].Frames.clear();
  EXPECT_TRUE(expectedGrowth(Run).empty());
}

TEST(Expected, BytesAreThoseThatAreAliveAtTheFindingsLines) {
  RunFacts Run = cleanRun();
  Run.Sites = {declaredSite(15, 64), declaredSite(16, 32)};
  Run.Sites[0].Expected[0].DeathTick = 30;
  EXPECT_EQ(expectedBytes(findingAt(15), Run), int64_t(Steps - 1) * 64);
  EXPECT_EQ(expectedBytes(findingAt(17), Run), 0);
}
