//===-- MallocHeaps.cpp - Where glibc's blocks begin -----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MallocHeaps.h. The layout is that of glibc 2.3 to 2.41 on 64-bit machines
// (malloc/malloc.c, "chunk representation"; malloc/arena.c, struct _heap_info).
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/search/heap/MallocHeaps.h"

#include <algorithm>

namespace tensorleak::probe {
namespace {

constexpr uintptr_t Unit = 16, HeaderBytes = 16, MinChunk = 32, FlagBits = 7;
constexpr uintptr_t ArenaAlignment = uintptr_t(64) << 20, PageBytes = 4096;

uintptr_t sizeAt(uintptr_t Chunk) { return wordAt(Chunk + sizeof(uintptr_t)) & ~FlagBits; }

uintptr_t roundedUp(uintptr_t Value, uintptr_t To) { return (Value + To - 1) & ~(To - 1); }

/// The chunk behind this one; 0 if none can be.
uintptr_t chunkAfter(uintptr_t Chunk, uintptr_t End) {
  uintptr_t Size = sizeAt(Chunk);
  return Size < MinChunk || Size % Unit || Size > End - Chunk ? 0 : Chunk + Size;
}

/// A heap that another one followed ends with two chunks that are none: of 16 bytes, and
/// of 0 (malloc/malloc.c, sysmalloc, "fencepost").
bool isFencepost(uintptr_t Chunk, uintptr_t End) {
  return End - Chunk >= 2 * HeaderBytes && End - Chunk < 2 * MinChunk &&
         sizeAt(Chunk) == HeaderBytes && sizeAt(Chunk + HeaderBytes) == 0;
}

/// Where the chunks from here on end: at the heap's end, as the topmost chunk does, or
/// where there is no chunk.
uintptr_t lastOf(uintptr_t Chunk, uintptr_t End) {
  while (uintptr_t Next = Chunk < End ? chunkAfter(Chunk, End) : 0)
    Chunk = Next;
  return Chunk < End && isFencepost(Chunk, End) ? End : Chunk;
}

/// struct _heap_info: {arena, previous heap, size, size that may be written, ...}.
uintptr_t sizeOfArenaAt(uintptr_t Begin, uintptr_t End) {
  if (End - Begin < PageBytes)
    return 0;
  uintptr_t Arena = wordAt(Begin), Previous = wordAt(Begin + 8);
  uintptr_t Size = wordAt(Begin + 16), Writable = wordAt(Begin + 24);
  bool IsFirst = !Previous && Arena > Begin && Arena < Begin + PageBytes;
  bool IsNext = Previous && Previous % ArenaAlignment == 0 && Arena;
  bool Fits = Size && Size <= Writable && Writable <= ArenaAlignment && Size <= End - Begin;
  return (IsFirst || IsNext) && Fits && Size % PageBytes == 0 ? Size : 0;
}

} // namespace

void MallocHeaps::mark(Heap &Out, uintptr_t FirstChunk) {
  Out.Starts.resize((Out.End - Out.Begin) / Unit / 64 + 1);
  for (uintptr_t Chunk = FirstChunk; Chunk && Chunk < Out.End; Chunk = chunkAfter(Chunk, Out.End)) {
    uintptr_t Bit = (Chunk - Out.Begin) / Unit;
    Out.Starts[Bit / 64] |= uint64_t(1) << Bit % 64;
  }
}

/// The first chunk lies behind malloc's own data, whose size differs between versions.
void MallocHeaps::add(AddressRange Memory, uintptr_t FirstChunk, uintptr_t LastFirstChunk) {
  constexpr uintptr_t Far = 64 * PageBytes; // nothing but chunks leads so far
  for (uintptr_t Chunk = FirstChunk; Chunk <= LastFirstChunk; Chunk += Unit) {
    uintptr_t Last = lastOf(Chunk, Memory.End);
    if (Last == Memory.End) {
      Heaps.push_back({Memory.Begin, Memory.End, {}});
      return mark(Heaps.back(), Chunk);
    }
    if (Last - Chunk > Far)
      return;
  }
}

void MallocHeaps::addBreak(AddressRange Break) {
  uintptr_t First = roundedUp(Break.Begin, Unit);
  if (Break.End - First >= PageBytes)
    add({First, Break.End}, First, First);
}

void MallocHeaps::addArenas(AddressRange Mapping) {
  for (uintptr_t Begin = roundedUp(Mapping.Begin, ArenaAlignment); Begin < Mapping.End;
       Begin += ArenaAlignment)
    if (uintptr_t Size = sizeOfArenaAt(Begin, Mapping.End))
      add({Begin, Begin + Size}, Begin + 2 * Unit, Begin + PageBytes - MinChunk);
}

MallocHeaps::Answer MallocHeaps::blockAt(uintptr_t Block) const {
  auto After = std::partition_point(Heaps.begin(), Heaps.end(),
                                    [&](const Heap &H) { return H.Begin < Block; });
  if (After == Heaps.begin() || std::prev(After)->End <= Block)
    return Answer::Unknown;
  const Heap &In = *std::prev(After);
  uintptr_t Bit = (Block - HeaderBytes - In.Begin) / Unit;
  bool Begins =
      Block % Unit == 0 && Block - In.Begin >= HeaderBytes && (In.Starts[Bit / 64] >> Bit % 64 & 1);
  return Begins ? Answer::Begins : Answer::BeginsNot;
}

} // namespace tensorleak::probe
