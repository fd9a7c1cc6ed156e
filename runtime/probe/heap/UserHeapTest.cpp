//===-- UserHeapTest.cpp - Whose code asked, and which blocks are watched ----===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/heap/UserHeap.h"

#include <gtest/gtest.h>
#include <memory>

using namespace tensorleak::probe;

TEST(UserHeap, KnowsTheCodeOfTheUsersFiles) {
  UserCodeRanges R;
  EXPECT_FALSE(R.contains(0x1000));
  R.add(0x1000, 0x2000);
  R.add(0x8000, 0x9000);
  EXPECT_TRUE(R.contains(0x1000));
  EXPECT_TRUE(R.contains(0x8fff));
  EXPECT_FALSE(R.contains(0x2000));
  EXPECT_FALSE(R.contains(0x7fff));
}

TEST(UserHeap, ManyFilesAreNoHarm) {
  UserCodeRanges R;
  for (uintptr_t I = 1; I < 1000; ++I)
    R.add(I << 20, (I << 20) + 16);
  EXPECT_TRUE(R.contains(1 << 20));
  EXPECT_FALSE(R.contains(uintptr_t(999) << 20)); // there is room for the first ones
}

TEST(UserHeap, TheFilterNeverForgetsABlock) {
  auto Filter = std::make_unique<AddressFilter>();
  constexpr uintptr_t Blocks = 100000, Apart = 4112;
  for (uintptr_t I = 1; I <= Blocks; ++I)
    Filter->add(I * Apart);
  for (uintptr_t I = 2; I <= Blocks; I += 2)
    Filter->remove(I * Apart);
  for (uintptr_t I = 1; I <= Blocks; I += 2)
    ASSERT_TRUE(Filter->mayHave(I * Apart));
  for (uintptr_t I = 1; I <= Blocks; I += 2)
    Filter->remove(I * Apart);
  EXPECT_FALSE(Filter->mayHave(Apart));
}
