//===-- Slots.cpp - Where loaded files keep the addresses of functions ----===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Slots.h. Other threads call through the slots meanwhile: each is written at once.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/core/Slots.h"
#include "runtime/probe/core/Modules.h"

#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

namespace tensorleak::probe {
namespace {

struct LedSlot {
  uintptr_t *Slot;
  uintptr_t Before, To;
  bool ReadOnly;
};

std::mutex LedMutex;
/// Which grows where the loader's lock is held. Never destroyed: calls are led back by a thread of
/// our own, perhaps while the program ends.
PageVector<LedSlot> &led() {
  using Slots = PageVector<LedSlot>;
  static Slots &Led = *new (mapPages(sizeof(Slots))) Slots;
  return Led;
}

bool write(uintptr_t *Slot, uintptr_t Value, bool ReadOnly) {
  const uintptr_t PageMask = ~(uintptr_t(sysconf(_SC_PAGESIZE)) - 1);
  auto *Page = reinterpret_cast<void *>(reinterpret_cast<uintptr_t>(Slot) & PageMask);
  if (ReadOnly && mprotect(Page, sizeof(*Slot), PROT_READ | PROT_WRITE))
    return false;
  __atomic_store_n(Slot, Value, __ATOMIC_RELEASE);
  if (ReadOnly)
    mprotect(Page, sizeof(*Slot), PROT_READ);
  return true;
}

/// Something else may have been loaded in its place.
void restoreIn(const LoadedModule &M) {
  std::lock_guard<std::mutex> Lock(LedMutex);
  for (const LedSlot &S : led())
    if (M.contains(reinterpret_cast<uintptr_t>(S.Slot)) && S.Before && *S.Slot == S.To)
      write(S.Slot, S.Before, S.ReadOnly);
}

} // namespace

void leadSlot(uintptr_t *Slot, uintptr_t To, bool ReadOnly) {
  if (!EntersRunningProgram) {
    write(Slot, To, ReadOnly);
    return;
  }
  // Nobody may make a page read-only that another thread is about to write to.
  std::lock_guard<std::mutex> Lock(LedMutex);
  uintptr_t Before = *Slot;
  if (Before != To && write(Slot, To, ReadOnly))
    led().push_back({Slot, Before, To, ReadOnly});
}

void restoreSlots() {
  forEachModule(restoreIn);
  std::lock_guard<std::mutex> Lock(LedMutex);
  led().clear();
}

} // namespace tensorleak::probe
