//===-- OtherMemoryTest.cpp - What is behind others' pointers -------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a library has for itself, and memory of another allocator.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/search/SearchedCopy.h"

#include <gtest/gtest.h>
#include <malloc.h>
#include <utility>

using namespace tensorleak;
using namespace tensorleak::probe;
using namespace tensorleak::probe::test;
using trace::RootKind;

namespace {

std::unique_ptr<Link> GlobalChain;

/// An allocator of its own, with a word in its memory that looks like the size of a block of
/// malloc's that begins \p Offset behind a page, and a pointer to that within it.
class OtherAllocator {
public:
  static constexpr size_t Bytes = 1 << 18, Words = Bytes / sizeof(uintptr_t);
  __attribute__((noinline)) explicit OtherAllocator(size_t Offset) {
    Memory = static_cast<uintptr_t *>(
        mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    const size_t Begin = Offset / sizeof(uintptr_t);
    Memory[Begin - 1] = (Bytes / 2) | 2; // a mapping of its own
    Memory[Begin + 100] = reinterpret_cast<uintptr_t>(&Memory[Begin]);
  }
  ~OtherAllocator() { munmap(Memory, Bytes); }
  /// Puts the link into what looks like the block.
  __attribute__((noinline)) void keep(uintptr_t Hidden) { Memory[Words / 4] = ~Hidden; }

private:
  uintptr_t *Memory;
};

uintptr_t *GlobalWords;

/// Who keeps what only a pointer there leads to.
RootKind rootBehind(size_t Offset) {
  OtherAllocator Other(Offset);
  volatile uintptr_t Hidden = makeHidden();
  Other.keep(Hidden);
  SearchedCopy S;
  S.run(Hidden);
  delete reinterpret_cast<Link *>(~Hidden);
  return S.Paths.size() == 1 ? S.Paths[0].Root : RootKind::Global;
}

} // namespace

TEST(OtherMemory, WhatALibraryKeepsBehindAHandleTheProgramDoesNot) {
  for (bool IsHandle : {true, false}) {
    volatile uintptr_t Hidden = makeHidden();
    GlobalChain = std::make_unique<Link>();
    GlobalChain->Next.reset(reinterpret_cast<Link *>(~Hidden));
    SearchedCopy S;
    if (IsHandle)
      S.isHandle(GlobalChain.get());
    S.run(Hidden);
    EXPECT_EQ(S.with(RootKind::Global) != nullptr, !IsHandle);
    GlobalChain.reset();
  }
}

// A handle that is kept itself, and what else the program keeps beside it.
TEST(OtherMemory, AHandleHidesNothingButWhatIsBehindIt) {
  uintptr_t Target = 0;
  GlobalChain = chain(3, Target);
  Target = ~Target;
  SearchedCopy S;
  S.isHandle(reinterpret_cast<void *>(~Target));
  S.run(Target);
  EXPECT_TRUE(S.with(RootKind::Global));
  GlobalChain.reset();
}

TEST(OtherMemory, WhatOnlyLooksLikeALargeBlockMayHoldSomething) {
  EXPECT_EQ(rootBehind(64), RootKind::Unknown);
}

TEST(OtherMemory, ABlockWithAMappingOfItsOwnIsFollowed) {
  constexpr size_t Words = 1 << 20;
  volatile uintptr_t Hidden = makeHidden();
  GlobalWords = new uintptr_t[Words];
  GlobalWords[Words / 2] = ~Hidden;
  SearchedCopy S;
  S.run(Hidden);
  EXPECT_TRUE(S.with(RootKind::Global));
  delete[] std::exchange(GlobalWords, nullptr);
  delete reinterpret_cast<Link *>(~Hidden);
}
