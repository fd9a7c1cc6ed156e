//===-- PointerIndex.cpp - Who points to what -----------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PointerIndex.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/search/PointerIndex.h"
#include "runtime/probe/search/ObjectClass.h"

#include <algorithm>
#include <sys/mman.h>

namespace tensorleak::probe {
namespace {

constexpr size_t PageBytes = 4096, PagesAtOnce = 256;
constexpr uintptr_t HeaderBytes = 16, MinChunk = 32;
/// Low bits of malloc's size word.
constexpr uintptr_t PreviousInUse = 1, IsMapped = 2, FlagBits = 7;

} // namespace

MallocHeaps heapsIn(const MemoryMap &Map) {
  MallocHeaps Out;
  for (const MemoryRange &R : Map.mappings())
    if (R.Kind == MemoryKind::Malloc)
      Out.addBreak({R.Begin, R.End});
    else
      Out.addArenas({R.Begin, R.End});
  return Out;
}

PointerIndex::PointerIndex(const MemoryMap &Map, const PageVector<uintptr_t> &Targets)
    : Map(Map), Heaps(heapsIn(Map)), Targets(Targets) {
  for (const MemoryRange &R : Map.ranges())
    if (R.Kind != MemoryKind::Data) {
      Lowest = std::min(Lowest, R.Begin);
      Highest = std::max(Highest, R.End);
    }
  References.reserve(MaxReferences);
  for (const MemoryRange &R : Map.ranges())
    scan(R);
  std::sort(References.begin(), References.end(), [](const Reference &A, const Reference &B) {
    return A.To != B.To ? A.To < B.To : A.At < B.At;
  });
  collectBlocks();
}

/// Pages that were never touched hold no pointer, and reading would make them.
void PointerIndex::scan(const MemoryRange &Range) {
  unsigned char Resident[PagesAtOnce + 1];
  for (uintptr_t At = Range.Begin; At < Range.End;) {
    uintptr_t First = At & ~(PageBytes - 1);
    uintptr_t End = std::min(Range.End, First + PagesAtOnce * PageBytes);
    bool Known = mincore(reinterpret_cast<void *>(First), End - First, Resident) == 0;
    for (uintptr_t Page = First; Page < End; Page += PageBytes)
      if (!Known || (Resident[(Page - First) / PageBytes] & 1))
        scanPages(std::max(At, Page), std::min(End, Page + PageBytes));
    At = End;
  }
}

void PointerIndex::scanPages(uintptr_t Begin, uintptr_t End) {
  if (Scanned >= MaxScanBytes || References.size() >= MaxReferences - PageBytes) {
    Partial = true;
    return;
  }
  Scanned += End - Begin;
  for (uintptr_t At = Begin; At < End; At += sizeof(uintptr_t))
    consider(wordAt(At), At);
}

void PointerIndex::consider(uintptr_t Value, uintptr_t At) {
  if (std::binary_search(Targets.begin(), Targets.end(), Value))
    return References.push_back({Value, At});
  // In front of an array of objects stands their number.
  uintptr_t Begin = Value % HeaderBytes == sizeof(uintptr_t) ? Value - sizeof(uintptr_t) : Value;
  if (Begin < Lowest || Begin >= Highest)
    return;
  if (endOfBlock(Begin))
    References.push_back({Begin, At});
  else if (uintptr_t Object = objectAround(Value); Object && endOfBlock(Object))
    References.push_back({Object, At});
}

/// In front of a vtable stands how far its part lies behind the beginning of the object.
uintptr_t PointerIndex::objectAround(uintptr_t Part) const {
  constexpr intptr_t Farthest = 1 << 16;
  if (Part % sizeof(uintptr_t) || !heapAt(Part))
    return 0;
  uintptr_t Vtable = wordAt(Part);
  const MappedFile *File = classOfWord(Vtable, Map.files()) ? Map.fileAt(Vtable) : nullptr;
  if (!File || !File->Module.isMapped(Vtable - HeaderBytes))
    return 0;
  intptr_t ToTop = intptr_t(wordAt(Vtable - HeaderBytes));
  return ToTop < 0 && ToTop >= -Farthest ? uintptr_t(intptr_t(Part) + ToTop) : 0;
}

const MemoryRange *PointerIndex::heapAt(uintptr_t Address) const {
  if (!LastHeap || Address < LastHeap->Begin || Address >= LastHeap->End)
    LastHeap = Map.find(Address);
  return LastHeap && LastHeap->Kind != MemoryKind::Data ? LastHeap : nullptr;
}

/// A block with a mapping of its own begins so far behind that as its first word says, and ends
/// with it: glibc makes sure of the same before it frees one. What another allocator has put there,
/// as Python's, only looks like it.
static bool isWholeMapping(uintptr_t Chunk, uintptr_t Size) {
  const uintptr_t Before = wordAt(Chunk);
  return Size >= PageBytes && Before < PageBytes * PagesAtOnce &&
         (Chunk - Before) % PageBytes == 0 && (Before + Size) % PageBytes == 0;
}

uintptr_t PointerIndex::endOfBlock(uintptr_t Begin) const {
  if (Begin % HeaderBytes || Begin < Lowest + HeaderBytes)
    return 0;
  const MemoryRange *Range = heapAt(Begin);
  if (!Range || Begin - HeaderBytes < Range->Begin)
    return 0;
  uintptr_t Word = wordAt(Begin - sizeof(uintptr_t)), Size = Word & ~FlagBits;
  if (Size < MinChunk || Size % HeaderBytes || Size > Range->End - Begin + HeaderBytes)
    return 0;
  uintptr_t End = Begin - HeaderBytes + Size;
  if (Heaps.blockAt(Begin) == MallocHeaps::Answer::BeginsNot)
    return 0;
  if (Word & IsMapped)
    return isWholeMapping(Begin - HeaderBytes, Size) ? End : 0;
  // The chunk behind it records whether this one is in use, and must itself look like one. It may
  // be a large storage, whose content is left out.
  if (End + HeaderBytes > Range->End)
    return 0;
  uintptr_t Next = wordAt(End + sizeof(uintptr_t)), NextSize = Next & ~FlagBits;
  if (!(Next & PreviousInUse) || NextSize < HeaderBytes || NextSize % HeaderBytes ||
      NextSize > Range->MappingEnd - End)
    return 0;
  return End + sizeof(uintptr_t); // the first word of the next chunk's header is ours
}

/// Blocks do not overlap: what begins inside of one only looks like a block.
void PointerIndex::collectBlocks() {
  uintptr_t LastEnd = 0;
  for (const Reference &R : References) {
    bool MayBegin = R.To >= Lowest && R.To < Highest && R.To >= LastEnd;
    if (uintptr_t End = MayBegin ? endOfBlock(R.To) : 0) {
      Blocks.push_back({R.To, End, uint32_t(&R - References.data())});
      LastEnd = End;
    }
  }
  for (size_t I = 0; I < Blocks.size(); I += Stride)
    EveryFew.push_back(Blocks[I].Begin);
  Around.resize(References.size(), NotKnown);
}

ReferenceRange PointerIndex::referencesTo(uintptr_t Address) const {
  auto First = std::partition_point(References.begin(), References.end(),
                                    [&](const Reference &R) { return R.To < Address; });
  auto Last = std::partition_point(First, References.end(),
                                   [&](const Reference &R) { return R.To == Address; });
  return {References.data() + (First - References.begin()),
          References.data() + (Last - References.begin())};
}

ReferenceRange PointerIndex::referencesTo(const Block &B) const {
  const Reference *First = References.data() + B.First, *Last = First;
  const Reference *End = References.data() + References.size();
  while (Last != End && Last->To == B.Begin)
    ++Last;
  return {First, Last};
}

size_t PointerIndex::blockAround(const Reference &R) const {
  uint32_t &Known = Around[size_t(&R - References.data())];
  if (Known == NotKnown)
    Known = uint32_t(blockAround(R.At));
  return Known;
}

size_t PointerIndex::blocksUpTo(uintptr_t Address) const {
  auto Few = std::upper_bound(EveryFew.begin(), EveryFew.end(), Address);
  if (Few == EveryFew.begin())
    return 0;
  size_t First = size_t(Few - EveryFew.begin() - 1) * Stride;
  auto Begin = Blocks.begin() + First, End = Begin + std::min(Stride, Blocks.size() - First);
  return size_t(
      std::partition_point(Begin, End, [&](const Block &B) { return B.Begin <= Address; }) -
      Blocks.begin());
}

size_t PointerIndex::blockAround(uintptr_t Address) const {
  const size_t Count = blocksUpTo(Address);
  return Count && Blocks[Count - 1].End > Address ? Count - 1 : Blocks.size();
}

size_t PointerIndex::blockAt(uintptr_t Address) const {
  const size_t Count = blocksUpTo(Address);
  return Count && Blocks[Count - 1].Begin == Address ? Count - 1 : Blocks.size();
}

} // namespace tensorleak::probe
