//===-- StackMemoTest.cpp - Call stacks at the price of a comparison ------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memo answers what the unwinder answers, also when another chain arrives at the
// same frame address.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/core/StackMemo.h"
#include "runtime/probe/core/PagedMemory.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <unwind.h>

using namespace tensorleak::probe;

namespace {

using Frames = std::vector<uintptr_t>;

StackMemo &memo() {
  static auto *Memo = static_cast<StackMemo *>(mapPages(sizeof(StackMemo)));
  return *Memo;
}

/// The return addresses of the caller's callers, straight from the unwinder.
__attribute__((noinline)) Frames unwind() {
  Frames Result;
  auto Add = [](_Unwind_Context *Context, void *Data) {
    if (uintptr_t Pc = _Unwind_GetIP(Context))
      static_cast<Frames *>(Data)->push_back(Pc);
    return _URC_NO_REASON;
  };
  _Unwind_Backtrace(Add, &Result);
  return Result;
}

struct Sample {
  Frames Memo, Unwound;
};

__attribute__((noinline)) Sample sample() {
  StackEntry &Entry = memo().capture();
  return {Frames(Entry.Pcs, Entry.Pcs + Entry.Count), unwind()};
}

/// Both begin with an address in sample(); the rest must agree.
void expectSame(const Sample &S) {
  ASSERT_GT(S.Memo.size(), 2u);
  // Our own frames differ by the point of call: compare from the caller on.
  Frames Memo(S.Memo.begin() + 1, S.Memo.end());
  auto At = std::search(S.Unwound.begin(), S.Unwound.end(), Memo.begin(), Memo.begin() + 1);
  ASSERT_NE(At, S.Unwound.end());
  size_t Common = std::min(Memo.size(), size_t(S.Unwound.end() - At));
  EXPECT_TRUE(std::equal(Memo.begin(), Memo.begin() + Common, At));
  EXPECT_GE(Common + 1, std::min<size_t>(S.Unwound.size() - 2, StackEntry::MaxFrames));
}

__attribute__((noinline)) Sample viaLeft() {
  Sample S = sample();
  asm volatile("");
  return S;
}

__attribute__((noinline)) Sample viaRight() {
  Sample S = sample();
  asm volatile("nop");
  return S;
}

__attribute__((noinline)) Sample deep(unsigned Depth) {
  [[maybe_unused]] volatile char Room[64] = {};
  Room[0] = 1;
  return Depth ? deep(Depth - 1) : sample();
}

} // namespace

TEST(StackMemo, RepeatedCallsHitAndAgree) {
  sample();
  Sample Second;
  uint64_t Before = 0;
  for (unsigned Round = 0; Round < 10; ++Round) {
    Second = viaLeft();
    if (Round == 0)
      Before = memo().misses();
    expectSame(Second);
  }
  EXPECT_EQ(memo().misses(), Before);
}

TEST(StackMemo, OtherChainsAtTheSameFrameAddressAreToldApart) {
  // Both functions have the same frame: sample() runs at the same address.
  for (unsigned Round = 0; Round < 4; ++Round) {
    Sample Left = viaLeft(), Right = viaRight();
    expectSame(Left);
    expectSame(Right);
    EXPECT_NE(Left.Memo, Right.Memo);
  }
}

TEST(StackMemo, DeepStacksAreCut) {
  expectSame(deep(10));
  EXPECT_EQ(deep(200).Memo.size(), size_t(StackEntry::MaxFrames));
}

TEST(StackMemo, TheNumberStaysWithTheStack) {
  uint32_t Seen[3];
  for (uint32_t &Id : Seen) {
    StackEntry &Entry = memo().capture();
    Id = Entry.Id;
    Entry.Id = 7;
  }
  EXPECT_EQ(Seen[0], 0u);
  EXPECT_EQ(Seen[1], 7u);
  EXPECT_EQ(Seen[2], 7u);
}
