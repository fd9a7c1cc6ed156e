//===-- NodeLog.h - Which site made which autograd node --------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LibTorch numbers the nodes of each thread. The log keeps, for a (thread,
// number) pair, the site and the tick of the node's birth, in chunks of which
// the oldest are forgotten. A Node carries its number and thread at fixed
// offsets; that they hold in this LibTorch is verified with every node that is
// deleted.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_TABLES_NODELOG_H
#define TENSORLEAK_RUNTIME_PROBE_TABLES_NODELOG_H

#include "runtime/probe/tables/Sites.h"

#include <deque>

namespace tensorleak::probe {

/// torch::autograd::Node as far as it is relied upon: {vptr, weak_ptr to itself,
/// sequence_nr_, topological_nr_, has_parent_, thread_id_}.
struct NodeHead {
  uintptr_t Vtable;
  uintptr_t Self;
  uintptr_t ControlBlock;
  uint64_t SequenceNumber;
  uint64_t TopologicalNumber;
  uint64_t HasParent;
  uint64_t ThreadId;
};

struct NodeBirth {
  static constexpr uint32_t Freed = 1u << 31;
  uint32_t SiteAndOne;  ///< site + 1; 0 if the node is not known
  uint32_t TickAndFlag; ///< birth tick, and Freed once it passed deleteNode
  uint32_t site() const { return SiteAndOne - 1; }
  uint32_t tick() const { return TickAndFlag & ~Freed; }
  bool freed() const { return TickAndFlag & Freed; }
};

/// The births of consecutive numbers of one thread.
struct NodeChunk {
  static constexpr unsigned Bits = 12;
  std::atomic<uint64_t> Key;
  NodeBirth Births[1 << Bits];
};

class NodeLog {
public:
  /// AccumulateGrad has no number of its own.
  static constexpr uint64_t Unnumbered = ~uint64_t(0);

  void made(ThreadState &Thread, uint64_t TorchThread, uint64_t Number, uint32_t SiteId,
            uint32_t Tick);
  /// Verifies the layout; returns the birth if it is known.
  const NodeBirth *freed(ThreadState &Thread, const NodeHead &Node);
  /// Where the node was made that is about to run backward: site + 1, 0 if unknown.
  uint32_t siteOfRunning(ThreadState &Thread, const NodeHead &Node);
  /// Null if the birth is not known. May take a lock.
  NodeBirth *find(uint64_t TorchThread, uint64_t Number);
  /// The same in a copy of the process that was made between lock and unlock.
  const NodeBirth *findUnlocked(uint64_t TorchThread, uint64_t Number) const;
  void lock() { Mutex.lock(); }
  void unlock() { Mutex.unlock(); }

  uint64_t matches() const { return look(Matches); }
  uint64_t mismatches() const { return look(Mismatches); }

private:
  static constexpr size_t MaxChunks = 1024; ///< 4 Mi nodes, 32 MiB
  static uint64_t keyOf(uint64_t TorchThread, uint64_t Number);
  NodeChunk *chunkOf(uint64_t Key, bool Create);

  std::mutex Mutex;
  std::unordered_map<uint64_t, NodeChunk *> Chunks;
  std::deque<uint64_t> Oldest;
  bool Forgot = false;
  uint64_t Matches = 0, Mismatches = 0;
};

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_TABLES_NODELOG_H
