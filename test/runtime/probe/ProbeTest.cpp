//===-- ProbeTest.cpp - The probe inside real LibTorch programs ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exact counts: what is allocated is freed or alive, what is kept is found with
// its age and place, what is clean is flat, and the program notices nothing.
//
//===----------------------------------------------------------------------===//
#include "VictimRuns.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

using namespace tensorleak;
using namespace tensorleak::test;
namespace fs = std::filesystem;
using trace::BoundaryKind;

namespace {

bool touchesModule(const RecordedTrace &T, uint64_t Address, const std::string &Module) {
  return std::any_of(T.Modules.begin(), T.Modules.end(), [&](const trace::Module &M) {
    return M.Path == Module && Address >= M.Low && Address < M.High;
  });
}

bool touches(const RecordedTrace &T, uint64_t SiteId, const std::string &Module) {
  auto Site = T.Sites.find(SiteId);
  if (Site == T.Sites.end())
    return false;
  const std::vector<uint64_t> &Frames = T.Stacks.at(Site->second.StackId).Frames;
  return std::any_of(T.Modules.begin(), T.Modules.end(), [&](const trace::Module &M) {
    return M.Path == Module && std::any_of(Frames.begin(), Frames.end(),
                                           [&](uint64_t Pc) { return Pc >= M.Low && Pc < M.High; });
  });
}

const trace::SiteNodes *mostNodes(const trace::Census &C) {
  auto Most = std::max_element(C.Sites.begin(), C.Sites.end(),
                               [](auto &A, auto &B) { return A.Nodes < B.Nodes; });
  return Most == C.Sites.end() ? nullptr : &*Most;
}

} // namespace

TEST(Probe, CleanTrainingIsFlat) {
  RecordedTrace T = traceOf("clean");
  expectBalance(T);
  EXPECT_EQ(T.End.LiveObjects, 0u);
  auto Boundaries = T.boundaries(BoundaryKind::OptimizerStep);
  ASSERT_EQ(Boundaries.size(), Steps);
  EXPECT_EQ(Boundaries[10].HostLiveBytes, Boundaries.back().HostLiveBytes);
  EXPECT_EQ(Boundaries.back().ZeroGradsSince, 1u);
  EXPECT_EQ(T.boundaries(BoundaryKind::Backward).size(), Steps);
  const trace::LiveMemory &Tenth = T.Live.at(Boundaries[10].Tick - 1);
  EXPECT_EQ(Tenth.Tick, Boundaries[10].Tick);
  EXPECT_EQ(Tenth.Devices.at(0).Live, Boundaries[10].HostLiveBytes);
  ASSERT_GE(T.Censuses.size(), 3u);
  EXPECT_EQ(T.Censuses[1].Nodes, T.Censuses[2].Nodes);
  EXPECT_TRUE(T.Censuses[2].SitesTrusted);
}

TEST(Probe, EveryHookThatShouldFireDoes) {
  RecordedTrace T = traceOf("clean");
  for (const char *Name :
       {"cpu-alloc", "cpu-free", "node-made", "node-freed", "backward", "SGD::step", "operators"})
    EXPECT_TRUE(T.Hooks[Name].Present && T.Hooks[Name].Calls) << Name;
  EXPECT_TRUE(T.Hooks["Adam::step"].Present);
  EXPECT_EQ(T.Hooks["Adam::step"].Calls, 0u);
}

TEST(Probe, AKeptLossIsOneSurvivorPerStep) {
  RecordedTrace T = traceOf("keep");
  expectBalance(T);
  std::map<uint64_t, std::set<uint64_t>> TicksBySite;
  std::set<uint64_t> Dead;
  for (const trace::Died &D : T.Deaths)
    Dead.insert(D.Object);
  for (const trace::Born &B : T.Births)
    if (B.Bytes == 4 && !Dead.count(B.Object))
      TicksBySite[B.SiteId].insert(B.Tick);
  auto Most = std::max_element(TicksBySite.begin(), TicksBySite.end(),
                               [](auto &A, auto &B) { return A.second.size() < B.second.size(); });
  ASSERT_NE(Most, TicksBySite.end());
  EXPECT_EQ(Most->second.size(), Steps);
  EXPECT_TRUE(touches(T, Most->first, VICTIM));
  EXPECT_EQ(T.Names[T.Sites[Most->first].OpId], "aten::mean");
}

