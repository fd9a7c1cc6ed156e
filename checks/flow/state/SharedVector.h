//===-- SharedVector.h - A vector whose copies share what they do not change --===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dataflow keeps what holds before each block, and a block of a long function changes
// little of it. Copies share chunks until one of them writes, so that a function with
// thousands of variables costs what its events cost, and not their product with its blocks.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FLOW_STATE_SHAREDVECTOR_H
#define TENSORLEAK_CHECKS_FLOW_STATE_SHAREDVECTOR_H

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include <algorithm>
#include <vector>

namespace tensorleak {

template <class T> class SharedVector {
public:
  SharedVector() = default;
  explicit SharedVector(size_t Size) {
    for (size_t Begin = 0; Begin < Size; Begin += PerChunk)
      Chunks.push_back(new Chunk(std::min(PerChunk, Size - Begin)));
  }

  const T &operator[](size_t I) const { return Chunks[I / PerChunk]->Items[I % PerChunk]; }
  /// To be written, in this copy only.
  T &edit(size_t I) { return own(Chunks[I / PerChunk]).Items[I % PerChunk]; }

  /// Calls \p JoinItem(item, item of Other), which changes the first and returns whether it did,
  /// and returns whether any did. An item joined with itself must not change.
  template <class Join> bool join(const SharedVector &Other, Join JoinItem) {
    bool Changed = false;
    for (size_t I = 0; I < Chunks.size(); ++I)
      if (Chunks[I] != Other.Chunks[I])
        Changed |= joinChunk(I, *Other.Chunks[I], JoinItem);
    return Changed;
  }

private:
  static constexpr size_t PerChunk = 32;
  struct Chunk : llvm::RefCountedBase<Chunk> {
    explicit Chunk(size_t Size) : Items(Size) {}
    std::vector<T> Items;
  };
  using ChunkRef = llvm::IntrusiveRefCntPtr<Chunk>;

  static Chunk &own(ChunkRef &C) {
    if (C.useCount() > 1)
      C = new Chunk(*C);
    return *C;
  }

  /// The chunk becomes this copy's own only if something in it changes.
  template <class Join> bool joinChunk(size_t I, const Chunk &Other, Join JoinItem) {
    bool Changed = false;
    for (size_t At = 0; At < Other.Items.size(); ++At) {
      T Joined = Chunks[I]->Items[At];
      if (!JoinItem(Joined, Other.Items[At]))
        continue;
      own(Chunks[I]).Items[At] = std::move(Joined);
      Changed = true;
    }
    return Changed;
  }

  std::vector<ChunkRef> Chunks;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FLOW_STATE_SHAREDVECTOR_H
