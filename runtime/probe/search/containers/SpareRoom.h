//===-- SpareRoom.h - Room of a container that holds no element now --------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is taken out of a queue leaves its pointers behind, and where the memory that they lead to
// is used again they lead to what others keep. The C++ library's vectors and deques say in their
// own words which part of their room is in use; for use in a copy of the process.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_SEARCH_CONTAINERS_SPAREROOM_H
#define TENSORLEAK_RUNTIME_PROBE_SEARCH_CONTAINERS_SPAREROOM_H

#include "runtime/probe/search/PointerIndex.h"

namespace tensorleak::probe {

/// Whether the word at \p At, in that block, lies where a vector or a deque has no element.
bool isSpareRoom(const PointerIndex &Pointers, const Block &B, uintptr_t At);

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_SEARCH_CONTAINERS_SPAREROOM_H
