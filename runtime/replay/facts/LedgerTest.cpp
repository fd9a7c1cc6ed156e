//===-- LedgerTest.cpp - From a trace to facts ----------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traces made by hand, read back through the reader.
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/facts/Ledger.h"
#include "runtime/replay/facts/Cycles.h"
#include "runtime/replay/facts/points/PointPlan.h"
#include "runtime/replay/recording/TraceByHand.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace tensorleak;
using test::Tape;
using trace::BoundaryKind;

namespace {

RunFacts factsOf(const Recording &R) {
  DebugFiles Files;
  Symbolizer Symbols(R.Modules, Files);
  return buildFacts(R, Symbols);
}

} // namespace

TEST(StepClock, OneOptimizer) {
  Tape T;
  for (int I = 0; I < 30; ++I)
    T.boundary(BoundaryKind::Backward).boundary(BoundaryKind::OptimizerStep, 1);
  trace::Optimizer Adam;
  Adam.Id = 1;
  Adam.Class = "Adam";
  StepClock Clock = chooseClock(T.add(Adam).read());
  EXPECT_EQ(Clock.steps(), 30u);
  EXPECT_EQ(Clock.Name, "step of Adam");
  EXPECT_EQ(Clock.stepOf(0), 0u);
  EXPECT_EQ(Clock.stepOf(1), 0u); // the backward pass of the first step
  EXPECT_EQ(Clock.stepOf(2), 1u);
  EXPECT_EQ(Clock.stepOf(60), 30u);
}

TEST(StepClock, TheLessFrequentOptimizerOfAGanIsTheLoop) {
  Tape T;
  for (int I = 0; I < 25; ++I) {
    for (int Critic = 0; Critic < 5; ++Critic)
      T.boundary(BoundaryKind::OptimizerStep, 1);
    T.boundary(BoundaryKind::OptimizerStep, 2);
  }
  EXPECT_EQ(chooseClock(T.read()).steps(), 25u);
}

TEST(StepClock, AnOptimizerPerEpochIsOneClock) {
  Tape T;
  for (uint64_t Epoch = 1; Epoch <= 4; ++Epoch)
    for (int I = 0; I < 25; ++I)
      T.boundary(BoundaryKind::OptimizerStep, Epoch);
  EXPECT_EQ(chooseClock(T.read()).steps(), 100u);
}

TEST(StepClock, TheUsersMarkerWins) {
  Tape T;
  for (int I = 0; I < 3; ++I)
    T.boundary(BoundaryKind::OptimizerStep, 1).boundary(BoundaryKind::UserMarker);
  EXPECT_EQ(chooseClock(T.read()).Name, "tensorleak_step()");
}

TEST(StepClock, AnnouncedStepsGoBeforeTheRoundsOfALoop) {
  FindingPoints Points;
  Points.ClockGroup = 7;
  PointPlan Plan;
  Plan.ByFinding = {Points};
  Tape Announced, Detected;
  for (int Step = 0; Step < 25; ++Step) {
    for (int Round = 0; Round < 25; ++Round) {
      Announced.boundary(BoundaryKind::LineClock, 7);
      Detected.boundary(BoundaryKind::LineClock, 7);
    }
    Announced.boundary(BoundaryKind::UserMarker);
    Detected.boundary(BoundaryKind::OptimizerStep, 1);
  }
  Recording A = Announced.read(), D = Detected.read();
  EXPECT_EQ(findingFacts(A, Plan, chooseClock(A))[0].Clock.Name, "tensorleak_step()");
  EXPECT_EQ(findingFacts(D, Plan, chooseClock(D))[0].Clock.Name, "round of the loop");
}

TEST(Ledger, WhatIsExpectedToStayIsKeptApart) {
  Tape T;
  trace::Site Site;
  Site.Id = 1;
  trace::Born Kept, Grown;
  Kept.SiteId = Grown.SiteId = 1;
  Kept.Object = 5, Kept.Bytes = 100;
  Grown.Object = 6, Grown.Bytes = 7;
  trace::SiteCounters Counters;
  Counters.SiteId = 1;
  Counters.LiveBytes = 107;
  T.add(Site).add(trace::Expected{5, 0}).add(trace::Expected{0, 0}).add(Kept).add(Grown);
  T.boundary(BoundaryKind::OptimizerStep, 1).add(Counters);
  Recording R = T.read();
  EXPECT_EQ(R.ExpectedUnknown, 1u);
  RunFacts Facts = factsOf(R);
  ASSERT_EQ(Facts.Sites.size(), 1u);
  ASSERT_EQ(Facts.Sites[0].Expected.size(), 1u);
  EXPECT_EQ(Facts.Sites[0].Expected[0].Bytes, 100u);
  ASSERT_EQ(Facts.Sites[0].Objects.size(), 1u);
  EXPECT_EQ(Facts.Sites[0].BytesAtEnd, 7);
  EXPECT_EQ(Facts.Sites[0].LiveBytes.at(1), 7);
}

