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

#include <algorithm>

namespace tensorleak {
namespace {

/// Of what the heap gains per step, the part that places of the program are listed with.
int64_t listedHeapGrowth(const RunFacts &Run) {
  int64_t Bytes = 0;
  for (const SiteGrowth &G : growthOfSites(Run, Run.Clock))
    if (G.Site->OnHeap && G.TheGrowth == Growth::Growing && !G.Site->Frames.empty())
      Bytes += G.BytesPerStep;
  return Bytes;
}

bool graphsAreKept(const RunFacts &Run) {
  for (const HeldSite &Held : Run.Held)
    for (const Holder &H : Held.Holders)
      if (H.Nodes)
        return true;
  return totalNodeGrowth(Run, Run.Clock).grows();
}

std::string heapGrowth(const RunFacts &Run) {
  constexpr int64_t Noise = 256; // as of one autograd node
  int64_t All = heapBytesPerStep(Run, Run.Clock), Rest = All - listedHeapGrowth(Run);
  if (Run.Clock.steps() < MinStepsToJudge || Rest < Noise || 20 * Rest < All)
    return "";
  return "beside tensors the host's heap grows by about " + formatBytes(Rest) +
         " per step, at places that are not known: " +
         (graphsAreKept(Run) ? "autograd nodes that are kept, blocks" : "blocks") +
         " of less than 1 KiB, or what libraries take (containers and strings, caches)";
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
        "own code takes from it was not watched; link it instead of preloading it");
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
