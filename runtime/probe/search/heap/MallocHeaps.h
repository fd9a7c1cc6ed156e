//===-- MallocHeaps.h - Where glibc's blocks begin ------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// glibc's malloc cuts a heap into chunks without gaps: each holds its own length. The
// headers of chunks that were merged stay where they were, inside of others, and old
// pointers lead to them: looked at alone, such a one looks like a chunk, and
// hides those that lie in it. From the first chunk to the last there is no doubt.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_SEARCH_HEAP_MALLOCHEAPS_H
#define TENSORLEAK_RUNTIME_PROBE_SEARCH_HEAP_MALLOCHEAPS_H

#include "runtime/probe/core/PagedMemory.h"

namespace tensorleak::probe {

class MallocHeaps {
public:
  enum class Answer { Begins, BeginsNot, Unknown };

  /// \p Break: what lies below the program break ("[heap]").
  void addBreak(AddressRange Break);
  /// Looks for the heaps of other threads in a mapping: they begin where an address is a
  /// multiple of 64 MiB (glibc, malloc/arena.c, HEAP_MAX_SIZE).
  void addArenas(AddressRange Mapping);
  /// Whether what malloc gives out begins at \p Block. Unknown outside of heaps that could
  /// be walked.
  Answer blockAt(uintptr_t Block) const;
  size_t count() const { return Heaps.size(); }

private:
  /// One bit for every 16 bytes: a chunk begins there.
  struct Heap {
    uintptr_t Begin = 0, End = 0;
    PageVector<uint64_t> Starts;
  };
  void add(AddressRange Memory, uintptr_t FirstChunk, uintptr_t LastFirstChunk);
  static void mark(Heap &Out, uintptr_t FirstChunk);

  PageVector<Heap> Heaps; ///< in the order of the addresses
};

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_SEARCH_HEAP_MALLOCHEAPS_H