TEST(StepClock, WithoutStepsTheRoundsOfALoop) {
  Tape T;
  for (int I = 0; I < 40; ++I)
    T.boundary(BoundaryKind::LineClock, 7);
  EXPECT_EQ(chooseClock(T.read()).steps(), 40u);
  EXPECT_EQ(chooseClock(Tape().read()).steps(), 0u);
}

TEST(StepClock, AValidationLoopIsJudgedWithinOnePass) {
  Tape T;
  for (int Epoch = 0; Epoch < 3; ++Epoch) {
    for (int I = 0; I < 50; ++I)
      T.boundary(BoundaryKind::OptimizerStep, 1);
    for (int I = 0; I < 30 + Epoch; ++I)
      T.boundary(BoundaryKind::LineClock, 7);
  }
  Recording R = T.read();
  StepClock Pass = lineClock(R, 7, chooseClock(R));
  EXPECT_EQ(Pass.steps(), 32u);
  EXPECT_EQ(Pass.Ticks.back(), T.Tick);
}

TEST(Ledger, ObjectsKeepTheirLivesAndSitesTheirCounters) {
  Tape T;
  trace::Site S;
  S.Id = 3;
  S.DeviceType = 1;
  trace::SiteCounters C;
  C.SiteId = 3;
  C.Allocations = 9;
  C.MaxBytes = 512;
  trace::Born Kept, Freed;
  Kept.Object = 1;
  Freed.Object = 2;
  Kept.SiteId = Freed.SiteId = 3;
  Kept.Bytes = 100;
  Freed.Bytes = 30;
  trace::Died D;
  D.Object = 2;
  D.Tick = 5;
  RunFacts Facts = factsOf(T.add(S).add(Kept).add(Freed).add(D).add(C).read());
  ASSERT_EQ(Facts.Sites.size(), 1u);
  EXPECT_TRUE(Facts.Sites[0].OnDevice);
  EXPECT_EQ(Facts.Sites[0].BytesAtEnd, 100);
  EXPECT_EQ(Facts.Sites[0].MaxBytes, 512u);
  ASSERT_EQ(Facts.Sites[0].Objects.size(), 2u);
  EXPECT_FALSE(Facts.Sites[0].Objects[0].DeathTick);
  EXPECT_EQ(Facts.Sites[0].Objects[1].DeathTick, 5u);
}

TEST(Ledger, TheLookAtTheEndIsNoStep) {
  Tape T;
  for (int I = 0; I < 4; ++I) {
    T.boundary(BoundaryKind::OptimizerStep, 1);
    trace::Census C;
    C.Tick = T.Tick;
    C.Nodes = 10;
    T.add(C);
  }
  EXPECT_EQ(factsOf(T.read()).Censuses.size(), 4u); // killed: there was no such look
  trace::Census AtEnd;
  trace::End End;
  AtEnd.Tick = End.Tick = T.Tick;
  RunFacts Facts = factsOf(T.add(AtEnd).add(End).read());
  ASSERT_EQ(Facts.Censuses.size(), 4u);
  EXPECT_EQ(Facts.Censuses.back().Nodes, 10);
}

TEST(Ledger, TensorStorageIsNotCountedAsHeapTwice) {
  Tape T;
  trace::Boundary B;
  B.Tick = 1;
  B.Acting = true;
  B.HostLiveBytes = 1000;
  trace::HostHeap H;
  H.Tick = 1;
  H.Bytes = 1600;
  RunFacts Facts = factsOf(T.add(B).add(H).read());
  ASSERT_EQ(Facts.Heap.size(), 1u);
  EXPECT_EQ(Facts.Heap[0].Bytes, 600);
}

TEST(Ledger, BlindSpotsAreNamed) {
  Recording R = Tape().read();
  ASSERT_EQ(blindSpots(R).size(), 1u);
  EXPECT_NE(blindSpots(R)[0].Why.find("no shared LibTorch"), std::string::npos);
  trace::Module Torch;
  Torch.Path = "/usr/lib/libtorch_cpu.so";
  R = Tape().add(Torch).read();
  EXPECT_TRUE(blindSpots(R).empty());
  R.Read.Now.Allocations = 0;
  EXPECT_NE(blindSpots(R).at(0).Why.find("could not be hooked"), std::string::npos);
  R.Read.Now.Allocations = 1;
  R.Read.Flags = trace::TraceFull;
  EXPECT_NE(blindSpots(R).at(0).Why.find("later events are missing"), std::string::npos);
}

