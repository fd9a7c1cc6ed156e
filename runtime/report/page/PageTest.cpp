//===-- PageTest.cpp - What a report's page shows, and what it must not do ==//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/report/page/Page.h"
#include "runtime/replay/facts/FactsByHand.h"
#include "runtime/report/page/ReportData.h"

#include <gtest/gtest.h>

using namespace tensorleak;
using namespace tensorleak::test;
using nlohmann::json;

namespace {

constexpr const char *Source = "one();\ntwo();\nkept.push_back(loss);\nfour();\nfive();\n";

SourceText sources() {
  return SourceText(
      SourceLines([](const std::string &Path) { return Path == File ? Source : ""; }));
}

Finding judged(unsigned Line, Verdict V, int64_t TotalBytes) {
  Finding F = findingAt(Line);
  F.Rule = "tensor-retained-activation";
  F.TheVerdict = V;
  F.TheEvidence.TotalBytes = TotalBytes;
  return F;
}

RecordSite siteOf(std::vector<unsigned> Lines, int64_t PeakBytes) {
  RecordSite S;
  for (unsigned Line : Lines)
    S.Frames.push_back({"f" + std::to_string(Line), line(Line)});
  S.PeakBytes = PeakBytes;
  return S;
}

RunRecord leakingRun() {
  RunRecord R;
  R.Command = {"./train"};
  R.Steps = 60;
  R.Sites = {siteOf({3, 5}, 400), siteOf({2, 5}, 100), siteOf({1}, 0)};
  R.Sites[0].TheGrowth = Growth::Growing;
  R.Sites[0].BytesPerStep = 64;
  R.Sites[0].PeakCount = 3;
  R.Sites[0].Holder = {"'kept' (a local variable of main)", {"AddBackward0", "TensorImpl"}};
  R.Memory = {{"CPU", {{1, 1000, 10, 10, 20, 5, 0, 0, 5, 1}}, {}}};
  return R;
}

json dataOf(const std::vector<RunRecord> &Runs) {
  Job J = jobOf(Runs);
  SourceText Sources = sources();
  return reportData(J, Runs.size() == 1 ? Runs[0].Findings : mergeFindings(J), Sources);
}

json dataOf(const std::vector<Finding> &Findings) {
  RunRecord R = leakingRun();
  R.Findings.Findings = Findings;
  return dataOf(std::vector<RunRecord>{R});
}

std::vector<unsigned> linesOf(const json &Findings) {
  std::vector<unsigned> Out;
  for (const json &F : Findings)
    Out.push_back(F["place"]["line"]);
  return Out;
}

} // namespace

TEST(ReportData, TheWorstComesFirstThenTheLargest) {
  Finding Known = judged(9, Verdict::Confirmed, 1 << 30);
  Known.Suppressed = {false, "known"};
  Finding Estimated = judged(8, Verdict::Confirmed, 0);
  Estimated.TheEvidence.TotalBytes.reset();
  Estimated.Bytes = 500;
  json Data = dataOf({judged(1, Verdict::Refuted, 0), judged(2, Verdict::Confirmed, 100),
                      judged(3, Verdict::Inconclusive, 1 << 20), Known,
                      judged(4, Verdict::Confirmed, 900), Estimated});
  EXPECT_EQ(linesOf(Data["findings"]), (std::vector<unsigned>{4, 8, 2, 3, 1, 9}));
  EXPECT_EQ(Data["counts"], "3 confirmed, 1 refuted, 0 not reached, 1 inconclusive");
}

TEST(ReportData, AFindingHasItsLinesAndTheWayOfItsHolder) {
  Finding F = judged(3, Verdict::Confirmed, 900);
  F.TheEvidence.Holder = "'kept' (a local variable of main)";
  Finding Other = judged(2, Verdict::Confirmed, 100);
  Other.TheEvidence.Holder = F.TheEvidence.Holder; // at a place of which no holder is known
  json Data = dataOf({F, Other});
  const json &First = Data["findings"][0];
  EXPECT_EQ(First["excerpt"]["first"], 1);
  EXPECT_EQ(First["excerpt"]["lines"].size(), 5u);
  EXPECT_EQ(First["excerpt"]["lines"][2], "kept.push_back(loss);");
  EXPECT_EQ(First["way"], (json{"AddBackward0", "TensorImpl"}));
  EXPECT_TRUE(Data["findings"][1]["way"].empty());
}

TEST(ReportData, ASourceThatIsNotThereHasNoLines) {
  Finding F = judged(3, Verdict::Confirmed, 900);
  F.Where.File = "/elsewhere/train.cpp";
  EXPECT_TRUE(dataOf({F})["findings"][0]["excerpt"].is_null());
  EXPECT_TRUE(dataOf({judged(77, Verdict::Confirmed, 900)})["findings"][0]["excerpt"].is_null());
}

