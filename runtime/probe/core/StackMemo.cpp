//===-- StackMemo.cpp - Call stacks at the price of a comparison -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See StackMemo.h. The bounds checks matter: the first frame of the unwinder can
// have no CFA, and a slot is only read when it lies in this thread's stack.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/core/StackMemo.h"

#include <unwind.h>

namespace tensorleak::probe {
namespace {

/// No slot is looked for further away: a thread's stack is rarely larger.
constexpr uintptr_t MaxDistance = 8u << 20;

uint64_t Walks = 0; ///< by all threads

bool stillTrue(const StackEntry &Entry) {
  for (uint32_t I = 0; I < Entry.Count; ++I)
    if (*reinterpret_cast<uintptr_t *>(Entry.FrameAddress + Entry.Slots[I]) != Entry.Pcs[I])
      return false;
  return true;
}

/// Called for every frame, innermost first.
_Unwind_Reason_Code addFrame(_Unwind_Context *Context, void *Data) {
  auto &Entry = *static_cast<StackEntry *>(Data);
  uintptr_t Pc = _Unwind_GetIP(Context);
  if (!Pc || Entry.Count == StackEntry::MaxFrames)
    return _URC_END_OF_STACK;
  // Frames below the caller (the unwinder's own) come first and are passed over.
  _Unwind_Reason_Code Unusable = Entry.Count ? _URC_END_OF_STACK : _URC_NO_REASON;
  uintptr_t Slot = _Unwind_GetCFA(Context) - sizeof(uintptr_t);
  if (Slot < Entry.FrameAddress || Slot - Entry.FrameAddress > MaxDistance)
    return Unusable;
  if (*reinterpret_cast<uintptr_t *>(Slot) != Pc)
    return Unusable;
  Entry.Pcs[Entry.Count] = Pc;
  Entry.Slots[Entry.Count++] = uint32_t(Slot - Entry.FrameAddress);
  return _URC_NO_REASON;
}

} // namespace

uint64_t stackWalks() { return __atomic_load_n(&Walks, __ATOMIC_RELAXED); }

__attribute__((noinline)) StackEntry &StackMemo::capture() {
  auto Frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  Set &Candidates = Sets[(Frame >> 4) * 0x9E3779B97F4A7C15ull >> (64 - SetBits)];
  for (StackEntry &Entry : Candidates.Entries)
    if (Entry.FrameAddress == Frame && stillTrue(Entry)) {
      Last = &Entry;
      return Entry;
    }
  ++Misses;
  __atomic_add_fetch(&Walks, 1, __ATOMIC_RELAXED);
  StackEntry &New = Candidates.Entries[Candidates.Next++ % Ways];
  New.FrameAddress = Frame;
  New.Count = New.Id = 0;
  _Unwind_Backtrace(addFrame, &New);
  Last = &New;
  return New;
}

} // namespace tensorleak::probe
