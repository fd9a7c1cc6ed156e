//===-- HolderSearchTest.cpp - Who keeps an object, in this process -------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Searches the test's own memory, which no copy is needed for.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/core/ThreadState.h"
#include "runtime/probe/search/SearchedCopy.h"

#include <deque>
#include <future>
#include <gtest/gtest.h>
#include <malloc.h>
#include <memory>
#include <thread>
#include <vector>

using namespace tensorleak;
using namespace tensorleak::probe;
using namespace tensorleak::probe::test;
using trace::RootKind;

namespace {

std::unique_ptr<Link> GlobalChain;
thread_local std::unique_ptr<Link> ThreadChain;

/// A thread that the probe knows, and that keeps a chain for as long as this object lives.
class KeepingThread {
public:
  KeepingThread() {
    std::promise<uintptr_t> Kept;
    std::future<uintptr_t> Answer = Kept.get_future();
    Thread = std::thread([this, &Kept] {
      tablesOf(TheThread, 1);
      uintptr_t Target = 0;
      ThreadChain = chain(5, Target);
      Kept.set_value(~std::exchange(Target, 0));
      End.get_future().wait();
      ThreadChain.reset();
    });
    Hidden = Answer.get();
  }
  ~KeepingThread() {
    End.set_value();
    Thread.join();
  }
  volatile uintptr_t Hidden = 0;

private:
  std::promise<void> End;
  std::thread Thread;
};

/// A large block as tensors have them, right behind a link.
struct LinkAndStorage {
  static constexpr size_t StorageBytes = 1 << 20;
  std::unique_ptr<Link> First;
  std::unique_ptr<char[]> Storage;

  bool areNeighbors() const {
    constexpr size_t Header = sizeof(size_t);
    return reinterpret_cast<char *>(First.get()) + malloc_usable_size(First.get()) + Header ==
           Storage.get();
  }
};

/// Malloc fills holes first: there are not many.
LinkAndStorage neighbors() {
  mallopt(M_MMAP_THRESHOLD, 2 * LinkAndStorage::StorageBytes);
  std::vector<LinkAndStorage> Apart;
  for (unsigned Tries = 0; Tries < 500; ++Tries) {
    LinkAndStorage Pair{std::make_unique<Link>(), nullptr};
    Pair.Storage.reset(new char[LinkAndStorage::StorageBytes]);
    if (Pair.areNeighbors())
      return Pair;
    Pair.Storage.reset();
    Apart.push_back(std::move(Pair));
  }
  return {};
}

} // namespace

TEST(HolderSearch, AGlobalVariableAtTheEndOfALongChain) {
  uintptr_t Target = 0;
  GlobalChain = chain(500, Target);
  Target = ~Target;
  SearchedCopy S;
  S.run(Target);
  const FoundPath *P = S.with(RootKind::Global);
  ASSERT_TRUE(P);
  EXPECT_EQ(P->RootAddress, reinterpret_cast<uintptr_t>(&GlobalChain));
  EXPECT_EQ(P->Length, 499u);
  EXPECT_EQ(P->Stored, FoundPath::MaxHops);
  EXPECT_TRUE(S.Report->Done);
  EXPECT_FALSE(S.Report->Partial);
  GlobalChain.reset();
}

TEST(HolderSearch, ALinkInFrontOfAStorageThatIsLeftOut) {
  LinkAndStorage Pair = neighbors();
  ASSERT_TRUE(Pair.First);
  const auto Storage = reinterpret_cast<uintptr_t>(Pair.Storage.get());
  uintptr_t Target = 0;
  GlobalChain = std::move(Pair.First);
  GlobalChain->Next = chain(1, Target);
  Target = ~Target;
  SearchedCopy S;
  S.leaveOut({Storage, Storage + LinkAndStorage::StorageBytes});
  S.run(Target);
  EXPECT_TRUE(S.with(RootKind::Global));
  GlobalChain.reset();
}

TEST(HolderSearch, AVariableInAFrame) {
  uintptr_t Target = 0;
  std::unique_ptr<Link> Local = chain(3, Target);
  Target = ~Target;
  SearchedCopy S;
  S.run(Target);
  EXPECT_TRUE(S.with(RootKind::Stack));
  EXPECT_FALSE(S.with(RootKind::Global));
  EXPECT_TRUE(Local);
}

TEST(HolderSearch, AThreadLocalVariable) {
  uintptr_t Target = 0;
  ThreadChain = chain(3, Target);
  Target = ~Target;
  SearchedCopy S;
  S.run(Target);
  const FoundPath *P = S.with(RootKind::ThreadLocal);
  ASSERT_TRUE(P);
  EXPECT_EQ(P->Length, 2u);
  EXPECT_FALSE(S.with(RootKind::Unknown));
  ThreadChain.reset();
}

namespace {

struct Base {
  virtual ~Base() = default;
  std::unique_ptr<Link> First;
};
/// The base lies behind what the class has itself.
struct Derived : virtual Base {
  char Room[200];
};
std::shared_ptr<Base> GlobalBase;

} // namespace

TEST(HolderSearch, AnObjectThatIsKnownByItsVirtualBase) {
  uintptr_t Target = 0;
  GlobalBase = std::shared_ptr<Derived>(new Derived);
  GlobalBase->First = chain(2, Target);
  Target = ~Target;
  SearchedCopy S;
  S.run(Target);
  const FoundPath *P = S.with(RootKind::Global);
  ASSERT_TRUE(P);
  EXPECT_EQ(P->RootAddress, reinterpret_cast<uintptr_t>(&GlobalBase));
  EXPECT_EQ(P->Length, 2u);
  GlobalBase.reset();
}

