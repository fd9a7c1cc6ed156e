//===-- CopySearch.cpp - The work of the copy ------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What runs in the copy of the process that Snapshot makes. Neither malloc nor a lock.
//
// What a pool of threads keeps is often a variable of main's, which waits meanwhile. The
// memo of a thread's stack says where the return addresses lay at its last allocation. Those
// that still lie there, from the outermost inwards, belong to calls that have not ended. Their
// thread_local variables lie as far from their thread pointers as this thread's do.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/core/Clock.h"
#include "runtime/probe/core/ThreadState.h"
#include "runtime/probe/search/GraphCycles.h"
#include "runtime/probe/search/Snapshot.h"

#include <algorithm>
#include <pthread.h>

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

/// Frame I of a memo begins behind the slot of its own return address, which is where the
/// frame within it ends, and ends behind that of the next.
class MemoWalk {
public:
  MemoWalk(const StackEntry &Entry, const MemoryMap &Map) : Entry(Entry), Map(Map) {}

  void addTo(PageVector<StackFrame> &Out) const {
    uint32_t Count = std::min(Entry.Count, uint32_t(StackEntry::MaxFrames));
    for (uint32_t I = Count; I-- > 1 && holds(I);)
      add(I - 1, Out);
  }

private:
  uintptr_t slot(uint32_t I) const { return Entry.FrameAddress + Entry.Slots[I]; }

  bool holds(uint32_t I) const { return Map.find(slot(I)) && wordAt(slot(I)) == Entry.Pcs[I]; }

  void add(uint32_t I, PageVector<StackFrame> &Out) const {
    StackFrame F;
    F.StackPointer = slot(I) + sizeof(uintptr_t);
    F.End = slot(I + 1) + sizeof(uintptr_t);
    if (slot(I) % sizeof(uintptr_t) || F.StackPointer >= F.End)
      return;
    // It may be in another call by now than it was at the allocation.
    F.Pc = wordAt(slot(I));
    const MappedFile *File = Map.fileAt(F.Pc), *Then = Map.fileAt(Entry.Pcs[I]);
    F.IsUser = true;
    if (File && File == Then && File->IsUser && followsCall(F.Pc, *File))
      Out.push_back(F);
  }

  /// Whether the instruction in front of it is a call: direct, or through a register or memory.
  static bool followsCall(uintptr_t Pc, const MappedFile &File) {
    constexpr uintptr_t Direct = 5, Longest = 7;
    if (!File.Module.isCode(Pc - Longest) || !File.Module.isCode(Pc))
      return false;
    auto *Before = reinterpret_cast<const uint8_t *>(Pc);
    if (Before[-int(Direct)] == 0xE8)
      return true;
    for (int Length = 2; Length <= int(Longest); ++Length)
      if (Before[-Length] == 0xFF && (Before[1 - Length] & 0x38) == 0x10)
        return true;
    return false;
  }

  const StackEntry &Entry;
  const MemoryMap &Map;
};

/// Of a file that was there when the program began: right below the thread pointer.
bool isInStaticBlock(AddressRange Variables, uintptr_t ThreadPointer) {
  constexpr uintptr_t MostRoom = uintptr_t(1) << 20;
  return Variables.End <= ThreadPointer && ThreadPointer - Variables.Begin <= MostRoom;
}

} // namespace

void addFramesOfOtherThreads(const MemoryMap &Map, PageVector<StackFrame> &Frames) {
  for (const ThreadTables *T = allTables(); T; T = T->NextOfAll)
    if (const StackEntry *Last = T->Memo.last(); Last && T != TheThread.Tables)
      MemoWalk(*Last, Map).addTo(Frames);
}

void addThreadLocals(const std::vector<MappedFile> &Files, PageVector<ThreadLocalRange> &Out) {
  const auto Own = uintptr_t(pthread_self()); // the thread pointer, in glibc's x86-64
  for (const MappedFile &File : Files) {
    AddressRange Mine = File.Module.threadLocals();
    if (Mine.Begin == Mine.End)
      continue;
    Out.push_back({Mine, &File});
    if (!isInStaticBlock(Mine, Own))
      continue;
    for (const ThreadTables *T = allTables(); T; T = T->NextOfAll)
      if (uintptr_t Other = T->ThreadPointer; Other && Other != Own)
        Out.push_back({{Other - (Own - Mine.Begin), Other - (Own - Mine.End)}, &File});
  }
}

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
  for (uintptr_t Handle : Wanted.Handles)
    Holders.leaveOutHandle(Handle);
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
