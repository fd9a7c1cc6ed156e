//===-- LiveTable.h - Every live storage -----------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Address to object, in 64 shards so that threads rarely meet. Within a shard,
// objects are chained by the generation of their birth: what outlives two
// generations is found without looking at the rest.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_TABLES_LIVETABLE_H
#define TENSORLEAK_RUNTIME_PROBE_TABLES_LIVETABLE_H

#include "runtime/probe/core/PagedMemory.h"
#include "runtime/probe/core/locks/ShortLock.h"

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace tensorleak::probe {

struct LiveObject {
  uintptr_t Address = 0;
  uint64_t Number = 0; ///< the sequence value of its allocation
  uint64_t Bytes = 0;
  uint32_t SiteId = 0;
  uint32_t Tick = 0, Generation = 0; ///< of its birth
  bool Recorded = false;             ///< it has a Born record
  bool HoldsPointers = false;        ///< it may: it is no tensor's storage

  /// Stands where an address would for what is only known by a number of some kind.
  static uintptr_t numbered(uint8_t Kind, uint64_t Number) {
    return uintptr_t(Kind) << 56 | (Number & ((uint64_t(1) << 56) - 1));
  }
  /// Else no pointer can lead to it.
  bool hasAddress() const { return Address >> 56 == 0; }
};

class LiveTable {
public:
  /// Adds \p Object; returns the one whose free was missed, if its address was taken.
  std::optional<LiveObject> insert(const LiveObject &Object);
  std::optional<LiveObject> erase(uintptr_t Address);
  /// The object that starts there.
  std::optional<LiveObject> at(uintptr_t Address);

  /// Calls \p Record for what is alive and was born in \p Generation (or earlier and
  /// missed), then marks it recorded. The shard is locked meanwhile.
  template <typename F> void recordSurvivors(uint32_t Generation, F Record) {
    for (Shard &S : Shards)
      S.drain(Generation % Chains, Record);
  }
  /// The same for everything that is not recorded yet.
  template <typename F> void recordAll(F Record) {
    for (unsigned Chain = 0; Chain < Chains; ++Chain)
      recordSurvivors(Chain, Record);
  }
  template <typename F> void forEach(F Visit) {
    for (Shard &S : Shards)
      S.forEach(Visit);
  }
  static constexpr unsigned ShardCount = 64;

private:
  static constexpr unsigned Chains = 3; ///< this generation, the last, the one before
  static constexpr uint32_t None = ~0u;

  struct Node {
    LiveObject Object;
    uint32_t Next = None, Previous = None;
  };

  /// Open addressing with indexes into a pool, so that chains stay valid.
  class Shard {
  public:
    std::optional<LiveObject> insert(const LiveObject &Object, uint64_t Hash);
    std::optional<LiveObject> erase(uintptr_t Address, uint64_t Hash);
    std::optional<LiveObject> at(uintptr_t Address, uint64_t Hash);

    template <typename F> void drain(unsigned Chain, F Record) {
      std::lock_guard<ShortLock> Lock(Mine);
      for (uint32_t I = Heads[Chain]; I != None; I = Pool[I].Next) {
        Record(Pool[I].Object);
        Pool[I].Object.Recorded = true;
      }
      // Recorded objects stay linked among themselves; only the way in is cut.
      Heads[Chain] = None;
    }
    template <typename F> void forEach(F Visit) {
      std::lock_guard<ShortLock> Lock(Mine);
      for (uint32_t Index : Table)
        if (Index != None)
          Visit(Pool[Index].Object);
    }

  private:
    uint32_t *find(uintptr_t Address, uint64_t Hash);
    uint32_t newNode();
    /// With the lock held.
    std::optional<LiveObject> take(uintptr_t Address, uint64_t Hash);
    void grow();
    void place(uint32_t Index, uint64_t Hash);
    void removeSlot(size_t Slot);
    void unlink(uint32_t Index);

    ShortLock Mine;
    std::vector<uint32_t, PageAllocator<uint32_t>> Table;
    std::vector<Node, PageAllocator<Node>> Pool;
    uint32_t FirstFree = None; ///< chained by Node::Next
    uint32_t Used = 0;
    uint32_t Heads[Chains] = {None, None, None};
  };

  Shard &shardOf(uint64_t Hash) { return Shards[Hash >> 58]; }

  Shard Shards[ShardCount];
};

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_TABLES_LIVETABLE_H