TEST(Ledger, ARunSaysThatNoSearchSucceeded) {
  EXPECT_EQ(whyNotSearched(Tape().read()), "");
  trace::Search Failed;
  Failed.Failure = "too large";
  EXPECT_EQ(whyNotSearched(Tape().add(Failed).read()), "too large");
  EXPECT_EQ(whyNotSearched(Tape().add(Failed).add(trace::Search()).read()), "");
}

TEST(Cycles, ClassesOfNodesHaveTheirShortNames) {
  EXPECT_EQ(nodeName("N5torch8autograd9generated12MulBackward1E"), "MulBackward1");
  EXPECT_EQ(nodeName("N5torch8autograd7CppNodeIN4shop8SaveDataEEE"), "shop::SaveData");
  EXPECT_EQ(nodeName("N5torch8autograd12AutogradMetaE"), "");
  EXPECT_EQ(nodeName("N3c1010TensorImplE"), "");
  EXPECT_EQ(nodeName(""), "");
}

namespace {
std::string cycleText(const std::vector<std::string> &Classes, uint64_t Ticks = 8) {
  trace::CycleSample Sample;
  Sample.Length = Classes.size();
  Sample.Ticks = Ticks;
  for (const std::string &Class : Classes) {
    Sample.Hops.emplace_back();
    Sample.Hops.back().Class = Class;
    Sample.Hops.back().HasSite = true;
    Sample.Hops.back().SiteId = 3;
  }
  Recording R = Tape().add(Sample).read();
  DebugFiles Files;
  Symbolizer Symbols(R.Modules, Files);
  std::vector<GraphCycle> All = graphCycles(R, Symbols);
  return All.empty() ? "" : All[0].What;
}
} // namespace

TEST(Cycles, WhereTheProbeBeganIsOfNoMeaning) {
  const std::string Node = "N5torch8autograd9generated", Meta = "N5torch8autograd12AutogradMetaE",
                    Tensor = "N3c1010TensorImplE",
                    Leaf = "St23_Sp_counted_ptr_inplaceIN5torch8autograd14AccumulateGradEE";
  // A leaf holds, by its metadata, a gradient whose graph leads back to the leaf.
  std::vector<std::string> Hops{
      Tensor, Leaf, "", Node + "12MulBackward1E", "", Node + "12AddBackward0E", Meta, Tensor, Meta};
  for (size_t I = 0; I < Hops.size(); ++I) {
    EXPECT_EQ(cycleText(Hops),
              "a gradient carries a graph that leads back to the tensor that it is "
              "the gradient of (cycle through AddBackward0, MulBackward1, "
              "AccumulateGrad)");
    std::rotate(Hops.begin(), Hops.begin() + 1, Hops.end());
  }
}

TEST(Cycles, TheShortestThatIsKnownToBeClosedComesFirst) {
  auto Sample = [](std::vector<std::string> Classes) {
    trace::CycleSample Out;
    Out.Length = Classes.size();
    Out.Ticks = 8;
    for (const std::string &Class : Classes)
      Out.Hops.push_back({Class, 0, 3, 1, true});
    return Out;
  };
  const std::string Meta = "N5torch8autograd12AutogradMetaE", Tensor = "N3c1010TensorImplE";
  Recording R = Tape()
                    .add(Sample({Meta, Tensor, "", "", "N5torch8autograd9generated9AddNBackwardE"}))
                    .add(Sample({Meta, Tensor, "", "N5torch8autograd9generated12MulBackward1E"}))
                    .add(Sample({"", "N5torch8autograd9generated12MulBackward1E"}))
                    .read();
  DebugFiles Files;
  Symbolizer Symbols(R.Modules, Files);
  std::vector<GraphCycle> All = graphCycles(R, Symbols);
  ASSERT_EQ(All.size(), 3u);
  EXPECT_EQ(All[0].Length, 4u);
  EXPECT_EQ(All[0].What.compare(0, 12, "MulBackward1"), 0);
  EXPECT_EQ(All[1].Length, 5u);
  EXPECT_EQ(All[2].Length, 2u);
}

