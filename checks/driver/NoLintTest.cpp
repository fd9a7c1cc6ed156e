//===-- NoLintTest.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/driver/NoLint.h"

#include <gtest/gtest.h>

using namespace tensorleak;

TEST(NoLint, SilencesItsOwnLine) {
  NoLintComments C("a\nb // NOLINT\nc\n");
  EXPECT_FALSE(C.silence("tensor-x", 1));
  EXPECT_TRUE(C.silence("tensor-x", 2));
  EXPECT_FALSE(C.silence("tensor-x", 3));
}

TEST(NoLint, NextLineSilencesOnlyTheNext) {
  NoLintComments C("// NOLINTNEXTLINE(tensor-*)\na\nb\n");
  EXPECT_FALSE(C.silence("tensor-x", 1));
  EXPECT_TRUE(C.silence("tensor-x", 2));
  EXPECT_FALSE(C.silence("tensor-x", 3));
}

TEST(NoLint, ListNamesRules) {
  NoLintComments C("a // NOLINT(bugprone-*, tensor-a)\nb\n");
  EXPECT_TRUE(C.silence("tensor-a", 1));
  EXPECT_FALSE(C.silence("tensor-b", 1));
}

TEST(NoLint, ListTakesNothingAwayAgain) {
  EXPECT_TRUE(NoLintComments("a // NOLINT(tensor-*,-tensor-b)\n").silence("tensor-b", 1));
}

TEST(NoLint, OnlyAsterisksAreWildcards) {
  NoLintComments C("a // NOLINT(tensor-?)\nb // NOLINT(tensor-[ab])\nc // NOLINT(*-a)\n");
  EXPECT_FALSE(C.silence("tensor-a", 1));
  EXPECT_FALSE(C.silence("tensor-a", 2));
  EXPECT_TRUE(C.silence("tensor-a", 3));
}

TEST(NoLint, EmptyListSilencesNothing) {
  EXPECT_FALSE(NoLintComments("a // NOLINT()\n").silence("tensor-a", 1));
}

TEST(NoLint, BlockSilencesWhatIsBetween) {
  NoLintComments C("a\n// NOLINTBEGIN(tensor-a)\nb\n// NOLINTEND(tensor-a)\nc\n");
  EXPECT_FALSE(C.silence("tensor-a", 1));
  EXPECT_TRUE(C.silence("tensor-a", 3));
  EXPECT_FALSE(C.silence("tensor-b", 3));
  EXPECT_FALSE(C.silence("tensor-a", 5));
}

TEST(NoLint, BlockNeedsItsEnd) {
  EXPECT_FALSE(NoLintComments("// NOLINTBEGIN\na\n").silence("tensor-a", 2));
  EXPECT_FALSE(
      NoLintComments("// NOLINTBEGIN(tensor-a)\na\n// NOLINTEND\n").silence("tensor-a", 2));
}

TEST(NoLint, TwoCommentsOnOneLine) {
  NoLintComments C("a // NOLINT(tensor-a) NOLINT(tensor-b)\n");
  EXPECT_TRUE(C.silence("tensor-a", 1));
  EXPECT_TRUE(C.silence("tensor-b", 1));
}
