//===-- ArrayTest.cpp - An array that grows with the steps ------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/growth/Growth.h"

#include <gtest/gtest.h>

using namespace tensorleak;

/// The arrays of a vector that is given so many bytes in each step, and those that it was.
static std::vector<Lifetime> arraysOf(int64_t BytesPerStep, uint32_t Steps) {
  std::vector<Lifetime> Out{{0, Lifetime::Never, 1024}};
  for (uint32_t Step = 0; Step < Steps; ++Step)
    while (Out.back().Bytes < BytesPerStep * (Step + 1)) {
      Out.back().Death = Step;
      Out.push_back({Step, Lifetime::Never, 2 * Out.back().Bytes});
    }
  return Out;
}

TEST(Array, AnArrayThatDoublesWhenItIsFullGrows) {
  EXPECT_NEAR(double(arrayBytesPerStep(arraysOf(4096, 400), 400)), 4096, 410);
  EXPECT_EQ(arrayBytesPerStep(arraysOf(4096, 100), 400), 0) << "it is filled no more";
  EXPECT_EQ(arrayBytesPerStep(arraysOf(4096, 4), 4), 0) << "too few";
  EXPECT_EQ(arrayBytesPerStep({{0, Lifetime::Never, 1 << 20}}, 400), 0) << "it was reserved";
  std::vector<Lifetime> AtOnce = arraysOf(1 << 20, 1);
  EXPECT_EQ(arrayBytesPerStep(AtOnce, 400), 0);
}
