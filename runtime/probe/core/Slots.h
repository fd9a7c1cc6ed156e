//===-- Slots.h - Where loaded files keep the addresses of functions ------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A slot is a word of a loaded file in which the loader puts the address of a symbol: of a
// function that the file calls, or of a virtual one. To change it leads those calls elsewhere.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_CORE_SLOTS_H
#define TENSORLEAK_RUNTIME_PROBE_CORE_SLOTS_H

#include <cstdint>

namespace tensorleak::probe {

/// Writes a slot, which the loader may have made read-only. What stood there is remembered
/// where the program goes on without the probe.
void leadSlot(uintptr_t *Slot, uintptr_t To, bool ReadOnly);

/// Writes back what stood in the slots of files that are still loaded. One that held nothing
/// (a function that is called only if it is there) keeps the probe's: the caller may have
/// looked already.
void restoreSlots();

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_CORE_SLOTS_H
