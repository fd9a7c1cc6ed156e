//===-- MallocHeapsTest.cpp - The blocks of this process -------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks the test's own heaps; the runs of LibTorch programs walk larger ones.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/search/PointerIndex.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <iterator>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

using namespace tensorleak;
using namespace tensorleak::probe;

namespace {

using Answer = MallocHeaps::Answer;

/// Blocks of many sizes, every third of them freed.
class Blocks {
public:
  Blocks() {
    for (size_t I = 0; I < 2000; ++I)
      All.push_back(static_cast<char *>(std::malloc(16 + I * 37 % 3000)));
    for (size_t I = 0; I < All.size(); I += 3)
      std::free(std::exchange(All[I], nullptr));
  }
  ~Blocks() {
    for (char *Block : All)
      std::free(Block);
  }
  std::vector<char *> All;
};

uintptr_t addressOf(const void *Pointer) { return reinterpret_cast<uintptr_t>(Pointer); }

void expectFound(const Blocks &Made) {
  std::vector<MappedFile> Files = mappedFiles();
  MemoryMap Map(Files, {});
  MallocHeaps Heaps = heapsIn(Map);
  for (char *Block : Made.All)
    if (Block) {
      EXPECT_EQ(Heaps.blockAt(addressOf(Block)), Answer::Begins);
      EXPECT_EQ(Heaps.blockAt(addressOf(Block) + 16), Answer::BeginsNot);
      EXPECT_EQ(Heaps.blockAt(addressOf(Block) + 8), Answer::BeginsNot);
    }
}

/// Pointers to an old header and to a block that it would cover.
struct Row {
  uintptr_t OldHeader, Covered;
};

/// The addresses of three blocks in disguise, so that nothing refers to the first.
using Disguised = std::array<uintptr_t, 3>;

/// Writes into the first what the header of a merged chunk leaves behind: one that ends
/// where the third begins.
__attribute__((noinline)) Disguised leaveOldHeader(Row &Out) {
  constexpr size_t Fresh = 100000; // memory that no freed block of another test was in
  std::array<uintptr_t, 3> Made;
  for (uintptr_t &Block : Made)
    Block = addressOf(std::malloc(Fresh));
  std::sort(Made.begin(), Made.end());
  Out = {Made[0] + 64, Made[1]};
  *reinterpret_cast<uintptr_t *>(Out.OldHeader - sizeof(uintptr_t)) = (Made[2] - Out.OldHeader) | 1;
  return {~Made[0], ~Made[1], ~Made[2]};
}

/// Overwrites what functions that returned have left on the stack.
__attribute__((noinline)) void clearStack() {
  char Room[16384];
  std::memset(Room, 0, sizeof(Room));
  asm volatile("" ::"r"(Room) : "memory");
}

} // namespace

TEST(MallocHeaps, BlocksOfTheMainThread) { expectFound(Blocks()); }

TEST(MallocHeaps, BlocksOfAnotherThread) {
  std::thread([] { expectFound(Blocks()); }).join();
}

TEST(MallocHeaps, AFollowingHeapOfAnotherThread) {
  std::thread([] {
    std::vector<char *> Large; // 80 MiB in blocks that are not mapped one by one
    for (int I = 0; I < 1400; ++I)
      Large.push_back(static_cast<char *>(std::malloc(60000)));
    expectFound(Blocks());
    for (char *Block : Large)
      std::free(Block);
  }).join();
}

TEST(MallocHeaps, NothingIsKnownOfOtherMemory) {
  MallocHeaps Heaps;
  EXPECT_EQ(Heaps.blockAt(addressOf(&Heaps)), Answer::Unknown);
  PageVector<uint64_t> NoHeap(1 << 20);
  Heaps.addBreak({addressOf(NoHeap.data()), addressOf(NoHeap.data() + NoHeap.size())});
  Heaps.addArenas({addressOf(NoHeap.data()), addressOf(NoHeap.data() + NoHeap.size())});
  EXPECT_EQ(Heaps.count(), 0u);
}

TEST(MallocHeaps, AnOldHeaderDoesNotHideWhatLiesBehindIt) {
  auto Pointers = std::make_unique<Row>();
  Disguised Hidden = leaveOldHeader(*Pointers);
  clearStack();
  std::vector<MappedFile> Files = mappedFiles();
  MemoryMap Map(Files, {});
  PageVector<uintptr_t> NoTargets;
  PointerIndex Index(Map, NoTargets);
  EXPECT_EQ(Index.blockAt(Pointers->OldHeader), Index.blocks().size());
  EXPECT_NE(Index.blockAt(Pointers->Covered), Index.blocks().size());
  for (uintptr_t Block : Hidden)
    std::free(reinterpret_cast<void *>(~Block));
}
