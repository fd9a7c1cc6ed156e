//===-- SamplingTest.cpp - Blocks of the heap that chance chooses -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/heap/Sampling.h"

#include <gtest/gtest.h>

using namespace tensorleak::probe;

static uint64_t Stood = 0;
bool tensorleak::probe::heapSampled(void *, uint64_t Stands, const void *) {
  Stood += Stands;
  return false; // so that none becomes rarer
}

TEST(Sampling, DistancesAreExponential) {
  SampleCountdown C{0, 0, 4711};
  constexpr int Draws = 100000;
  double Sum = 0, Beyond = 0;
  for (int I = 0; I < Draws; ++I) {
    int64_t Distance = nextDistance(C, 1024);
    ASSERT_GE(Distance, 0);
    Sum += double(Distance);
    Beyond += Distance > 1024;
  }
  EXPECT_NEAR(Sum / Draws, 1024, 20);
  EXPECT_NEAR(Beyond / Draws, 0.368, 0.01);
}

TEST(Sampling, WhatIsChosenStandsForTheOthers) {
  EXPECT_EQ(standsFor(1 << 20, 512), 1u << 20);
  EXPECT_NEAR(double(standsFor(1, 1024)), 1024.5, 1);
  for (uint64_t Bytes : {16, 200, 900, 5000}) {
    Stood = 0;
    TheCountdown = {0, 0, 0};
    constexpr uint64_t Blocks = 100000;
    char Block = 0;
    for (uint64_t I = 0; I < Blocks; ++I)
      passSample(&Block, Bytes, nullptr);
    EXPECT_NEAR(double(Stood) / double(Bytes * Blocks), 1, 0.05) << Bytes;
  }
}
