//===-- HeapScan.h - A walk through the program's heap ---------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hands out the resident, writable, anonymous memory of the process in copies,
// so that memory which another thread unmaps meanwhile does no harm. Large
// storages of live tensors are left out: they hold numbers, not objects.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_SEARCH_HEAP_HEAPSCAN_H
#define TENSORLEAK_RUNTIME_PROBE_SEARCH_HEAP_HEAPSCAN_H

#include "runtime/probe/core/PagedMemory.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace tensorleak::probe {

/// A part of the heap: the words at Begin and following, as they were. An object may
/// start in the first Own words and reach into the rest; the next block shows these
/// again as its own.
struct HeapBlock {
  uintptr_t Begin;
  const uintptr_t *Words;
  size_t Own, Count;
};

struct ScanResult {
  uint64_t Bytes = 0;
  bool Partial = false; ///< the budget ended, or a range could not be read
};

/// Shows every block to \p Visit. \p Skip must be sorted. At most \p MaxBytes.
ScanResult scanHeap(const std::vector<AddressRange> &Skip, uint64_t MaxBytes,
                    const std::function<void(const HeapBlock &)> &Visit);

/// So many words of a block are shown again by the next.
constexpr size_t HeapBlockOverlap = 8;

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_SEARCH_HEAP_HEAPSCAN_H
