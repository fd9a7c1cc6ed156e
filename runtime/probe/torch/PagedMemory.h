//===-- PagedMemory.h - Memory that is not in the program's heap -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The probe measures the program's heap, so its own tables live in pages of
// their own. Zeroed, never moved once handed out.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_TORCH_PAGEDMEMORY_H
#define TENSORLEAK_RUNTIME_PROBE_TORCH_PAGEDMEMORY_H

#include <cstddef>
#include <new>
#include <sys/mman.h>

namespace tensorleak::probe {

inline void *mapPages(size_t Bytes) {
  void *Pages = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Pages == MAP_FAILED)
    throw std::bad_alloc();
  return Pages;
}

/// For the standard containers. Only for large tables: it rounds up to pages.
template <typename T> struct PageAllocator {
  using value_type = T;
  PageAllocator() = default;
  template <typename U> PageAllocator(const PageAllocator<U> &) {}
  T *allocate(size_t Count) { return static_cast<T *>(mapPages(Count * sizeof(T))); }
  void deallocate(T *Pages, size_t Count) { munmap(Pages, Count * sizeof(T)); }
  friend bool operator==(PageAllocator, PageAllocator) { return true; }
  friend bool operator!=(PageAllocator, PageAllocator) { return false; }
};

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_TORCH_PAGEDMEMORY_H
