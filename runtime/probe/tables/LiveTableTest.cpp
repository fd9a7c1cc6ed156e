//===-- LiveTableTest.cpp - Every live storage -----------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing is lost or found twice, whatever the order; survivors are handed out
// once.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/tables/LiveTable.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <thread>

using namespace tensorleak::probe;

namespace {

LiveObject object(uintptr_t Address, uint64_t Number, uint32_t Generation = 0) {
  LiveObject O;
  O.Address = Address;
  O.Number = Number;
  O.Bytes = Number * 8;
  O.Generation = Generation;
  return O;
}

std::vector<uint64_t> survivors(LiveTable &Table, uint32_t Generation) {
  std::vector<uint64_t> Numbers;
  Table.recordSurvivors(Generation, [&](const LiveObject &O) { Numbers.push_back(O.Number); });
  std::sort(Numbers.begin(), Numbers.end());
  return Numbers;
}

} // namespace

TEST(LiveTable, AgreesWithAMap) {
  auto Table = std::make_unique<LiveTable>();
  std::map<uintptr_t, uint64_t> Expected;
  std::mt19937_64 Random(1);
  for (uint64_t Number = 1; Number <= 200000; ++Number) {
    uintptr_t Address = 0x1000 + Random() % 20000 * 16;
    if (Random() % 2) {
      auto Missed = Table->insert(object(Address, Number, Number / 1000));
      EXPECT_EQ(Missed.has_value(), Expected.count(Address) != 0);
      Expected[Address] = Number;
      continue;
    }
    auto Gone = Table->erase(Address);
    ASSERT_EQ(Gone.has_value(), Expected.count(Address) != 0);
    if (Gone) {
      EXPECT_EQ(Gone->Number, Expected[Address]);
    }
    Expected.erase(Address);
  }
  size_t Count = 0;
  Table->forEach([&](const LiveObject &O) {
    ++Count;
    EXPECT_EQ(Expected.at(O.Address), O.Number);
  });
  EXPECT_EQ(Count, Expected.size());
}

TEST(LiveTable, SurvivorsComeOnceAndByGeneration) {
  auto Table = std::make_unique<LiveTable>();
  for (uint64_t I = 1; I <= 6; ++I)
    Table->insert(object(I * 4096, I, I <= 3 ? 0 : 1));
  EXPECT_FALSE(Table->erase(2 * 4096)->Recorded);
  EXPECT_EQ(survivors(*Table, 0), (std::vector<uint64_t>{1, 3}));
  EXPECT_EQ(survivors(*Table, 0), std::vector<uint64_t>{});
  // Freed in any order: the chains stay whole.
  EXPECT_TRUE(Table->erase(3 * 4096)->Recorded);
  EXPECT_TRUE(Table->erase(1 * 4096)->Recorded);
  EXPECT_FALSE(Table->erase(5 * 4096)->Recorded);
  EXPECT_EQ(survivors(*Table, 1), (std::vector<uint64_t>{4, 6}));
}

TEST(LiveTable, RecordAllTakesWhatIsLeft) {
  auto Table = std::make_unique<LiveTable>();
  for (uint64_t I = 1; I <= 9; ++I)
    Table->insert(object(I * 64, I, I));
  survivors(*Table, 2);
  std::set<uint64_t> Left;
  Table->recordAll([&](const LiveObject &O) { EXPECT_TRUE(Left.insert(O.Number).second); });
  EXPECT_EQ(Left, (std::set<uint64_t>{1, 3, 4, 6, 7, 9}));
}

TEST(ShortLock, LetsOneThreadInAtATime) {
  ShortLock Lock;
  unsigned Count = 0; // not atomic: two at a time would lose some
  auto CountUp = [&] {
    for (unsigned I = 0; I < 100000; ++I) {
      std::lock_guard<ShortLock> Inside(Lock);
      Count = *const_cast<volatile unsigned *>(&Count) + 1;
    }
  };
  std::thread Other(CountUp);
  CountUp();
  Other.join();
  EXPECT_EQ(Count, 200000u);
}

TEST(ShortLock, WaitsForOneThatIsHeldForLong) {
  ShortLock Lock;
  std::atomic<bool> IsFree{false}, WasFree{false};
  Lock.lock();
  std::thread Other([&] {
    std::lock_guard<ShortLock> Inside(Lock);
    WasFree = IsFree.load();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  IsFree = true;
  Lock.unlock();
  Other.join();
  EXPECT_TRUE(WasFree);
}

TEST(LiveTable, ThreadsDoNotDisturbEachOther) {
  auto Table = std::make_unique<LiveTable>();
  auto Work = [&](uintptr_t Base) {
    for (unsigned Round = 0; Round < 50; ++Round) {
      for (uintptr_t I = 0; I < 500; ++I)
        Table->insert(object(Base + I * 16, Base + I, Round));
      for (uintptr_t I = 0; I < 500; ++I)
        if (I != Round) {
          ASSERT_EQ(Table->erase(Base + I * 16)->Number, Base + I);
        }
      if (Round != 49)
        Table->erase(Base + Round * 16);
    }
  };
  std::vector<std::thread> Threads;
  for (uintptr_t T = 1; T <= 4; ++T)
    Threads.emplace_back(Work, T << 32);
  for (std::thread &T : Threads)
    T.join();
  size_t Left = 0;
  Table->forEach([&](const LiveObject &) { ++Left; });
  EXPECT_EQ(Left, 4u);
}
