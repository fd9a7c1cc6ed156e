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

/// The heap grows by so much per step.
static RunFacts runWithHeap(int64_t BytesPerStep) {
  RunFacts Run = cleanRun();
  Run.Heap.clear();
  for (int Tick : {16, 32, 48, 60})
    Run.Heap.push_back({static_cast<uint64_t>(Tick), BytesPerStep * Tick, 1 << 20, 1 << 20});
  return Run;
}

static SourceSite sampleAt(unsigned Line, uint64_t Bytes, const std::string &Taker) {
  SourceSite S = growingSite(Line, Bytes);
  S.OnHeap = S.Sampled = true;
  S.Taker = Taker;
  S.Ids = {7};
  return S;
}

TEST(HostMemory, WhatALibraryKeepsIsItsCache) {
  RunFacts Run = runWithHeap(8192);
  Run.HeapSamples = {sampleAt(20, 8000, "/usr/lib/libdnnl.so.2")};
  Run.HeapSamples[0].Ops = {"aten::conv2d"};
  ASSERT_EQ(hostMemoryRemarks(Run).size(), 1u);
  EXPECT_NE(hostMemoryRemarks(Run)[0].find("7.8 KiB by libdnnl.so.2 (aten::conv2d, train.cpp:20): "
                                           "a library's cache, still filling"),
            std::string::npos)
      << hostMemoryRemarks(Run)[0];
  EXPECT_TRUE(unexplainedGrowth(Run, {}).empty());
}

TEST(HostMemory, WhatALibraryTakesForTheProgramIsTheProgramsLeak) {
  RunFacts Run = runWithHeap(8192);
  Run.HeapSamples = {sampleAt(20, 8000, "/usr/lib/libz.so.1")};
  Run.Held = {{7, Run.HeapSamples[0].Frames, /*Targets=*/3, /*Unheld=*/3, {}}};
  std::vector<Finding> Listed = unexplainedGrowth(Run, {});
  ASSERT_EQ(Listed.size(), 1u);
  EXPECT_EQ(Listed[0].Where.Line, 20u);
  EXPECT_NE(Listed[0].TheEvidence.Reason.find("that libz.so.1 takes"), std::string::npos);
  EXPECT_TRUE(hostMemoryRemarks(Run).empty());
}

TEST(HostMemory, SmallBlocksOfTheProgramAreListedUnlessTensorsGrowThere) {
  RunFacts Run = runWithHeap(4096);
  Run.HeapSamples = {sampleAt(20, 4000, "")};
  ASSERT_EQ(unexplainedGrowth(Run, {}).size(), 1u);
  EXPECT_NEAR(double(*unexplainedGrowth(Run, {})[0].TheEvidence.BytesPerStep), 4000, 10);
  EXPECT_TRUE(hostMemoryRemarks(Run).empty());
  Run.Sites = {growingSite(20, 65536)}; // the entry of a list that keeps a tensor
  ASSERT_EQ(unexplainedGrowth(Run, {}).size(), 1u);
  EXPECT_EQ(unexplainedGrowth(Run, {})[0].TheEvidence.BytesPerStep, 65536);
  Run.Sites = {growingSite(30, 65536)}; // or of one that keeps it elsewhere in the function
  EXPECT_EQ(unexplainedGrowth(Run, {}).size(), 2u) << "so much is no entry";
  for (RecordedObject &O : Run.HeapSamples[0].Objects)
    O.Bytes = 256;
  EXPECT_EQ(unexplainedGrowth(Run, {}).size(), 1u);
  Run.Sites[0].Frames[0].Function = "elsewhere";
  EXPECT_EQ(unexplainedGrowth(Run, {}).size(), 2u);
  Run.Sites.clear();
  Run.HeapSamples[0].Objects.resize(12); // chance chose that often too
  EXPECT_TRUE(unexplainedGrowth(Run, {}).empty());
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
  Run.Held = {unheld(7)};
  EXPECT_NE(unexplainedGrowth(Run, {})[0].TheEvidence.Reason.find("it is lost"), std::string::npos);
  Run.OtherAllocator = "libtcmalloc.so.4";
  EXPECT_EQ(unexplainedGrowth(Run, {})[0].TheEvidence.Reason, "");
  ASSERT_EQ(hostMemoryRemarks(Run).size(), 1u);
  EXPECT_NE(hostMemoryRemarks(Run)[0].find("where no holder is named there may be one"),
            std::string::npos);
}