TEST(Probe, ASumThatKeepsItsGraphShowsInTheCensusOnly) {
  RecordedTrace T = traceOf("sum");
  expectBalance(T);
  auto Boundaries = T.boundaries(BoundaryKind::OptimizerStep);
  EXPECT_EQ(Boundaries[10].HostLiveBytes, Boundaries.back().HostLiveBytes);
  // 8 of the nodes of each step stay; at generations 8, 16 and 32.
  ASSERT_GE(T.Censuses.size(), 3u);
  EXPECT_EQ(T.Censuses[2].Nodes - T.Censuses[1].Nodes,
            8 * (T.Censuses[2].Generation - T.Censuses[1].Generation));
  const trace::SiteNodes *Most = mostNodes(T.Censuses[2]);
  ASSERT_TRUE(Most);
  EXPECT_TRUE(T.Censuses[2].SitesTrusted);
  EXPECT_EQ(Most->Nodes, Most->Ticks);
  EXPECT_TRUE(touches(T, Most->SiteId, VICTIM));
  EXPECT_TRUE(T.Sites[Most->SiteId].MakesNodes);
}

TEST(Probe, AccumulatedGradientsAreToldFromFreshOnes) {
  RecordedTrace T = traceOf("no-zero-grad");
  auto Boundaries = T.boundaries(BoundaryKind::OptimizerStep);
  ASSERT_EQ(Boundaries.size(), Steps);
  EXPECT_EQ(Boundaries[0].AccumulationsSince, 0u);
  EXPECT_EQ(Boundaries[0].FreshGradientsSince, 4u);
  EXPECT_EQ(Boundaries[1].AccumulationsSince, 4u);
  EXPECT_EQ(Boundaries[1].FreshGradientsSince, 0u);
  EXPECT_EQ(Boundaries[1].ZeroOpsSince + Boundaries[1].ZeroGradsSince, 0u);
}

TEST(Probe, KeepGraphIsSeen) {
  RecordedTrace T = traceOf("keep-graph");
  EXPECT_EQ(T.boundaries(BoundaryKind::OptimizerStep).back().KeepGraphSince, 1u);
}

TEST(Probe, APluginLoadedLocallyIsSeenWhole) {
  VictimRun Run = runUnderProbe({HOST, PLUGIN, "keep", std::to_string(Steps)});
  ASSERT_EQ(Run.Status, 0) << Run.Output;
  ASSERT_EQ(Run.Traces.size(), 1u);
  RecordedTrace &T = Run.Traces[0];
  expectBalance(T);
  EXPECT_EQ(T.boundaries(BoundaryKind::OptimizerStep).size(), Steps);
  EXPECT_GT(T.Result.Now.Ops, 1000u);
  ASSERT_GE(T.Censuses.size(), 3u);
  EXPECT_GT(T.Censuses[2].Nodes, T.Censuses[1].Nodes);
}

TEST(Probe, TheUserMarkerIsABoundary) {
  RecordedTrace T = traceOf("marked");
  EXPECT_EQ(T.boundaries(BoundaryKind::UserMarker).size(), Steps);
  EXPECT_EQ(T.Births.size(), Steps);
}

void expectCandidates(RecordedTrace T) {
  uint64_t Candidates = 0, Bytes = 0;
  for (auto &[Id, C] : T.Counters)
    if (T.Names[T.Sites[Id].OpId] == "aten::mul") {
      Candidates += C.InPlaceCandidates;
      Bytes += C.InPlaceBytes;
    }
  EXPECT_EQ(Candidates, Steps);
  EXPECT_EQ(Bytes, Steps * 4096);
}

TEST(Probe, AnInputThatDiesAtOnceIsACandidate) {
  RecordedTrace T = traceOf("out-of-place");
  expectCandidates(T);
  // The old and the new value at once (and the number 2.0).
  EXPECT_NEAR(double(T.Peaks[0].TotalBytes), 8192, 100);
  EXPECT_TRUE(std::any_of(T.Live.begin(), T.Live.end(), [](const trace::LiveMemory &L) {
    return std::abs(double(L.Devices.at(0).High) - 8192) < 100;
  }));
}

/// Backward passes must not stay open, or nothing that follows is understood.
TEST(Probe, AnExceptionInABackwardPassEndsIt) { expectCandidates(traceOf("throw-backward")); }

/// A step announces t(), but not the transpose() within it.
TEST(Probe, OperatorsWithinOthersAreNotAnnounced) {
  RecordedTrace T = traceOf("clean");
  uint64_t PerStep = T.Hooks["operators"].Calls / Steps;
  EXPECT_GE(PerStep, 10u);
  EXPECT_LE(PerStep, 45u);
}

TEST(Probe, ListenersOfTheProgramHearEverything) {
  for (const char *What : {"listen", "listen-in-thread"}) {
    VictimRun Run = victim(What);
    EXPECT_EQ(Run.Status, 0) << What;
  }
}

