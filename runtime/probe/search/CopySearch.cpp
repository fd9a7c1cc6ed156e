//===-- CopySearch.cpp - The work of the copy ------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What runs in the copy of the process that Snapshot makes. Neither malloc nor a lock.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/core/Clock.h"
#include "runtime/probe/search/GraphCycles.h"
#include "runtime/probe/search/Snapshot.h"

#include <algorithm>

namespace tensorleak::probe {
namespace {

constexpr size_t MaxNodeTargets = 48, NodesPerSite = 3;
constexpr unsigned MinTicks = 4;

/// A live node with a known birth.
struct BornNode {
  uint32_t SiteId, Tick;
  uintptr_t Address;
};

PageVector<BornNode> bornNodes(const GraphCycles &Graph, const PointerIndex &Pointers) {
  PageVector<BornNode> Out;
  Out.reserve(Graph.nodes().size());
  for (uint32_t Node : Graph.nodes())
    if (const NodeBirth *Birth = Graph.birthOf(Node))
      Out.push_back({Birth->site(), Birth->tick(), Pointers.blocks()[Node].Begin});
  std::sort(Out.begin(), Out.end(), [](const BornNode &A, const BornNode &B) {
    return A.SiteId != B.SiteId ? A.SiteId < B.SiteId : A.Tick < B.Tick;
  });
  return Out;
}

unsigned ticksAmong(const BornNode *First, const BornNode *Last) {
  unsigned Ticks = 0;
  for (const BornNode *N = First; N != Last; ++N)
    Ticks += N == First || N[-1].Tick != N->Tick;
  return Ticks;
}

/// A few nodes of every site whose nodes stay alive over several ticks.
void searchNodes(const PageVector<BornNode> &Nodes, HolderSearch &Holders, SearchReport &Report) {
  size_t Taken = 0;
  for (const BornNode *At = Nodes.data(), *End = At + Nodes.size(); At != End;) {
    const BornNode *Next =
        std::find_if(At, End, [&](const BornNode &N) { return N.SiteId != At->SiteId; });
    if (ticksAmong(At, Next) >= MinTicks)
      for (size_t I = 1; I <= NodesPerSite && Taken < MaxNodeTargets; ++I, ++Taken) {
        const BornNode &N = At[size_t(Next - At - 1) * I / (NodesPerSite + 1)];
        Holders.search({N.Address, 0, N.SiteId, N.Tick, true});
      }
    At = Next;
  }
  Report.Targets += uint32_t(Taken);
}

PageVector<uintptr_t> addressesOf(const PageVector<trace::SearchTarget> &Targets) {
  PageVector<uintptr_t> Out;
  Out.reserve(Targets.size() + 1);
  for (const trace::SearchTarget &T : Targets)
    Out.push_back(T.Address);
  std::sort(Out.begin(), Out.end());
  return Out;
}

} // namespace

void searchInCopy(const Snapshot::Request &Wanted, const NodeClasses &Classes, NodeLog &Nodes,
                  SearchReport &Report) {
  uint64_t Begin = microseconds();
  MemoryMap Map(Wanted.Files, Wanted.Skip);
  PageVector<uintptr_t> Targets = addressesOf(Wanted.Targets);
  PointerIndex Pointers(Map, Targets);
  PageVector<StackFrame> Frames(Wanted.Frames.begin(), Wanted.Frames.end());
  addFramesOfOtherThreads(Map, Frames);
  PageVector<ThreadLocalRange> ThreadLocals;
  addThreadLocals(Wanted.Files, ThreadLocals);
  HolderSearch Holders(Pointers, Classes, Frames, ThreadLocals, Report);
  for (const trace::SearchTarget &T : Wanted.Targets)
    Holders.search(T);
  Report.Targets = uint32_t(Wanted.Targets.size());
  GraphCycles Graph(Pointers, Classes, Nodes, Report);
  searchNodes(bornNodes(Graph, Pointers), Holders, Report);
  // Python objects and tensors refer to each other without owning.
  if (!Wanted.HasPython)
    Graph.search();
  Report.Partial |= Pointers.isPartial();
  Report.NoMalloc = Pointers.blocks().empty();
  Report.References = Pointers.references();
  Report.Microseconds = microseconds() - Begin;
  Report.Done.store(1, std::memory_order_release);
}

} // namespace tensorleak::probe
