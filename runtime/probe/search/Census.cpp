//===-- Census.cpp - Counts every live autograd node -----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Census.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/search/Census.h"
#include "runtime/probe/core/Clock.h"
#include "runtime/probe/search/ObjectClass.h"

#include <algorithm>
#include <map>
#include <set>

namespace tensorleak::probe {
namespace {

/// A deleted node that lay behind its control block (make_shared) is overwritten
/// late; its use count is zero at once.
bool isDeadShared(const HeapBlock &Block, size_t I, const NodeHead &Node) {
  constexpr uintptr_t Behind = 2 * sizeof(uintptr_t);
  if (Node.ControlBlock != Node.Self - Behind || I < 2)
    return false;
  return uint32_t(Block.Words[I - 1]) == 0;
}

} // namespace

/// What one census has found so far.
struct Census::Count {
  uint64_t Nodes = 0, Unnumbered = 0, Forgotten = 0, Known = 0, Repeated = 0;
  std::map<uintptr_t, uint64_t> ByVtable;
  struct PerSite {
    uint64_t Nodes = 0;
    std::set<uint32_t> Ticks;
  };
  std::map<uint32_t, PerSite> BySite;
  std::set<const NodeBirth *> Seen;
};

Census::Census(Recorder &Trace, LiveTable &Live, NodeLog &Nodes)
    : Trace(Trace), Live(Live), Nodes(Nodes), Started(microseconds()) {}

/// Storages below this are cheaper to scan than to leave out.
constexpr uint64_t LargeStorage = 1 << 18;

std::vector<AddressRange> Census::largeStorages() {
  std::vector<AddressRange> Ranges;
  Live.forEach([&](const LiveObject &O) {
    if (O.Bytes >= LargeStorage)
      Ranges.push_back({O.Address, O.Address + O.Bytes});
  });
  std::sort(Ranges.begin(), Ranges.end(),
            [](const AddressRange &A, const AddressRange &B) { return A.Begin < B.Begin; });
  return Ranges;
}

void Census::countNode(const NodeHead &Node, Count &Found) {
  NodeBirth *Birth = Node.SequenceNumber == NodeLog::Unnumbered
                         ? nullptr
                         : Nodes.find(Node.ThreadId, Node.SequenceNumber);
  if (Birth && Birth->freed())
    return;
  ++Found.Nodes;
  ++Found.ByVtable[Node.Vtable];
  if (Node.SequenceNumber == NodeLog::Unnumbered) {
    ++Found.Unnumbered;
  } else if (!Birth) {
    ++Found.Forgotten;
  } else if (Found.Seen.insert(Birth).second) {
    ++Found.Known;
    Count::PerSite &Site = Found.BySite[Birth->site()];
    ++Site.Nodes;
    Site.Ticks.insert(Birth->tick());
  } else {
    ++Found.Repeated;
  }
}

bool Census::isNodeClass(uintptr_t Vtable) {
  if (Classes.contains(Vtable))
    return true;
  bool IsCustom = isCustomNode(classOfWord(Vtable, Files));
  if (IsCustom)
    Classes.learn(Vtable);
  return IsCustom;
}

void Census::countBlock(const HeapBlock &Block, Count &Found) {
  constexpr size_t HeadWords = sizeof(NodeHead) / sizeof(uintptr_t);
  static_assert(HeadWords <= HeapBlockOverlap);
  // malloc aligns to 16 bytes, and make_shared puts the object behind 16 bytes.
  for (size_t I = 0; I < Block.Own && I + HeadWords <= Block.Count; I += 2) {
    uintptr_t Address = Block.Begin + I * sizeof(uintptr_t);
    if (Block.Words[I + 1] != Address || !isNodeClass(Block.Words[I]))
      continue;
    auto &Node = *reinterpret_cast<const NodeHead *>(Block.Words + I);
    if (!isDeadShared(Block, I, Node))
      countNode(Node, Found);
  }
}

void Census::write(Count &Found, const ScanResult &Scan, trace::Census &Record) {
  uint64_t Good = Nodes.matches() + Found.Known, Bad = Nodes.mismatches() + Found.Repeated;
  Record.Nodes = Found.Nodes;
  Record.SitesTrusted = Good > 0 && Bad * 50 <= Good;
  Record.Unnumbered = Found.Unnumbered;
  Record.Forgotten = Found.Forgotten;
  Record.ScannedBytes = Scan.Bytes;
  for (auto &[Vtable, Nodes] : Found.ByVtable)
    Record.Classes.push_back({Classes.idOf(Vtable, Trace), Nodes});
  for (auto &[Site, Of] : Found.BySite)
    Record.Sites.push_back(
        {Site, Of.Nodes, Of.Ticks.size(), *Of.Ticks.begin(), *Of.Ticks.rbegin()});
  if (Scan.Partial)
    Trace.setFlag(trace::CensusPartial);
  Trace.write(Record);
}

void Census::take(uint32_t Tick, uint32_t Generation) {
  uint64_t Begin = microseconds();
  Classes.readSymbols();
  Files = mappedFiles();
  Count Found;
  ScanResult Scan = scanHeap(largeStorages(), MaxScanBytes,
                             [&](const HeapBlock &Block) { countBlock(Block, Found); });
  trace::Census Record;
  Record.Tick = Tick;
  Record.Generation = Generation;
  Record.Microseconds = microseconds() - Begin;
  write(Found, Scan, Record);
  Spent += microseconds() - Begin;
}

void Census::takeIfAffordable(bool Due, uint32_t Tick, uint32_t Generation) {
  std::lock_guard<std::mutex> Lock(Mutex);
  if (Due || Spent * 20 <= microseconds() - Started)
    take(Tick, Generation);
}

} // namespace tensorleak::probe
