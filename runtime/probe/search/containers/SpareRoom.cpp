//===-- SpareRoom.cpp - Room of a container that holds no element now ------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SpareRoom.h. A container is known by its words alone, each of which has to fit the others: as
// libstdc++ lays out its vector (begin, end of the elements, end of the room) and its deque.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/search/containers/SpareRoom.h"

#include <optional>

namespace tensorleak::probe {
namespace {

/// More words that lead to one block are not looked at.
constexpr unsigned MostReferences = 16;

/// The words of a deque's iterator: its element, the chunk around it, and the chunk's entry in the
/// table of all chunks.
struct Position {
  uintptr_t Element, Chunk, ChunkEnd, Entry;
  uintptr_t size() const { return ChunkEnd - Chunk; }
};

struct Deque {
  uintptr_t Table, TableSize;
  Position First, End;
};

template <typename T> std::optional<T> read(const MemoryMap &Memory, uintptr_t At) {
  const MemoryRange *Range = Memory.find(At);
  if (!Range || At % sizeof(uintptr_t) || Range->End - At < sizeof(T))
    return std::nullopt;
  return *reinterpret_cast<const T *>(At);
}

/// A word that leads to the beginning of the block, and what stands behind it.
template <typename T, typename F>
bool anyWordAt(const PointerIndex &Pointers, const Block &B, F IsIt) {
  unsigned Seen = 0;
  for (const Reference &R : Pointers.referencesTo(B)) {
    if (++Seen > MostReferences)
      return false;
    if (std::optional<T> Words = read<T>(Pointers.memory(), R.At); Words && IsIt(*Words, R))
      return true;
  }
  return false;
}

bool isPosition(const Position &P, const MemoryMap &Memory) {
  std::optional<uintptr_t> Chunk = read<uintptr_t>(Memory, P.Entry);
  return Chunk == P.Chunk && P.Chunk <= P.Element && P.Element < P.ChunkEnd;
}

bool isDeque(const Deque &D, const Block &Table, const MemoryMap &Memory) {
  return D.TableSize <= (Table.End - Table.Begin) / sizeof(uintptr_t) &&
         D.First.size() == D.End.size() && Table.Begin <= D.First.Entry &&
         D.First.Entry <= D.End.Entry && D.End.Entry < Table.End && isPosition(D.First, Memory) &&
         isPosition(D.End, Memory);
}

/// The chunk to which \p Entry of the deque's table leads has an element at \p At.
bool hasElement(const Deque &D, uintptr_t Entry, uintptr_t At) {
  return D.First.Entry <= Entry && Entry <= D.End.Entry &&
         (Entry != D.First.Entry || At >= D.First.Element) &&
         (Entry != D.End.Entry || At < D.End.Element);
}

/// Whether the block is a chunk of a deque, and has no element there; nothing if it is none.
std::optional<bool> isSpareInChunk(const PointerIndex &Pointers, const Block &B, uintptr_t At) {
  std::optional<bool> Out;
  auto LeadsToDeque = [&](uintptr_t, const Reference &Entry) {
    const size_t Table = Pointers.blockAround(Entry);
    if (Table == Pointers.blocks().size())
      return false;
    const Block &All = Pointers.blocks()[Table];
    return anyWordAt<Deque>(Pointers, All, [&](const Deque &D, const Reference &) {
      if (isDeque(D, All, Pointers.memory()))
        Out = !hasElement(D, Entry.At, At);
      return Out.has_value();
    });
  };
  anyWordAt<uintptr_t>(Pointers, B, LeadsToDeque);
  return Out;
}

bool isSpareInArray(const PointerIndex &Pointers, const Block &B, uintptr_t At) {
  struct Vector {
    uintptr_t First, End, EndOfRoom;
  };
  return anyWordAt<Vector>(Pointers, B, [&](const Vector &V, const Reference &) {
    return V.First <= V.End && V.End <= At && At < V.EndOfRoom && V.EndOfRoom <= B.End &&
           V.End % sizeof(uintptr_t) == 0 && V.EndOfRoom % sizeof(uintptr_t) == 0;
  });
}

} // namespace

bool isSpareRoom(const PointerIndex &Pointers, const Block &B, uintptr_t At) {
  // An iterator of a deque begins with three words like those of a vector.
  if (std::optional<bool> InChunk = isSpareInChunk(Pointers, B, At))
    return *InChunk;
  return isSpareInArray(Pointers, B, At);
}

} // namespace tensorleak::probe
