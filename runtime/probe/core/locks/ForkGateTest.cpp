//===-- ForkGateTest.cpp - What no fork may come between -------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/core/locks/ForkGate.h"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <thread>

using namespace tensorleak::probe;

namespace {

using Clock = std::chrono::steady_clock;

void pause(unsigned Milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(Milliseconds));
}

template <typename F> auto millisecondsOf(F Work) {
  auto Begin = Clock::now();
  Work();
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - Begin).count();
}

} // namespace

TEST(ForkGate, AForkWaitsForAnotherThreadThatIsWithin) {
  std::atomic<bool> IsWithin{false}, HasLeft{false};
  std::thread Other([&] {
    ForkGate Asks;
    IsWithin = true;
    pause(50);
    HasLeft = true;
  });
  while (!IsWithin)
    pause(1);
  ForkGate::beforeFork();
  EXPECT_TRUE(HasLeft);
  ForkGate::inParent();
  Other.join();
}

TEST(ForkGate, WhoComesDuringAForkWaitsForIt) {
  std::atomic<bool> HasForked{false}, CameFirst{false};
  ForkGate::beforeFork();
  std::thread Other([&] {
    ForkGate Asks;
    CameFirst = !HasForked;
  });
  pause(50);
  HasForked = true;
  ForkGate::inParent();
  Other.join();
  EXPECT_FALSE(CameFirst);
}

TEST(ForkGate, AThreadDoesNotWaitForItself) {
  ForkGate Asks;
  ForkGate AsksAgain;
  EXPECT_LT(millisecondsOf(ForkGate::beforeFork), 500);
  // In the child it is still within, and leaves twice: then nobody is.
  ForkGate::inChild();
  EXPECT_LT(millisecondsOf(ForkGate::beforeFork), 500);
  ForkGate::inParent();
}

TEST(ForkGate, AThreadThatForksMayAsk) {
  ForkGate::beforeFork();
  EXPECT_LT(millisecondsOf([] { ForkGate Asks; }), 500);
  ForkGate::inParent();
}

TEST(ForkGate, NobodyWaitsForEver) {
  std::atomic<bool> IsWithin{false}, MayLeave{false};
  std::thread Other([&] {
    ForkGate Asks;
    IsWithin = true;
    while (!MayLeave)
      pause(1);
  });
  while (!IsWithin)
    pause(1);
  EXPECT_GE(millisecondsOf(ForkGate::beforeFork), 500);
  ForkGate::inParent();
  MayLeave = true;
  Other.join();
}
