//===-- TimelineTest.cpp - Memory over time, and who held the peak --------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/timeline/Timeline.h"
#include "runtime/replay/facts/FactsByHand.h"
#include "runtime/replay/recording/TraceByHand.h"
#include "runtime/replay/timeline/PeakParts.h"

#include <gtest/gtest.h>

using namespace tensorleak;
using namespace tensorleak::test;

namespace {

constexpr uint64_t Parameters = 1, Activations = 2;

trace::LiveMemory liveAt(uint64_t Tick, uint64_t Live, uint64_t High) {
  return {Tick, Tick * 1000, {{0, -1, Live, High}}};
}

/// So many rounds; 100 bytes stand, and 10 more are kept from each.
Recording leakingRun(uint64_t Rounds) {
  Recording R;
  for (uint64_t Id : {Parameters, Activations}) {
    R.Sites[Id].Id = Id;
    R.Sites[Id].DeviceIndex = -1;
  }
  R.Objects[1] = {Parameters, 100, 0, std::nullopt, false, 1, 0};
  for (uint64_t Tick = 1; Tick <= Rounds; ++Tick) {
    R.Objects[Tick + 1] = {Activations, 10, Tick, std::nullopt, false, Tick + 1, 0};
    R.LiveMemory.push_back(liveAt(Tick, 100 + 10 * (Tick - 1), 150 + 10 * Tick));
  }
  return R;
}

std::vector<MemoryPoint> pointsOf(const Recording &R, const StepClock &Clock, size_t Max = 1000) {
  std::vector<DeviceTimeline> All = timelineOf(R, Clock, Max);
  EXPECT_EQ(All.size(), 1u);
  return All.empty() ? std::vector<MemoryPoint>() : All[0].Points;
}

} // namespace

TEST(Timeline, APointForEachRound) {
  std::vector<MemoryPoint> Points = pointsOf(leakingRun(30), clockOf(30));
  ASSERT_EQ(Points.size(), 30u);
  EXPECT_EQ(Points[9].Round, 10u);
  EXPECT_EQ(Points[9].Microseconds, 10'000u);
  EXPECT_EQ(Points[9].Live, 190);
  EXPECT_EQ(Points[9].High, 250);
  EXPECT_EQ(Points[9].Standing, 100);
  EXPECT_EQ(Points[9].Kept, 90);
}

TEST(Timeline, WhatWasFreedIsOfNoKindAnyMore) {
  Recording R = leakingRun(30);
  R.Objects[3].DeathTick = 8; // born in the second round
  std::vector<MemoryPoint> Points = pointsOf(R, clockOf(30));
  EXPECT_EQ(Points[7].Kept, 70);
  EXPECT_EQ(Points[8].Kept, 70);
}

TEST(Timeline, NoPeakIsLostWhereRoundsShareAPoint) {
  Recording R = leakingRun(1000);
  R.LiveMemory[123].Devices[0].High = 1 << 30;
  R.LiveMemory[777].Devices[0].Live = 7;
  std::vector<MemoryPoint> Points = pointsOf(R, clockOf(1000), 64);
  ASSERT_LE(Points.size(), 64u);
  EXPECT_EQ(Points.back().Round, 1000u);
  auto Highest =
      std::max_element(Points.begin(), Points.end(),
                       [](const MemoryPoint &A, const MemoryPoint &B) { return A.High < B.High; });
  EXPECT_EQ(Highest->High, 1 << 30);
  EXPECT_EQ(Highest->HighRound, 124u);
  EXPECT_TRUE(
      std::any_of(Points.begin(), Points.end(), [](const MemoryPoint &P) { return P.Low == 7; }));
}

TEST(Timeline, TheEndOfTheProgramIsAPointOfItsOwn) {
  Recording R = leakingRun(1000);
  R.End.emplace();
  R.LiveMemory.push_back(liveAt(1000, 0, 12345));
  std::vector<MemoryPoint> Points = pointsOf(R, clockOf(1000), 64);
  ASSERT_LE(Points.size(), 64u);
  EXPECT_EQ(Points.back().Live, 0);
  EXPECT_EQ(Points.back().High, 12345);
  EXPECT_EQ(Points[Points.size() - 2].Live, 10090);
  EXPECT_EQ(Points[Points.size() - 2].Round, 1000u);
}

TEST(Timeline, ABackwardPassInARoundMakesNoPoint) {
  Recording R = leakingRun(30);
  StepClock Clock = clockOf(0);
  for (uint64_t Tick = 2; Tick <= 30; Tick += 2)
    Clock.Ticks.push_back(Tick);
  R.LiveMemory[4].Devices[0].High = 9999; // of the fifth tick, in the third round
  std::vector<MemoryPoint> Points = pointsOf(R, Clock);
  ASSERT_EQ(Points.size(), 15u);
  EXPECT_EQ(Points[2].High, 9999);
  EXPECT_EQ(Points[2].Live, 150);
}

TEST(Timeline, DevicesAreApart) {
  Recording R = leakingRun(2);
  R.LiveMemory[1].Devices.push_back({1, 1, 5000, 6000});
  R.DeviceMemory.emplace_back();
  R.DeviceMemory.back().DeviceType = 1;
  R.DeviceMemory.back().DeviceIndex = 1;
  R.DeviceMemory.back().Reserved = 8192;
  std::vector<DeviceTimeline> All = timelineOf(R, clockOf(2));
  ASSERT_EQ(All.size(), 2u);
  EXPECT_EQ(All[0].Device, "CPU");
  EXPECT_EQ(All[1].Device, "GPU 1");
  EXPECT_EQ(All[1].Points.at(0).High, 6000);
  EXPECT_EQ(All[1].Reserved.at(0).Bytes, 8192);
  EXPECT_TRUE(All[0].Reserved.empty());
}

TEST(Timeline, OlderTracesHaveTheBoundariesOnly) {
  Recording R;
  R.Boundaries.resize(2);
  R.Boundaries[1].Tick = 1;
  R.Boundaries[1].HostLiveBytes = 77;
  std::vector<MemoryPoint> Points = pointsOf(R, clockOf(1));
  EXPECT_EQ(Points.back().High, 77);
}

TEST(Timeline, TheRecordSurvivesTheTrace) {
  Tape T;
  T.add(liveAt(1, 10, 20));
  Recording R = T.read();
  ASSERT_EQ(R.LiveMemory.size(), 1u);
  EXPECT_EQ(R.LiveMemory[0].Devices.at(0).High, 20u);
  EXPECT_EQ(R.LiveMemory[0].Devices.at(0).DeviceIndex, -1);
}

TEST(PeakParts, WhatStoodBeforeAndWhatIsOfTheRound) {
  Recording R = leakingRun(30);
  trace::PeakSnapshot Peak;
  Peak.DeviceIndex = -1;
  Peak.Tick = 20;
  Peak.Sequence = 22;
  Peak.Sites = {{Parameters, 100}, {Activations, 400}};
  Peak.Counts = {1, 23};
  R.Peaks[{0, -1}] = Peak;
  std::map<uint64_t, PeakPart> Parts = peakParts(R, clockOf(30));
  EXPECT_EQ(Parts[Parameters].Before, 100);
  EXPECT_EQ(Parts[Parameters].Count, 1u);
  EXPECT_EQ(Parts[Activations].Bytes, 400);
  EXPECT_EQ(Parts[Activations].Before, 0);
  EXPECT_EQ(Parts[Activations].Earlier, 190); // the other 210 are of the round
  EXPECT_EQ(Parts[Activations].Count, 23u);
  EXPECT_EQ(peakParts(R, StepClock{})[Parameters].Before, 0);
}
