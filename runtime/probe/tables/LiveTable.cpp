//===-- LiveTable.cpp - Every live storage ---------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See LiveTable.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/tables/LiveTable.h"

namespace tensorleak::probe {
namespace {

/// The shard is chosen by the top bits, the place in its table by the others.
uint64_t hashOf(uintptr_t Address) { return (Address >> 4) * 0x9E3779B97F4A7C15ull; }

size_t homeOf(uint64_t Hash, size_t Capacity) { return (Hash >> 20) & (Capacity - 1); }

constexpr size_t FirstCapacity = 1024;

} // namespace

uint32_t *LiveTable::Shard::find(uintptr_t Address, uint64_t Hash) {
  if (Table.empty())
    return nullptr;
  size_t Mask = Table.size() - 1;
  for (size_t Slot = homeOf(Hash, Table.size()); Table[Slot] != None; Slot = (Slot + 1) & Mask)
    if (Pool[Table[Slot]].Object.Address == Address)
      return &Table[Slot];
  return nullptr;
}

void LiveTable::Shard::place(uint32_t Index, uint64_t Hash) {
  size_t Slot = homeOf(Hash, Table.size());
  while (Table[Slot] != None)
    Slot = (Slot + 1) & (Table.size() - 1);
  Table[Slot] = Index;
}

void LiveTable::Shard::grow() {
  decltype(Table) Old(Table.empty() ? FirstCapacity : Table.size() * 2, None);
  Old.swap(Table);
  Pool.reserve(Table.size() / 2);
  for (uint32_t Index : Old)
    if (Index != None)
      place(Index, hashOf(Pool[Index].Object.Address));
}

uint32_t LiveTable::Shard::newNode() {
  if (FirstFree == None) {
    Pool.emplace_back();
    return uint32_t(Pool.size() - 1);
  }
  uint32_t Index = FirstFree;
  FirstFree = Pool[Index].Next;
  return Index;
}

/// Closes the gap so that no search is cut short.
void LiveTable::Shard::removeSlot(size_t Slot) {
  size_t Mask = Table.size() - 1;
  for (size_t Next = (Slot + 1) & Mask; Table[Next] != None; Next = (Next + 1) & Mask) {
    size_t Home = homeOf(hashOf(Pool[Table[Next]].Object.Address), Table.size());
    if (((Next - Home) & Mask) < ((Next - Slot) & Mask))
      continue;
    Table[Slot] = Table[Next];
    Slot = Next;
  }
  Table[Slot] = None;
}

void LiveTable::Shard::unlink(uint32_t Index) {
  Node &N = Pool[Index];
  if (N.Previous != None)
    Pool[N.Previous].Next = N.Next;
  else if (uint32_t &Head = Heads[N.Object.Generation % Chains]; Head == Index)
    Head = N.Next;
  if (N.Next != None)
    Pool[N.Next].Previous = N.Previous;
}

std::optional<LiveObject> LiveTable::Shard::insert(const LiveObject &Object, uint64_t Hash) {
  std::lock_guard<ShortLock> Lock(Mine);
  std::optional<LiveObject> Missed = take(Object.Address, Hash);
  if ((Used + 1) * 2 > Table.size())
    grow();
  uint32_t Index = newNode();
  uint32_t &Head = Heads[Object.Generation % Chains];
  Pool[Index] = {Object, Head, None};
  if (Head != None)
    Pool[Head].Previous = Index;
  Head = Index;
  place(Index, Hash);
  ++Used;
  return Missed;
}

std::optional<LiveObject> LiveTable::Shard::erase(uintptr_t Address, uint64_t Hash) {
  std::lock_guard<ShortLock> Lock(Mine);
  return take(Address, Hash);
}

std::optional<LiveObject> LiveTable::Shard::take(uintptr_t Address, uint64_t Hash) {
  uint32_t *Slot = find(Address, Hash);
  if (!Slot)
    return std::nullopt;
  uint32_t Index = *Slot;
  unlink(Index);
  removeSlot(size_t(Slot - Table.data()));
  std::optional<LiveObject> Gone = Pool[Index].Object;
  Pool[Index].Next = FirstFree;
  FirstFree = Index;
  --Used;
  return Gone;
}

std::optional<LiveObject> LiveTable::Shard::at(uintptr_t Address, uint64_t Hash) {
  std::lock_guard<ShortLock> Lock(Mine);
  uint32_t *Slot = find(Address, Hash);
  return Slot ? std::optional(Pool[*Slot].Object) : std::nullopt;
}

std::optional<LiveObject> LiveTable::insert(const LiveObject &Object) {
  uint64_t Hash = hashOf(Object.Address);
  return shardOf(Hash).insert(Object, Hash);
}

std::optional<LiveObject> LiveTable::erase(uintptr_t Address) {
  uint64_t Hash = hashOf(Address);
  return shardOf(Hash).erase(Address, Hash);
}

std::optional<LiveObject> LiveTable::at(uintptr_t Address) {
  uint64_t Hash = hashOf(Address);
  return shardOf(Hash).at(Address, Hash);
}

} // namespace tensorleak::probe
