//===-- DiffTest.cpp - Two runs compared ----------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/record/Diff.h"

#include <gtest/gtest.h>

using namespace tensorleak;

namespace {

RecordSite siteAt(unsigned Line, int64_t BytesPerStep, int64_t PeakBytes,
                  const std::string &Function = "train") {
  RecordSite S;
  S.Frames = {{Function, {"/p/train.cpp", Line, 5}}};
  S.TheGrowth = BytesPerStep ? Growth::Growing : Growth::Bounded;
  S.BytesPerStep = BytesPerStep;
  S.PeakBytes = PeakBytes;
  S.TotalBytes = PeakBytes;
  return S;
}

Job jobWith(std::vector<RecordSite> Sites) {
  RunRecord R;
  for (const RecordSite &S : Sites)
    R.PeakBytes += S.PeakBytes;
  R.Sites = std::move(Sites);
  Job J;
  J.Parts = {R};
  return J;
}

constexpr double Tolerance = 0.05;
RunDiff compared(std::vector<RecordSite> Before, std::vector<RecordSite> After) {
  return compare(jobWith(std::move(Before)), jobWith(std::move(After)), Tolerance);
}

} // namespace

TEST(Diff, TheSame) {
  RunDiff D = compared({siteAt(10, 64, 1 << 20)}, {siteAt(10, 64, (1 << 20) + 100)});
  EXPECT_TRUE(D.Sites.empty());
  EXPECT_FALSE(D.Worse);
}

TEST(Diff, NewGrowthIsWorse) {
  RunDiff D = compared({}, {siteAt(10, 4, 400)});
  ASSERT_EQ(D.Sites.size(), 1u);
  EXPECT_EQ(D.Sites[0].TheChange, Change::New);
  EXPECT_TRUE(D.Worse);
}

TEST(Diff, GrowthThatIsGoneIsBetter) {
  RunDiff D = compared({siteAt(10, 4096, 1 << 20)}, {});
  ASSERT_EQ(D.Sites.size(), 1u);
  EXPECT_EQ(D.Sites[0].TheChange, Change::Gone);
  EXPECT_FALSE(D.Worse);
}

TEST(Diff, GrownAndShrunk) {
  RunDiff D = compared({siteAt(10, 64, 4096), siteAt(20, 64, 4096)},
                       {siteAt(10, 128, 4096), siteAt(20, 32, 4096)});
  ASSERT_EQ(D.Sites.size(), 2u);
  EXPECT_EQ(D.Sites[0].TheChange, Change::Grown);
  EXPECT_EQ(D.Sites[1].TheChange, Change::Shrunk);
  EXPECT_TRUE(D.Worse); // one place is, whatever the other gained
}

TEST(Diff, APlaceThatMovedIsTheSame) {
  RunDiff D = compared({siteAt(10, 64, 4096)}, {siteAt(14, 64, 4096)});
  EXPECT_TRUE(D.Sites.empty());
  D = compared({siteAt(10, 64, 4096)}, {siteAt(14, 128, 4096)});
  ASSERT_EQ(D.Sites.size(), 1u);
  EXPECT_EQ(D.Sites[0].TheChange, Change::Grown);
  EXPECT_EQ(D.Sites[0].Before.BytesPerStep, 64);
}

TEST(Diff, AmbiguousMovesAreNotGuessed) {
  RunDiff D = compared({siteAt(10, 64, 4096), siteAt(11, 8, 4096)}, {siteAt(14, 64, 4096)});
  EXPECT_EQ(D.Sites.size(), 3u);
}

TEST(Diff, MemoryMovedBetweenPlacesIsNotWorse) {
  RunDiff D = compared({siteAt(10, 0, 1 << 20, "a")}, {siteAt(10, 0, 1 << 20, "b")});
  EXPECT_EQ(D.Sites.size(), 2u);
  EXPECT_FALSE(D.Worse);
}

TEST(Diff, AHigherPeakIsWorse) {
  EXPECT_TRUE(compared({siteAt(10, 0, 1 << 20)}, {siteAt(10, 0, 2 << 20)}).Worse);
  EXPECT_FALSE(compared({siteAt(10, 0, 100)}, {siteAt(10, 0, 200)}).Worse);
}

TEST(Diff, OfALongerRunOnlyTheGrowthTells) {
  Job Short = jobWith({siteAt(10, 4096, 40 * 4096)}), Long = jobWith({siteAt(10, 4096, 80 * 4096)});
  Short.Parts[0].Steps = 40;
  Long.Parts[0].Steps = 80;
  RunDiff D = compare(Short, Long, Tolerance);
  EXPECT_FALSE(D.SameLength);
  EXPECT_TRUE(D.Sites.empty());
  EXPECT_FALSE(D.Worse);
  Long.Parts[0].Sites[0].BytesPerStep = 8192;
  EXPECT_TRUE(compare(Short, Long, Tolerance).Worse);
  Long.Parts[0].Sites[0].BytesPerStep = 4096;
  Long.Parts[0].Steps = 41; // within the tolerance
  EXPECT_TRUE(compare(Short, Long, Tolerance).Worse);
}

TEST(Diff, NodesThatPileUpAreWorse) {
  Job Before = jobWith({}), After = jobWith({});
  After.Parts[0].NodesPerStep = 2;
  EXPECT_TRUE(compare(Before, After, Tolerance).Worse);
  EXPECT_FALSE(compare(After, Before, Tolerance).Worse);
}

TEST(Diff, RanksAreAddedUp) {
  Job Before = jobWith({siteAt(10, 64, 4096)}), After = jobWith({siteAt(10, 32, 4096)});
  After.Parts.push_back(After.Parts[0]);
  Before.Parts.push_back(jobWith({siteAt(10, 0, 4096)}).Parts[0]);
  EXPECT_TRUE(compare(Before, After, Tolerance).Sites.empty());
}

TEST(Diff, Json) {
  nlohmann::json J = toJson(compared({}, {siteAt(10, 4, 4096)}));
  EXPECT_EQ(J["worse"], true);
  EXPECT_EQ(J["sites"][0]["change"], "new");
  EXPECT_EQ(J["sites"][0]["after"]["bytesPerStep"], 4);
  EXPECT_EQ(J["sites"][0]["frames"][0]["line"], 10);
}
