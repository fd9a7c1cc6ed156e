//===-- PeakReportTest.cpp - Who held the peak, as text -------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/report/PeakReport.h"
#include "runtime/replay/facts/FactsByHand.h"

#include <gtest/gtest.h>

using namespace tensorleak;
using namespace tensorleak::test;

namespace {

RecordSite siteOf(unsigned Line, int64_t PeakBytes, uint64_t Count = 1) {
  RecordSite S;
  S.Frames = {{"train", line(Line)}};
  S.Ops = {"aten::add"};
  S.PeakBytes = PeakBytes;
  S.PeakCount = Count;
  return S;
}

RunRecord runOf(std::vector<RecordSite> Sites) {
  RunRecord R;
  R.Steps = 60;
  for (const RecordSite &S : Sites)
    R.PeakBytes += S.PeakBytes;
  R.Sites = std::move(Sites);
  return R;
}

} // namespace

TEST(PeakReport, TheLargestFirstWithWhenItWasMade) {
  RecordSite Standing = siteOf(10, 1024, 4), Kept = siteOf(20, 4096, 40), Now = siteOf(30, 2048);
  Standing.PeakBefore = 1024;
  Kept.PeakBefore = 96;
  Kept.PeakEarlier = 3000;
  Now.Ops.push_back("aten::mul");
  EXPECT_EQ(describePeak(runOf({Standing, Kept, Now}), ""),
            (std::vector<std::string>{
                "who held the peak of 7 KiB:",
                "  4 KiB in 40 allocations from /p/train.cpp:20:5 (train), aten::add, 96 B from "
                "before the steps, 2.9 KiB kept from earlier steps, 1000 B of the step",
                "  2 KiB in 1 allocation from /p/train.cpp:30:5 (train), aten::add and 1 more, "
                "of the step",
                "  1 KiB in 4 allocations from /p/train.cpp:10:5 (train), aten::add, from before "
                "the steps"}));
}

TEST(PeakReport, TenPlacesAndNoneThatIsSmall) {
  std::vector<RecordSite> Sites;
  for (unsigned Line = 1; Line <= 14; ++Line)
    Sites.push_back(siteOf(Line, 1000));
  EXPECT_EQ(describePeak(runOf(Sites), "").size(), 11u);
  EXPECT_EQ(describePeak(runOf({siteOf(1, 1000), siteOf(2, 9), siteOf(3, 11)}), "").size(), 3u);
}

TEST(PeakReport, WithoutStepsOrCountsNothingIsSaidOfThem) {
  RunRecord R = runOf({siteOf(10, 512, 0)});
  R.Steps = 0;
  EXPECT_EQ(describePeak(R, "").at(1), "  512 B from /p/train.cpp:10:5 (train), aten::add");
  R.Steps = 60; // a record of an older build
  EXPECT_EQ(describePeak(R, "").at(1), "  512 B from /p/train.cpp:10:5 (train), aten::add");
  EXPECT_EQ(describePeak(R, "/p").at(1), "  512 B from train.cpp:10:5 (train), aten::add");
  EXPECT_EQ(describePeak(R, "/p/train").at(1), describePeak(R, "").at(1));
  EXPECT_TRUE(describePeak(runOf({}), "").empty());
}
