//===-- SharedVectorTest.cpp - Copies share, and stay apart -----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/flow/state/SharedVector.h"

#include <gtest/gtest.h>

using tensorleak::SharedVector;

namespace {

constexpr size_t Size = 1000; // of several chunks, the last one of which is not full

bool takeLarger(int &Into, int From) {
  if (From <= Into)
    return false;
  Into = From;
  return true;
}

TEST(SharedVector, BeginsWithItemsOfTheirOwn) {
  SharedVector<int> V(Size);
  for (size_t I = 0; I < Size; ++I)
    V.edit(I) = int(I);
  for (size_t I = 0; I < Size; ++I)
    EXPECT_EQ(V[I], int(I));
}

TEST(SharedVector, ACopyDoesNotSeeWhatTheOtherWrites) {
  SharedVector<int> A(Size);
  A.edit(40) = 1;
  SharedVector<int> B = A;
  B.edit(40) = 2;
  A.edit(41) = 3;
  EXPECT_EQ(A[40], 1);
  EXPECT_EQ(B[40], 2);
  EXPECT_EQ(B[41], 0);
}

TEST(SharedVector, AReferenceStaysWhileTheChunkIsItsOwn) {
  SharedVector<int> A(Size);
  int &First = A.edit(0);
  A.edit(1) = 5;
  First = 6;
  EXPECT_EQ(A[0], 6);
}

TEST(SharedVector, JoinsWhatDiffers) {
  SharedVector<int> A(Size);
  SharedVector<int> B = A;
  B.edit(Size - 1) = 7;
  A.edit(3) = 9;
  EXPECT_TRUE(A.join(B, takeLarger));
  EXPECT_EQ(A[Size - 1], 7);
  EXPECT_EQ(A[3], 9);
  EXPECT_FALSE(A.join(B, takeLarger)) << "nothing is new the second time";
}

TEST(SharedVector, AJoinLeavesTheOtherAlone) {
  SharedVector<int> A(Size);
  SharedVector<int> Kept = A, B = A;
  B.edit(0) = 1;
  A.join(B, takeLarger);
  EXPECT_EQ(A[0], 1);
  EXPECT_EQ(Kept[0], 0);
}

TEST(SharedVector, DoesNotLookAtWhatIsShared) {
  SharedVector<int> A(Size);
  SharedVector<int> B = A;
  B.edit(0) = 1;
  unsigned Looks = 0;
  A.join(B, [&](int &Into, int From) { return ++Looks, takeLarger(Into, From); });
  EXPECT_LT(Looks, Size / 10);
}

} // namespace
