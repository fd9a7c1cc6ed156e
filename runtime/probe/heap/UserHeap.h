//===-- UserHeap.h - What the program's own code takes from malloc ----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A buffer behind from_blob is as much of a leak as a tensor, and LibTorch does not know
// of it. Watched is what the user's own code asks for, in blocks that are large enough to
// matter: so the many small allocations of libraries cost a comparison.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_HEAP_USERHEAP_H
#define TENSORLEAK_RUNTIME_PROBE_HEAP_USERHEAP_H

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tensorleak::probe {

/// Smaller blocks are not watched.
constexpr size_t LeastHeapBytes = 1024;

/// Where the code of the user's files lies. Read without a lock, from malloc.
class UserCodeRanges {
public:
  /// By one thread at a time.
  void add(uintptr_t Low, uintptr_t High) {
    unsigned Next = Count.load(std::memory_order_relaxed);
    if (Next == Max)
      return;
    Ranges[Next].Low.store(Low, std::memory_order_relaxed);
    Ranges[Next].High.store(High, std::memory_order_relaxed);
    Count.store(Next + 1, std::memory_order_release);
  }
  bool isEmpty() const { return Count.load(std::memory_order_acquire) == 0; }
  bool contains(uintptr_t Address) const {
    for (unsigned I = 0, End = Count.load(std::memory_order_acquire); I < End; ++I)
      if (Address >= Ranges[I].Low.load(std::memory_order_relaxed) &&
          Address < Ranges[I].High.load(std::memory_order_relaxed))
        return true;
    return false;
  }

private:
  static constexpr unsigned Max = 64;
  struct Range {
    std::atomic<uintptr_t> Low{0}, High{0};
  };
  Range Ranges[Max];
  std::atomic<unsigned> Count{0};
};

/// Which addresses may be watched: an answer of "no" is certain, and costs one load.
class AddressFilter {
public:
  void add(uintptr_t Address) { countOf(Address).fetch_add(1, std::memory_order_relaxed); }
  void remove(uintptr_t Address) { countOf(Address).fetch_sub(1, std::memory_order_relaxed); }
  bool mayHave(uintptr_t Address) { return countOf(Address).load(std::memory_order_relaxed) != 0; }

private:
  static constexpr unsigned Bits = 16;
  std::atomic<uint16_t> &countOf(uintptr_t Address) {
    return Counts[(Address >> 4) * 0x9E3779B97F4A7C15ull >> (64 - Bits)];
  }
  std::atomic<uint16_t> Counts[1 << Bits] = {};
};

/// Whether that is glibc's. Another may take stacks while it holds its locks, and so wait for the
/// loader's.
bool glibcServesMalloc();

/// Finds the program's allocator. Before a program with several threads is led to the hooks.
void prepareHeapHooks();

/// What a call of malloc or new gave to the code that \p Caller returns to. Whether it is watched.
bool heapTaken(void *Data, size_t Bytes, const void *Caller);

/// Of all blocks that were reported as taken and not given back.
extern AddressFilter WatchedBlocks;
void watchedGivenBack(void *Data);

/// \p Data is about to be freed. Every free of the process comes by: hence inline.
inline void heapGivenBack(void *Data) {
  if (__builtin_expect(WatchedBlocks.mayHave(reinterpret_cast<uintptr_t>(Data)), false))
    watchedGivenBack(Data);
}

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_HEAP_USERHEAP_H
