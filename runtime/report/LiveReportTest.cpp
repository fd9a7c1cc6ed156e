//===-- LiveReportTest.cpp - What is shown while a program runs -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/report/LiveReport.h"
#include "runtime/replay/recording/TraceByHand.h"

#include <gtest/gtest.h>

using namespace tensorleak;

namespace {

/// Two sites, of which the second keeps 4 KiB of each step.
test::Tape trainedFor(unsigned Steps) {
  test::Tape T;
  for (uint64_t Id : {1, 2}) {
    T.add(trace::OpName{Id, Id == 1 ? "aten::zeros" : "aten::relu"});
    trace::Site S;
    S.Id = S.OpId = Id;
    S.DeviceType = 1;
    T.add(S);
  }
  T.add(trace::Born{1, 1, 1 << 20, 0, 0, 0});
  for (uint64_t Step = 0; Step < Steps; ++Step) {
    T.add(trace::Born{2 + Step, 2, 4096, T.Tick, T.Tick, 0});
    T.add(trace::LiveMemory{T.Tick + 1, 0, {{0, -1, 64, 64}, {1, 0, 5000, 9000 + Step}}});
    T.boundary(trace::BoundaryKind::UserMarker);
  }
  return T;
}

LiveState stateOf(const Recording &R) {
  DebugFiles Files;
  Symbolizer Symbols(R, Files);
  LiveState State;
  updateNumbers(R, State);
  updatePlaces(R, Symbols, State);
  return State;
}

} // namespace

TEST(LiveReport, OneLineHasTheRoundTheMemoryAndWhatGrows) {
  LiveState State = stateOf(trainedFor(40).read());
  EXPECT_EQ(progressLine(State), "tensorleak: round 40 (tensorleak_step()), 4.9 KiB live on GPU 0, "
                                 "8.8 KiB at most, 1 place grows");
}

TEST(LiveReport, AFewRoundsTellNothing) {
  LiveState State = stateOf(trainedFor(10).read());
  EXPECT_EQ(progressLine(State), "tensorleak: round 10 (tensorleak_step()), 4.9 KiB live on GPU 0, "
                                 "8.8 KiB at most");
}

TEST(LiveReport, WithoutRoundsAllocationsAreCounted) {
  LiveState State;
  State.Allocations = 12;
  State.Most = State.Live = 100;
  EXPECT_EQ(progressLine(State), "tensorleak: 12 allocations, 100 B live, 100 B at most");
}

TEST(LiveReport, TheTableBeginsWithWhatGrows) {
  LiveState State = stateOf(trainedFor(40).read());
  std::vector<std::string> Table = liveTable(State, 9);
  ASSERT_EQ(Table.size(), 4u);
  EXPECT_EQ(Table[1], "       kept  per round");
  EXPECT_EQ(Table[2], "    160 KiB      4 KiB  grows  aten::relu");
  EXPECT_EQ(Table[3], "      1 MiB          -         aten::zeros");
  EXPECT_EQ(liveTable(State, 3).size(), 3u);
}