TEST(Probe, ThreadsAreCountedExactly) {
  RecordedTrace T = traceOf("threads");
  expectBalance(T);
  EXPECT_GE(T.Result.Now.Allocations, 4u * 2 * Steps);
  EXPECT_EQ(T.End.LiveObjects, 0u);
}

TEST(Probe, AForkedChildHasItsOwnTrace) {
  VictimRun Run = victim("fork");
  ASSERT_EQ(Run.Traces.size(), 2u);
  RecordedTrace &Parent = Run.Traces[0], &Child = Run.Traces[1];
  EXPECT_EQ(Parent.boundaries(BoundaryKind::UserMarker).size(), 0u);
  EXPECT_EQ(Parent.boundaries(BoundaryKind::OptimizerStep).size(), Steps);
  EXPECT_EQ(Child.boundaries(BoundaryKind::UserMarker).size(), 2 * Steps);
  EXPECT_EQ(Child.Births.size(), 2 * Steps);
  EXPECT_TRUE(touches(Child, Child.Births[0].SiteId, VICTIM));
}

TEST(Probe, NoChildWaitsForAThreadOfItsParent) {
  VictimRun Run = victim("fork-among-threads");
  EXPECT_EQ(Run.Output, "done fork-among-threads\n");
  EXPECT_EQ(Run.Traces.size(), 1 + Steps);
}

TEST(Probe, WhoHoldsTheLoadersLockMayAllocate) {
  EXPECT_EQ(traceOf("allocate-in-loader").boundaries(BoundaryKind::OptimizerStep).size(), Steps);
}

TEST(Probe, AKilledProgramLeavesWhatWasKnown) {
  VictimRun Run = victim("kill");
  EXPECT_TRUE(WIFSIGNALED(Run.Status) && WTERMSIG(Run.Status) == SIGKILL);
  ASSERT_EQ(Run.Traces.size(), 1u);
  RecordedTrace &T = Run.Traces[0];
  EXPECT_TRUE(T.Result);
  EXPECT_FALSE(T.Result.Complete);
  EXPECT_EQ(T.boundaries(BoundaryKind::OptimizerStep).size(), Steps);
  EXPECT_GE(T.Births.size(), Steps - 2);
}

TEST(Probe, AProgramThatASignalEndsEndsItsTrace) {
  for (auto [How, Signal] : {std::pair("term", SIGTERM), std::pair("fault", SIGSEGV)}) {
    VictimRun Run = victim(How);
    EXPECT_TRUE(WIFSIGNALED(Run.Status) && WTERMSIG(Run.Status) == Signal);
    EXPECT_EQ(Run.Traces.at(0).End.TheKind, trace::EndKind::Signal);
    expectBalance(Run.Traces[0]);
  }
}

TEST(Probe, TheProgramNoticesNothing) {
  VictimRun Seven = victim("exit-7");
  EXPECT_EQ(WEXITSTATUS(Seven.Status), 7);
  EXPECT_EQ(Seven.Output, "done exit-7\n");
  EXPECT_EQ(Seven.Traces.at(0).End.Code, 7u);
  VictimRun Throws = victim("throw");
  EXPECT_TRUE(WIFSIGNALED(Throws.Status) && WTERMSIG(Throws.Status) == SIGABRT);
  EXPECT_NE(Throws.Output.find("on purpose"), std::string::npos);
}

TEST(Probe, AFileUnderOurDescriptorIsNotCut) {
  fs::path Checkpoint = fs::path(testing::TempDir()) / ("checkpoint." + std::to_string(getpid()));
  setenv("CHECKPOINT", Checkpoint.c_str(), 1);
  VictimRun Run = victim("close-all");
  EXPECT_EQ(fs::file_size(Checkpoint), 8u << 20);
  fs::remove(Checkpoint);
  ASSERT_EQ(Run.Traces.size(), 1u);
  expectBalance(Run.Traces[0]);
}

TEST(Probe, WhatPilesUpIsSearchedForWhileTheProgramGoesOn) {
  RecordedTrace T = traceOf("keep");
  ASSERT_FALSE(T.Searches.empty());
  for (const trace::Search &S : T.Searches) {
    EXPECT_EQ(S.Failure, "");
    EXPECT_FALSE(S.Partial);
    EXPECT_LT(S.PauseMicroseconds, 50000u);
  }
  // The losses are in a global vector: tensors directly, nodes through the losses.
  unsigned Storages = 0, Nodes = 0;
  for (const trace::HolderPath &P : T.Paths)
    if (P.Root == trace::RootKind::Global && touchesModule(T, P.Address, VICTIM))
      ++(P.Target.IsNode ? Nodes : Storages);
  EXPECT_GE(Storages, 3u);
  EXPECT_GE(Nodes, 3u);
  EXPECT_TRUE(traceOf("clean").Searches.empty());
}

