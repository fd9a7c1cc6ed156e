//===-- DeviceMemoryTest.cpp - What the caching allocator reserved --------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/advice/DeviceMemory.h"

#include <gtest/gtest.h>

using namespace tensorleak;

namespace {

constexpr uint64_t MiB = 1 << 20;

/// A run of 60 steps in which what is reserved grows from 100 MiB by \p More, of which
/// \p Pieces lie between live blocks.
Recording runWith(uint64_t More, uint64_t Pieces) {
  Recording R;
  for (uint64_t Step = 0; Step <= 60; Step += 10) {
    trace::DeviceMemory D;
    D.Tick = D.Generation = Step;
    D.DeviceType = 1;
    D.SegmentsKnown = true;
    D.Allocated = 80 * MiB;
    D.Reserved = 100 * MiB + More * Step / 60;
    D.Between = MiB + Pieces * Step / 60;
    D.MostReserved = D.Reserved;
    D.AllocatedThen = D.Allocated;
    R.DeviceMemory.push_back(D);
  }
  return R;
}

bool reportsFragmentation(const Recording &R) {
  std::vector<std::string> Lines = describeDeviceMemory(R);
  return Lines.size() == 2 && Lines[1].find("fragmentation, no leak") != std::string::npos;
}

} // namespace

TEST(DeviceMemory, FragmentationIsWhatLiesBetweenLiveBlocks) {
  EXPECT_TRUE(reportsFragmentation(runWith(60 * MiB, 60 * MiB)));
  EXPECT_FALSE(reportsFragmentation(runWith(60 * MiB, 6 * MiB))); // free segments
  EXPECT_FALSE(reportsFragmentation(runWith(6 * MiB, 6 * MiB)));  // too little to matter
  EXPECT_FALSE(reportsFragmentation(runWith(0, 0)));
}

TEST(DeviceMemory, TheLookAfterMainIsNoStep) {
  Recording R = runWith(60 * MiB, 60 * MiB);
  R.DeviceMemory.push_back(R.DeviceMemory.back());
  R.DeviceMemory.back().Tick = 61;
  R.DeviceMemory.back().Between = 0;
  EXPECT_FALSE(reportsFragmentation(R));
  R.End.emplace();
  R.End->Tick = 61;
  EXPECT_TRUE(reportsFragmentation(R));
}

TEST(DeviceMemory, APoolIsSplitAsFarAsItsSegmentsAreKnown) {
  trace::DeviceMemory Pool = runWith(0, 0).DeviceMemory.back();
  EXPECT_EQ(describePool(Pool, 64 * MiB).find("in pieces"), std::string::npos);
  EXPECT_NE(describePool(Pool, MiB / 2).find("in pieces"), std::string::npos);
  Pool.SegmentsKnown = false;
  EXPECT_NE(describePool(Pool, MiB / 2).find("20 MiB free"), std::string::npos);
  EXPECT_EQ(describePool({}, MiB), "");
}