TEST(Cycles, TheReferenceThatClosesOneIsSaid) {
  const std::string Mul = "N5torch8autograd9generated12MulBackward1E",
                    Meta = "N5torch8autograd12AutogradMetaE", Tensor = "N3c1010TensorImplE",
                    Hook = "N5torch8autograd18CppFunctionPreHookE",
                    Leaf = "St23_Sp_counted_ptr_inplaceIN5torch8autograd14AccumulateGradEE";
  EXPECT_EQ(cycleText({Meta, Tensor, "", Mul}),
            "MulBackward1 keeps a tensor that is computed from its own result "
            "(cycle through MulBackward1)");
  EXPECT_EQ(cycleText({Meta, Tensor, "", Mul}, /*Ticks=*/2), ""); // may be left-over memory
  EXPECT_EQ(cycleText({Meta, Tensor, "", "", Hook, "", Mul}),
            "a hook keeps a tensor that leads back to the hook (cycle through MulBackward1)");
  // Newer LibTorch keeps the hooks of a tensor in a list that it shares.
  const std::string List = "St23_Sp_counted_ptr_inplaceISt6vectorIiSaIiEEE";
  EXPECT_EQ(cycleText({Meta, Tensor, "", List, "", Hook, Mul}).substr(0, 14), "a hook keeps a");
  // The leaf's own AccumulateGrad is no news; its gradient is.
  EXPECT_EQ(cycleText({Meta, Tensor, Meta, Tensor, Leaf, "", Mul}).substr(0, 29),
            "a gradient carries a graph th");
}

TEST(Ledger, AllocatorsThatReportNothingAreBlindSpots) {
  trace::Module Torch;
  Torch.Path = "/usr/lib/libtorch_cpu.so";
  Tape T;
  T.add(Torch).add(trace::Setting{"PYTORCH_NO_CUDA_MEMORY_CACHING", "1"});
  EXPECT_TRUE(blindSpots(T.read()).empty()); // no driver: the program uses the CPU only
  T.add(trace::Setting{trace::CudaDriverSetting, "loaded"});
  ASSERT_EQ(blindSpots(T.read()).size(), 1u);
  EXPECT_EQ(blindSpots(T.read())[0].Hides, BlindSpot::Memory);
  T.add(trace::Setting{trace::CpuAllocatorSetting, "N3c1019DefaultCPUAllocatorE"});
  EXPECT_EQ(blindSpots(T.read()).size(), 1u);
  T.add(trace::Setting{trace::CpuAllocatorSetting, "9MyCounter"});
  EXPECT_NE(blindSpots(T.read()).at(1).Why.find("own (MyCounter)"), std::string::npos);
}

TEST(Ledger, AProgramThatUsesCudaByItselfNeedsNoLibTorch) {
  Tape T;
  T.add(trace::Setting{trace::CudaCallsSetting, trace::CudaByCupti});
  EXPECT_TRUE(blindSpots(T.read()).empty());
  T.add(trace::Setting{trace::CudaCallsSetting, trace::CudaProfilerHoldsCupti});
  EXPECT_NE(blindSpots(T.read()).at(1).Why.find("another profiler"), std::string::npos);
}

TEST(Ledger, TheBackendOfTheCachingAllocatorMatters) {
  trace::Module Torch;
  Torch.Path = "/usr/lib/libtorch_cpu.so";
  Tape T;
  T.add(Torch).add(trace::Setting{trace::CudaDriverSetting, "loaded"});
  T.add(trace::Setting{"PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True"});
  T.add(trace::Setting{trace::CudaAllocatorSetting,
                       "N3c104cuda20CUDACachingAllocator6Native22NativeCachingAllocatorE"});
  EXPECT_TRUE(blindSpots(T.read()).empty());
  T.add(trace::Setting{trace::CudaAllocatorSetting,
                       "N5torch4cuda22CUDAPluggableAllocator22CUDAPluggableAllocatorE"});
  EXPECT_NE(blindSpots(T.read()).at(0).Why.find("pluggable"), std::string::npos);
  T.add(trace::Setting{"PYTORCH_CUDA_ALLOC_CONF", "backend:cudaMallocAsync"});
  EXPECT_NE(blindSpots(T.read()).at(0).Why.find("selects cudaMallocAsync"), std::string::npos);
}

TEST(Ledger, PointsOfOnePlaceAreOnePlace) {
  trace::PointState Hit, Refused;
  Hit.Id = 1;
  Hit.Status = trace::PointStatus::Armed;
  Hit.Hits = Hit.GenerationsHit = 12;
  Hit.LastSequence = 99;
  Refused.Id = 2;
  Refused.Status = trace::PointStatus::Refused;
  PointFacts P = pointFacts(Tape().add(Hit).add(Refused).read(), {1, 2, 3});
  EXPECT_EQ(P.Planned, 3u);
  EXPECT_EQ(P.Armed, 1u);
  EXPECT_EQ(P.StepsHit, 12u);
  EXPECT_EQ(P.LastSequence, 99u);
  EXPECT_TRUE(P.IsCut);
  EXPECT_FALSE(pointFacts(Tape().add(Hit).add(trace::End()).read(), {1}).IsCut);
}
