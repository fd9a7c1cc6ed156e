//===-- PointerIndex.h - Who points to what --------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every word in memory that points to the beginning of a block of malloc, or to
// an address that is looked for, sorted by what it points to. A block is known by
// the size that glibc's malloc writes in front of it; with another malloc there
// are no blocks, and nothing is found. For use in a copy of the process.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_SEARCH_POINTERINDEX_H
#define TENSORLEAK_RUNTIME_PROBE_SEARCH_POINTERINDEX_H

#include "runtime/probe/core/MemoryMap.h"
#include "runtime/probe/search/heap/MallocHeaps.h"

namespace tensorleak::probe {

/// The heaps of malloc among the mappings.
MallocHeaps heapsIn(const MemoryMap &Map);

struct Block {
  uintptr_t Begin = 0, End = 0;
  uint32_t First = 0; ///< of the references to its beginning
};

/// The word at At points to To.
struct Reference {
  uintptr_t To = 0, At = 0;
};

struct ReferenceRange {
  const Reference *First, *Last;
  const Reference *begin() const { return First; }
  const Reference *end() const { return Last; }
};

class PointerIndex {
public:
  /// \p Targets: sorted addresses that count although they begin no block.
  PointerIndex(const MemoryMap &Map, const PageVector<uintptr_t> &Targets);

  ReferenceRange referencesTo(uintptr_t Address) const;
  ReferenceRange referencesTo(const Block &B) const;
  const PageVector<Block> &blocks() const { return Blocks; }
  /// The block that \p Address lies in; blocks().size() if none.
  size_t blockAround(uintptr_t Address) const;
  /// The block that \p R stands in; the second time it is known.
  size_t blockAround(const Reference &R) const;
  /// The block that begins at \p Address; blocks().size() if none.
  size_t blockAt(uintptr_t Address) const;
  size_t references() const { return References.size(); }
  bool isPartial() const { return Partial; }
  const MemoryMap &memory() const { return Map; }

private:
  static constexpr size_t MaxReferences = size_t(3) << 20; ///< 48 MiB
  static constexpr uint64_t MaxScanBytes = uint64_t(2) << 30;

  void scan(const MemoryRange &Range);
  void scanPages(uintptr_t Begin, uintptr_t End);
  void consider(uintptr_t Value, uintptr_t At);
  /// The end of the block that begins at \p Begin, or 0 if none does.
  uintptr_t endOfBlock(uintptr_t Begin) const;
  /// Where the object begins of which \p Part is a base with a vtable of its own, as a virtual
  /// base is; 0 if there is none. LibTorch's modules are held by pointers to such.
  uintptr_t objectAround(uintptr_t Part) const;
  const MemoryRange *heapAt(uintptr_t Address) const;
  void collectBlocks();
  /// How many blocks begin at or before \p Address.
  size_t blocksUpTo(uintptr_t Address) const;

  const MemoryMap &Map;
  MallocHeaps Heaps;
  const PageVector<uintptr_t> &Targets;
  uintptr_t Lowest = ~uintptr_t(0), Highest = 0;
  mutable const MemoryRange *LastHeap = nullptr;
  uint64_t Scanned = 0;
  bool Partial = false;
  PageVector<Reference> References;
  PageVector<Block> Blocks;
  /// The beginning of every 64th block. They fit into a cache, as all of them do not.
  static constexpr size_t Stride = 64;
  PageVector<uintptr_t> EveryFew;
  static constexpr uint32_t NotKnown = ~uint32_t(0);
  mutable PageVector<uint32_t> Around; ///< per reference: the block that it stands in
};

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_SEARCH_POINTERINDEX_H
