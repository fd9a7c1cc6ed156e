//===-- PagedMemory.h - Memory that is not in the program's heap -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The probe measures the program's heap, so its own tables live in pages of
// their own. Zeroed, never moved once handed out. Which pages they are is known,
// so that a search through memory does not find the probe's own notes.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_CORE_PAGEDMEMORY_H
#define TENSORLEAK_RUNTIME_PROBE_CORE_PAGEDMEMORY_H

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace tensorleak::probe {

struct AddressRange {
  uintptr_t Begin = 0, End = 0;
};

/// What lies at an address that is known to be readable.
inline uintptr_t wordAt(uintptr_t Address) { return *reinterpret_cast<const uintptr_t *>(Address); }

void *mapPages(size_t Bytes);
void unmapPages(void *Pages, size_t Bytes);

/// The pages that mapPages handed out. Takes no lock and allocates nothing, so that
/// it works in a copy of the process; \p Out has room for OwnPagesMax.
constexpr size_t OwnPagesMax = 8192;
size_t ownPages(AddressRange *Out);

/// For the standard containers. Only for large tables: it rounds up to pages.
template <typename T> struct PageAllocator {
  using value_type = T;
  PageAllocator() = default;
  template <typename U> PageAllocator(const PageAllocator<U> &) {}
  T *allocate(size_t Count) { return static_cast<T *>(mapPages(Count * sizeof(T))); }
  void deallocate(T *Pages, size_t Count) { unmapPages(Pages, Count * sizeof(T)); }
  friend bool operator==(PageAllocator, PageAllocator) { return true; }
  friend bool operator!=(PageAllocator, PageAllocator) { return false; }
};

template <typename T> using PageVector = std::vector<T, PageAllocator<T>>;

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_CORE_PAGEDMEMORY_H