TEST(Probe, ASearchThatWasEndedFromOutsideIsMadeAgainBeforeTheNextIsDue) {
  RecordedTrace T = traceOf("kill-search");
  ASSERT_GE(T.Searches.size(), 2u);
  EXPECT_NE(T.Searches[0].Failure.find("ended by signal 9"), std::string::npos);
  EXPECT_EQ(T.Searches[1].Failure, "");
  EXPECT_LT(T.Searches[1].Tick, 2 * T.Searches[0].Tick);
}

TEST(Probe, AHolderInAFrameIsFoundThroughNodes) {
  RecordedTrace T = traceOf("sum");
  unsigned Found = 0;
  for (const trace::HolderPath &P : T.Paths)
    Found += P.Root == trace::RootKind::Stack && P.Nodes > 0 && touchesModule(T, P.Pc, VICTIM);
  EXPECT_GE(Found, 3u);
}

TEST(Probe, WhatHidesMemoryIsWrittenDown) {
  RecordedTrace Usual = traceOf("clean");
  EXPECT_EQ(Usual.Settings[trace::CpuAllocatorSetting], "N3c1019DefaultCPUAllocatorE");
  EXPECT_EQ(Usual.Settings.count("PYTORCH_NO_CUDA_MEMORY_CACHING"), 0u);
  RecordedTrace Own = traceOf("own-allocator");
  EXPECT_NE(Own.Settings[trace::CpuAllocatorSetting].find("OwnAllocator"), std::string::npos);
  VictimRun Set = runUnderProbe(
      {"/usr/bin/env", "PYTORCH_NO_CUDA_MEMORY_CACHING=1", VICTIM, "clean", std::to_string(Steps)});
  ASSERT_EQ(Set.Traces.size(), 1u);
  EXPECT_EQ(Set.Traces[0].Settings["PYTORCH_NO_CUDA_MEMORY_CACHING"], "1");
}

TEST(Probe, ALibTorchPastTheHooksIsNotTakenForNone) {
  VictimRun Run = runUnderProbe({HOST, PLUGIN, "keep", std::to_string(Steps), "deepbind"});
  ASSERT_EQ(Run.Status, 0) << Run.Output;
  ASSERT_EQ(Run.Traces.size(), 1u);
  RecordedTrace &T = Run.Traces[0];
  EXPECT_EQ(T.Result.Now.Allocations, 0u);
  EXPECT_TRUE(T.Hooks["cpu-alloc"].Present);
  EXPECT_TRUE(std::any_of(T.Modules.begin(), T.Modules.end(), [](const trace::Module &M) {
    return M.Path.find("libtorch") != std::string::npos;
  }));
}

TEST(Probe, PythonProgramsAreSeen) {
  const char *Python = "/usr/bin/python3";
  if (runUnderProbe({Python, "-c", "import torch"}).Status != 0)
    GTEST_SKIP() << "no torch for " << Python;
  VictimRun Run = runUnderProbe({Python, "-c", R"(
import torch
net = torch.nn.Linear(16, 1)
optimizer = torch.optim.Adam(net.parameters())
kept = []
for step in range(48):
    optimizer.zero_grad()
    loss = net(torch.ones(8, 16)).pow(2).mean()
    loss.backward()
    optimizer.step()
    kept.append(loss)
print(len(kept))
)"});
  EXPECT_EQ(Run.Output, "48\n");
  ASSERT_EQ(Run.Traces.size(), 1u);
  RecordedTrace &T = Run.Traces[0];
  auto Boundaries = T.boundaries(BoundaryKind::PythonOptimizerStep);
  ASSERT_EQ(Boundaries.size(), 48u);
  EXPECT_EQ(Boundaries.back().ZeroGradsSince, 1u);
  ASSERT_GE(T.Censuses.size(), 3u);
  EXPECT_GT(T.Censuses[2].Nodes, T.Censuses[1].Nodes);
  EXPECT_TRUE(T.Censuses[2].SitesTrusted);
}

TEST(Probe, ProgramsWithoutLibTorchLeaveNothing) {
  VictimRun Run = runUnderProbe({"/bin/sh", "-c", "ls / > /dev/null; exit 3"});
  EXPECT_EQ(WEXITSTATUS(Run.Status), 3);
  EXPECT_TRUE(Run.Traces.empty());
}
