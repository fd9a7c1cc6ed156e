//===-- HostMemory.cpp - Where the host's memory goes beside tensors ------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers "the process grows, and its tensors do not". Nothing here is a verdict.
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/verdicts/Matcher.h"
#include "runtime/replay/verdicts/Verdicts.h"
#include "runtime/replay/verdicts/host/HeapPlaces.h"

#include <algorithm>

namespace tensorleak {
namespace {

/// By the program's steps, also where the site was judged by rounds of its own.
double objectsPerStep(const SiteGrowth &G, const StepClock &Clock) {
  bool Grows = G.TheGrowth == Growth::Growing && Clock.rounds();
  return Grows ? double(G.TotalObjects) / double(Clock.rounds()) : 0;
}

int64_t bytesPerStepOf(const SiteGrowth &G, const StepClock &Clock) {
  return Clock.rounds() ? G.BytesPerStep * int64_t(G.Rounds) / int64_t(Clock.rounds()) : 0;
}

/// Of what the heap gains per step, the part that is told of elsewhere: by places of the program
/// that take it, or as a part of the tensors and autograd nodes that pile up, as they should or
/// not. A tensor with its storage and its entry in a list takes 800 B (LibTorch 1.13), a node less.
int64_t explainedHeapGrowth(const RunFacts &Run) {
  constexpr int64_t Each = 1024;
  int64_t Listed = 0;
  double Objects = std::max(nodesPerStep(Run, Run.Clock), totalNodeGrowth(Run, Run.Clock).PerStep);
  for (const SiteGrowth &G : growthOfSites(Run, Run.Clock))
    if (!G.Site->OnHeap)
      Objects += objectsPerStep(G, Run.Clock) +
                 objectsPerStep(growthOf(G.Site->Expected, Run.Clock), Run.Clock);
    else if (G.TheGrowth == Growth::Growing && !G.Site->Frames.empty())
      Listed += bytesPerStepOf(G, Run.Clock);
  // Of each block malloc takes some bytes for itself, which matter where they are small.
  return Listed + int64_t(Objects * Each) + bytesByProgram(Run) * 5 / 4;
}

/// Who takes it, as far as samples of the heap show.
std::string takers(const RunFacts &Run) {
  constexpr size_t MostNamed = 3;
  std::string Out;
  std::vector<std::string> All = libraryGrowth(Run);
  for (size_t I = 0; I < std::min(All.size(), MostNamed); ++I)
    Out += (I ? "; " : ": ") + All[I];
  return Out;
}

std::string heapGrowth(const RunFacts &Run) {
  constexpr int64_t Noise = 256;
  int64_t All = heapBytesPerStep(Run, Run.Clock), Rest = All - explainedHeapGrowth(Run);
  if (Run.Clock.steps() < MinStepsToJudge || Rest < Noise || 20 * Rest < All)
    return "";
  std::string Grows =
      "beside tensors the host's heap grows by about " + formatBytes(Rest) + " per step";
  int64_t Unknown = Rest - bytesByLibraries(Run);
  if (2 * Unknown < Rest)
    return Grows + takers(Run);
  return Grows + ", most of it at places that are not known" + takers(Run);
}

/// What was freed and not given back to the system, at the last look.
std::string keptByMalloc(const RunFacts &Run) {
  constexpr int64_t WorthSaying = 32 << 20;
  if (Run.Heap.empty())
    return "";
  const HeapSample &Last = Run.Heap.back();
  if (Last.Retained < std::max(WorthSaying, Last.InUse))
    return "";
  return "malloc has " + formatBytes(Last.Retained) + " from the system beside the " +
         formatBytes(Last.InUse) + " that are in use: retained by the allocator, not live";
}

} // namespace

std::vector<std::string> hostMemoryRemarks(const RunFacts &Run) {
  std::vector<std::string> Out;
  auto Add = [&Out](std::string Remark) {
    if (!Remark.empty())
      Out.push_back(std::move(Remark));
  };
  if (!Run.UnwatchedHeap.empty())
    Add("'" + Run.UnwatchedHeap + "' serves malloc before the probe is asked: what the program's " +
        "own code takes from it was not watched");
  if (!Run.OtherAllocator.empty())
    Add("'" + Run.OtherAllocator + "' serves malloc, and who holds memory is looked for in " +
        "glibc's heap only: where no holder is named there may be one");
  if (Run.OtherAllocator.empty()) {
    Add(heapGrowth(Run));
    Add(keptByMalloc(Run));
  }
  return Out;
}

} // namespace tensorleak
