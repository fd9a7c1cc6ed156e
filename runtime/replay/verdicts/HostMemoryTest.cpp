//===-- HostMemoryTest.cpp - Where the host's memory goes beside tensors --===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/verdicts/JudgedByHand.h"

#include <gtest/gtest.h>

using namespace tensorleak;
using namespace tensorleak::test;

TEST(HostMemory, WhatGrowsBesideTensorsIsSaidUnlessItsLineIs) {
  RunFacts Run = cleanRun();
  EXPECT_TRUE(hostMemoryRemarks(Run).empty());
  Run.Heap.clear();
  for (int Tick : {16, 32, 48, 60})
    Run.Heap.push_back({static_cast<uint64_t>(Tick), 4096 * Tick, 1 << 20, 1 << 20});
  Run.Heap.back().Bytes += 1 << 20; // what came at once is no slope
  ASSERT_EQ(hostMemoryRemarks(Run).size(), 1u);
  EXPECT_NE(hostMemoryRemarks(Run)[0].find("grows by about 4 KiB per step"), std::string::npos);
  Run.Sites = {growingSite(20, 4096)};
  EXPECT_EQ(hostMemoryRemarks(Run).size(), 1u); // a tensor's bytes are counted elsewhere
  Run.Sites[0].OnHeap = true;
  EXPECT_TRUE(hostMemoryRemarks(Run).empty());
}

TEST(HostMemory, WhatKeptTensorsAreMadeOfIsTheirs) {
  RunFacts Run = cleanRun();
  Run.Heap.clear();
  for (int Tick : {16, 32, 48, 60})
    Run.Heap.push_back({static_cast<uint64_t>(Tick), 800 * Tick, 1 << 20, 1 << 20});
  EXPECT_EQ(hostMemoryRemarks(Run).size(), 1u);
  Run.Sites = {growingSite(20, 4096)};
  EXPECT_TRUE(hostMemoryRemarks(Run).empty());
}

TEST(HostMemory, NodesThatPileUpAreWhatGrows) {
  for (int64_t NodesPerStep : {0, 1}) {
    RunFacts Run = cleanRun();
    Run.Censuses.clear(); // as where rounds are inferred
    Run.Heap.clear();
    for (int Tick : {16, 32, 48, 60})
      Run.Heap.push_back(
          {static_cast<uint64_t>(Tick), 800 * Tick, 1 << 20, 1 << 20, NodesPerStep * Tick});
    EXPECT_EQ(hostMemoryRemarks(Run).size(), NodesPerStep ? 0u : 1u);
  }
}

TEST(HostMemory, WhatPausesKeepIsCountedByTheProgramsSteps) {
  RunFacts Run = cleanRun();
  Run.Heap.clear();
  for (int Tick : {16, 32, 48, 60})
    Run.Heap.push_back({static_cast<uint64_t>(Tick), 8000 * Tick, 1 << 20, 1 << 20});
  SourceSite Pauses = growingSite(20, 64);
  Pauses.Objects.clear();
  StepClock Rounds{"execution of a.cpp:20", {}};
  for (uint64_t I = 1; I <= 600; ++I) { // ten objects in each step
    Rounds.Ticks.push_back(I);
    Pauses.Objects.push_back({1, 64, I, std::nullopt});
  }
  Pauses.Loop = 0;
  Run.OtherLoops = {Rounds};
  Run.Sites = {Pauses};
  EXPECT_TRUE(hostMemoryRemarks(Run).empty());
  Run.Sites[0].Objects.resize(300); // they stopped
  EXPECT_EQ(hostMemoryRemarks(Run).size(), 1u);
}

TEST(HostMemory, WhatMallocRetainsIsNotLive) {
  RunFacts Run = cleanRun();
  Run.Heap = {{60, 4096, 100 << 20, 90 << 20}};
  EXPECT_TRUE(hostMemoryRemarks(Run).empty());
  Run.Heap = {{60, 4096, 100 << 20, 300 << 20}};
  ASSERT_EQ(hostMemoryRemarks(Run).size(), 1u);
  EXPECT_NE(hostMemoryRemarks(Run)[0].find("retained by the allocator, not live"),
            std::string::npos);
}

TEST(HostMemory, UnderAnotherAllocatorNothingIsCalledLost) {
  RunFacts Run = cleanRun();
  Run.Sites = {growingSite(20, 4096)};
  Run.Sites[0].Ids = {7};
  HeldSite Lost;
  Lost.SiteId = 7;
  Lost.Targets = Lost.Unheld = 3;
  Run.Held = {Lost};
  EXPECT_NE(unexplainedGrowth(Run, {})[0].TheEvidence.Reason.find("it is lost"), std::string::npos);
  Run.OtherAllocator = "libtcmalloc.so.4";
  EXPECT_EQ(unexplainedGrowth(Run, {})[0].TheEvidence.Reason, "");
  ASSERT_EQ(hostMemoryRemarks(Run).size(), 1u);
  EXPECT_NE(hostMemoryRemarks(Run)[0].find("where no holder is named there may be one"),
            std::string::npos);
}
