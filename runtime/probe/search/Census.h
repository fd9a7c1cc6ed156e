//===-- Census.h - Counts every live autograd node -------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes made minus nodes freed drifts in correct programs, so the nodes
// themselves are counted: every place in the heap that holds the vtable of a
// node class and, behind it, the node's own address (its
// enable_shared_from_this).
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_SEARCH_CENSUS_H
#define TENSORLEAK_RUNTIME_PROBE_SEARCH_CENSUS_H

#include "runtime/probe/core/MemoryMap.h"
#include "runtime/probe/search/heap/HeapScan.h"
#include "runtime/probe/tables/LiveTable.h"
#include "runtime/probe/tables/NodeClasses.h"
#include "runtime/probe/tables/NodeLog.h"

namespace tensorleak::probe {

class Census {
public:
  Census(Recorder &Trace, LiveTable &Live, NodeLog &Nodes);

  NodeClasses Classes;

  /// Takes a census if one is affordable: it may cost a twentieth of the run, or is
  /// due anyhow (\p Due).
  void takeIfAffordable(bool Due, uint32_t Tick, uint32_t Generation);

private:
  static constexpr uint64_t MaxScanBytes = uint64_t(4) << 30;
  struct Count;

  void take(uint32_t Tick, uint32_t Generation);
  void countBlock(const HeapBlock &Block, Count &Found);
  void countNode(const NodeHead &Node, Count &Found);
  void write(Count &Found, const ScanResult &Scan, trace::Census &Record);
  std::vector<AddressRange> largeStorages();
  /// True for the classes that are known, and for a custom function's, learned now.
  bool isNodeClass(uintptr_t Vtable);

  Recorder &Trace;
  LiveTable &Live;
  NodeLog &Nodes;
  std::mutex Mutex;
  std::vector<MappedFile> Files; ///< loaded at the last census
  const uint64_t Started;
  uint64_t Spent = 0; ///< microseconds
};

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_SEARCH_CENSUS_H