TEST(HolderSearch, NobodyKnowsIt) {
  volatile uintptr_t Hidden = makeHidden();
  SearchedCopy S;
  S.run(Hidden);
  ASSERT_EQ(S.Paths.size(), 1u);
  EXPECT_EQ(S.Paths[0].Root, RootKind::None);
  delete reinterpret_cast<Link *>(~Hidden);
}

TEST(HolderSearch, FreedMemoryHoldsNothing) {
  volatile uintptr_t Hidden = makeHidden();
  auto Block = std::make_unique<uintptr_t[]>(1000);
  Block[500] = ~Hidden;
  [[maybe_unused]] static uintptr_t *volatile Stale; // read by the search alone
  Stale = Block.get();
  Block.reset(); // still pointed to, but no longer in use
  SearchedCopy S;
  S.run(Hidden);
  EXPECT_FALSE(S.with(RootKind::Global));
  Stale = nullptr;
  delete reinterpret_cast<Link *>(~Hidden);
}

namespace {

std::deque<Link *> GlobalQueue;
std::vector<Link *> GlobalList;

/// Whether a global variable leads to a link after that was done with it and others.
template <typename F> bool isGlobalFoundAfter(F Work) {
  volatile uintptr_t Hidden = makeHidden();
  Work(Hidden);
  SearchedCopy S;
  S.run(Hidden);
  GlobalQueue.clear();
  GlobalList.clear();
  delete reinterpret_cast<Link *>(~Hidden);
  return S.with(RootKind::Global);
}

/// Puts as many others into the queue, and as many of the link; then takes some out in front.
__attribute__((noinline)) void fillQueue(uintptr_t Hidden, unsigned Before, unsigned After,
                                         unsigned Taken) {
  for (unsigned I = 0; I < Before + 1 + After; ++I)
    GlobalQueue.push_back(I == Before ? reinterpret_cast<Link *>(~Hidden) : nullptr);
  for (unsigned I = 0; I < Taken; ++I)
    GlobalQueue.pop_front();
}

} // namespace

TEST(HolderSearch, WhatWasTakenOutOfAQueueIsNotKeptByIt) {
  auto IsFound = [](unsigned Before, unsigned After, unsigned Taken) {
    return isGlobalFoundAfter([=](uintptr_t Hidden) { fillQueue(Hidden, Before, After, Taken); });
  };
  EXPECT_FALSE(IsFound(0, 10, 1));
  EXPECT_FALSE(IsFound(20, 0, 21));
  EXPECT_TRUE(IsFound(0, 0, 0));
  EXPECT_TRUE(IsFound(20, 0, 20));
  EXPECT_TRUE(IsFound(200, 10, 150));
  EXPECT_TRUE(IsFound(200, 100, 0)); // in a chunk that is neither the first nor the last
  EXPECT_TRUE(IsFound(64, 10, 64));  // the queue begins with its chunk
}

TEST(HolderSearch, WhatAVectorHadIsNotKeptByIt) {
  auto IsFound = [](unsigned Left) {
    return isGlobalFoundAfter([=](uintptr_t Hidden) {
      GlobalList = {nullptr, nullptr, reinterpret_cast<Link *>(~Hidden), nullptr};
      GlobalList.resize(Left);
    });
  };
  EXPECT_TRUE(IsFound(4));
  EXPECT_TRUE(IsFound(3));
  EXPECT_FALSE(IsFound(2));
  EXPECT_FALSE(IsFound(0));
}

// The last: the stack of a thread that has ended is kept, with old pointers.
TEST(HolderSearch, AThreadLocalVariableOfAnotherThread) {
  KeepingThread Other;
  SearchedCopy S;
  S.run(Other.Hidden);
  ASSERT_TRUE(S.with(RootKind::ThreadLocal));
  EXPECT_EQ(S.with(RootKind::ThreadLocal)->Length, 4u);
}

// The last one: it leaves many holes in the heap.
namespace {

/// Of two links whose addresses are in disguise; no register has either afterwards.
__attribute__((noinline)) void leadTo(uintptr_t HiddenLink, uintptr_t HiddenNext) {
  std::unique_ptr<Link> &Next = reinterpret_cast<Link *>(~HiddenLink)->Next;
  (void)Next.release();
  Next.reset(reinterpret_cast<Link *>(~HiddenNext));
}

/// Of an object that a local variable keeps, and so far away a global one too.
bool isGlobalFoundBehind(unsigned Links) {
  uintptr_t Target = 0, End = 0;
  std::unique_ptr<Link> Near = chain(2, Target);
  GlobalChain = chain(Links, End);
  Target = ~Target;
  End = ~End;
  leadTo(End, Target);
  SearchedCopy Copy;
  Copy.run(Target);
  leadTo(End, ~uintptr_t(0));
  GlobalChain.reset();
  EXPECT_TRUE(Copy.with(RootKind::Stack));
  return Copy.with(RootKind::Global);
}

} // namespace

TEST(HolderSearch, EndsSomeWayBehindTheNearestVariable) {
  EXPECT_TRUE(isGlobalFoundBehind(1000));
  EXPECT_FALSE(isGlobalFoundBehind(6000));
}
