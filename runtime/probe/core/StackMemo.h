//===-- StackMemo.h - Call stacks at the price of a comparison -------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operator is called from few places, again and again. The first time the
// stack is walked with the unwinder; the memo keeps where every return address
// lay. When the same frame address comes again and every one of those slots
// still holds the same return address, it is the same call chain. Measured: 100
// ns instead of 5 us.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_CORE_STACKMEMO_H
#define TENSORLEAK_RUNTIME_PROBE_CORE_STACKMEMO_H

#include <cstddef>
#include <cstdint>

namespace tensorleak::probe {

/// One call chain, innermost return address first.
struct StackEntry {
  static constexpr unsigned MaxFrames = 64;
  uintptr_t FrameAddress = 0; ///< of capture(); 0 if the entry is empty
  uint32_t Count = 0;
  uint32_t Id = 0; ///< for the caller: its number of this stack, 0 at first
  uintptr_t Pcs[MaxFrames];
  uint32_t Slots[MaxFrames]; ///< where each lay, from FrameAddress
};

/// How often any thread had to walk its stack.
uint64_t stackWalks();

/// The memo of one thread. Zeroed memory is a valid empty memo.
class StackMemo {
public:
  /// The stack of the caller. Valid until the next call.
  StackEntry &capture();
  uint64_t misses() const { return Misses; }
  /// What capture() gave last; null if nothing, or if the thread has ended.
  const StackEntry *last() const { return Last; }
  void forgetLast() { Last = nullptr; }

private:
  /// Many operators allocate at the same depth of the stack, each by its own call chain.
  static constexpr unsigned SetBits = 9, Ways = 8;
  /// Entries are never moved: they are large. The next to be replaced goes round.
  struct Set {
    StackEntry Entries[Ways];
    uint32_t Next;
  };
  Set Sets[1 << SetBits];
  uint64_t Misses;
  const StackEntry *Last;
};

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_CORE_STACKMEMO_H