TEST(ReportData, FramesStandOnceAndEmptyPlacesNotAtAll) {
  json Data = dataOf(std::vector<RunRecord>{leakingRun()});
  EXPECT_EQ(Data["frames"].size(), 3u);
  const json &Sites = Data["runs"][0]["sites"];
  ASSERT_EQ(Sites.size(), 2u);
  EXPECT_EQ(Sites[0]["frames"][1], Sites[1]["frames"][1]);
  EXPECT_EQ(Data["frames"][size_t(Sites[0]["frames"][0])]["text"], "kept.push_back(loss);");
  EXPECT_EQ(Sites[0]["peakCount"], 3);
  EXPECT_EQ(Sites[0]["perStep"], 64);
  EXPECT_EQ(Data["runs"][0]["devices"][0]["points"][0][4], 20);
}

TEST(ReportData, EachRankIsARun) {
  RunRecord A = leakingRun(), B = leakingRun();
  A.Part = {0, 2, "host", 10, 1};
  B.Part = {1, 2, "host", 11, 1};
  json Data = dataOf({A, B});
  ASSERT_EQ(Data["runs"].size(), 2u);
  EXPECT_EQ(Data["runs"][1]["name"], "rank 1");
}

TEST(ReportData, RunsOfDifferentLengthAreComparedByTheirRates) {
  RunRecord Short = leakingRun(), Long = leakingRun(), Worse = leakingRun();
  Long.Steps = Worse.Steps = 600;
  Long.PeakBytes = Worse.PeakBytes = 1 << 20;
  Worse.Sites[0].BytesPerStep = 128;
  auto Compared = [&](const RunRecord &After) {
    return comparisonData("before", jobOf({Short}), jobOf({After}));
  };
  EXPECT_EQ(Compared(Long)["worse"], false);
  EXPECT_EQ(Compared(Long)["sameLength"], false);
  EXPECT_EQ(Compared(Worse)["worse"], true);
  Long.Steps = Short.Steps;
  EXPECT_EQ(Compared(Long)["worse"], true); // the peak, of as many steps
  EXPECT_EQ(Compared(Long)["diff"]["after"]["peakBytes"], 1 << 20);
}

TEST(SourceText, AFixIsShownAppliedAndOnlyWhereItFits) {
  SourceText Sources = sources();
  FixIt Detach{{File, 3, 16}, {File, 3, 20}, "loss.detach()"};
  FixIt Before{{File, 3, 1}, {File, 3, 1}, "// no graph\n"};
  std::optional<AppliedFix> Fix = Sources.apply({Before, Detach});
  ASSERT_TRUE(Fix);
  EXPECT_EQ(Fix->First, 3u);
  EXPECT_EQ(Fix->Before, (std::vector<std::string>{"kept.push_back(loss);"}));
  EXPECT_EQ(Fix->After,
            (std::vector<std::string>{"// no graph", "kept.push_back(loss.detach());"}));
  EXPECT_FALSE(Sources.apply({{{File, 3, 16}, {File, 3, 60}, "x"}}));
  EXPECT_FALSE(Sources.apply({{{File, 30, 1}, {File, 30, 2}, "x"}}));
  EXPECT_FALSE(Sources.apply({{{File, 3, 20}, {File, 3, 16}, "x"}}));
  EXPECT_FALSE(Sources.apply({}));
}

TEST(Page, NothingInTheDataEndsItsElement) {
  json Data = {{"name", "</script><script>alert(1)</script><!--&"},
               {"bytes", "\xff\xfe"},
               {"separator", "\xe2\x80\xa8"}};
  std::string Text = jsonForScript(Data);
  EXPECT_EQ(Text.find_first_of("<>&"), Text.npos);
  EXPECT_EQ(Text.find_first_not_of(" !\"#$%'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                   "[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"),
            Text.npos);
  EXPECT_EQ(json::parse(Text)["name"], Data["name"]);
}

TEST(Page, ItIsOneFileThatAllowsNoNetwork) {
  std::string Html = htmlPage({{"name", "{{POLICY}}"}});
  EXPECT_NE(Html.find("default-src 'none'"), Html.npos);
  EXPECT_NE(Html.find("script-src 'sha256-"), Html.npos);
  EXPECT_EQ(Html.find("unsafe-"), Html.npos);
  EXPECT_NE(Html.find("{\"name\":\"{{POLICY}}\"}"), Html.npos); // not filled in again
  for (const char *Foreign : {" src=", "@import", "url(http", "<link"})
    EXPECT_EQ(Html.find(Foreign), Html.npos) << Foreign;
}
