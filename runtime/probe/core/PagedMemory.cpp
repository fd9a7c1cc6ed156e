//===-- PagedMemory.cpp - Memory that is not in the program's heap ---------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PagedMemory.h. The list of pages has no lock: a slot is taken and given up by
// one exchange of its first word.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/core/PagedMemory.h"

#include <atomic>
#include <sys/mman.h>

namespace tensorleak::probe {
namespace {

struct Slot {
  std::atomic<uintptr_t> Begin;
  std::atomic<uintptr_t> End;
};
Slot Slots[OwnPagesMax];
std::atomic<size_t> SlotsUsed{0};

/// Takes the first slot that is free. When all are taken the pages stay unlisted.
void list(uintptr_t Begin, size_t Bytes) {
  for (size_t I = 0; I < OwnPagesMax; ++I) {
    uintptr_t Free = 0;
    if (Slots[I].Begin.load() || !Slots[I].Begin.compare_exchange_strong(Free, Begin))
      continue;
    Slots[I].End = Begin + Bytes;
    for (size_t Used = SlotsUsed; Used <= I && !SlotsUsed.compare_exchange_weak(Used, I + 1);)
      ;
    return;
  }
}

void unlist(uintptr_t Begin) {
  for (size_t I = 0, Used = SlotsUsed; I < Used; ++I)
    if (Slots[I].Begin == Begin) {
      Slots[I].End = 0;
      Slots[I].Begin = 0;
      return;
    }
}

} // namespace

void *mapPages(size_t Bytes) {
  void *Pages = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Pages == MAP_FAILED)
    throw std::bad_alloc();
  list(reinterpret_cast<uintptr_t>(Pages), Bytes);
  return Pages;
}

void unmapPages(void *Pages, size_t Bytes) {
  unlist(reinterpret_cast<uintptr_t>(Pages));
  munmap(Pages, Bytes);
}

size_t ownPages(AddressRange *Out) {
  size_t Count = 0;
  for (size_t I = 0, Used = SlotsUsed; I < Used; ++I)
    if (uintptr_t Begin = Slots[I].Begin, End = Slots[I].End; Begin && End)
      Out[Count++] = {Begin, End};
  return Count;
}

} // namespace tensorleak::probe
