//===-- RecordTest.cpp - Records, there and back, and ranks together ------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/record/Ranks.h"
#include "runtime/record/RecordOfRun.h"
#include "runtime/replay/facts/FactsByHand.h"

#include <gtest/gtest.h>
#include <map>

using namespace tensorleak;
using namespace tensorleak::test;

namespace {

RecordSite siteOf(unsigned Line, int64_t BytesPerStep) {
  RecordSite S;
  S.Frames = {{"train", line(Line)}};
  S.TheGrowth = BytesPerStep ? Growth::Growing : Growth::Bounded;
  S.BytesPerStep = BytesPerStep;
  S.TotalBytes = 100 * BytesPerStep;
  return S;
}

RunRecord rank(uint32_t Number, std::vector<RecordSite> Sites, uint32_t World = 2) {
  RunRecord R;
  R.Part = {Number, World, "host", 1000 + Number, 1};
  R.Steps = 100;
  R.Allocations = 500;
  R.Sites = std::move(Sites);
  return R;
}

Finding judgedAs(Verdict V, std::optional<int64_t> BytesPerStep) {
  Finding F = findingAt(20);
  F.TheVerdict = V;
  F.TheEvidence.BytesPerStep = BytesPerStep;
  return F;
}

JobPart partIn(std::map<std::string, std::string> Environment) {
  return jobPart([&](const char *Name) { return Environment[Name]; });
}

} // namespace

TEST(Record, ThereAndBack) {
  RunRecord R = rank(3, {siteOf(20, 64)}, 8);
  R.Command = {"./train", ""};
  R.Clock = "step of Adam";
  R.NodesPerStep = 2.5;
  R.Remarks = {"a remark"};
  R.Advice = {"less"};
  R.Sites[0].Ops = {"aten::relu"};
  R.Sites[0].Objects = {{64, 1, std::nullopt, true}, {32, 2, 5, false}};
  R.Sites[0].Holder = {"'kept_' (a member of Trainer)", {"AddBackward0", "TensorImpl"}};
  R.Sites[0].PeakEarlier = 640;
  R.Sites[0].PeakCount = 10;
  R.Memory = {{"GPU 0", {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}, {{1, 4096}}}};
  Finding F = judgedAs(Verdict::Confirmed, 64);
  F.Suppressed = {true, "why"};
  R.Findings.Findings = {F};
  RunRecord Back = recordFromJson(nlohmann::json::parse(toJson(R).dump()), "x");
  EXPECT_EQ(toJson(Back), toJson(R));
  EXPECT_EQ(Back.name(), "rank 3");
  EXPECT_EQ(Back.Sites[0].Objects[1].Death, 5u);
  EXPECT_EQ(Back.Sites[0].Holder->Way.at(1), "TensorImpl");
  EXPECT_EQ(Back.Sites[0].PeakCount, 10u);
  EXPECT_EQ(Back.Memory.at(0).Points.at(0).Kept, 9);
  EXPECT_EQ(Back.Memory.at(0).Reserved.at(0).Bytes, 4096);
  EXPECT_TRUE(Back.Findings.Findings[0].Suppressed->InSource);
  EXPECT_EQ(recordFileName(Back.Part), "rank-3.1003.record.json");
}

TEST(Record, OneOfAnOlderBuildHasNoMemoryOverTime) {
  nlohmann::json File = toJson(rank(0, {siteOf(20, 64)}));
  File.erase("memory");
  for (const char *New : {"peakBefore", "peakEarlier", "peakCount"})
    File["sites"][0].erase(New);
  RunRecord Back = recordFromJson(File, "x");
  EXPECT_TRUE(Back.Memory.empty());
  EXPECT_EQ(Back.Sites.at(0).BytesPerStep, 64);
}

TEST(Record, WhatIsNoneIsSaid) {
  auto ErrorOf = [](const nlohmann::json &File) -> std::string {
    try {
      recordFromJson(File, "x.json");
    } catch (const std::runtime_error &E) {
      return E.what();
    }
    return "";
  };
  EXPECT_NE(ErrorOf({{"version", "2.1.0"}}).find("'x.json' is no record"), std::string::npos);
  nlohmann::json File = toJson(rank(0, {}));
  EXPECT_EQ(ErrorOf(File), "");
  File["version"] = RecordVersion + 1;
  EXPECT_NE(ErrorOf(File).find("it has version 2, this build reads 1"), std::string::npos);
  File["version"] = RecordVersion;
  File.erase("steps");
  EXPECT_NE(ErrorOf(File).find("steps"), std::string::npos);
  for (nlohmann::json Broken : {nlohmann::json{{"format", 1}}, toJson(rank(0, {}))}) {
    Broken["version"] = "one";
    EXPECT_EQ(ErrorOf(Broken).find("json.exception"), std::string::npos) << ErrorOf(Broken);
    EXPECT_NE(ErrorOf(Broken).find("'x.json' is no record"), std::string::npos);
  }
}

TEST(Record, RanksComeFromTheLauncher) {
  EXPECT_EQ(partIn({{"RANK", "3"}, {"WORLD_SIZE", "8"}}).Rank, 3u);
  EXPECT_EQ(partIn({{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "2"}}).WorldSize, 2u);
  EXPECT_EQ(partIn({{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}}).Rank, 1u);
  EXPECT_EQ(partIn({{"SLURM_PROCID", "5"}, {"SLURM_NTASKS", "6"}}).Rank, 5u);
  // torchrun within a job of Slurm's
  EXPECT_EQ(
      partIn({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "1"}, {"RANK", "2"}, {"WORLD_SIZE", "4"}})
          .Rank,
      2u);
  EXPECT_FALSE(partIn({{"RANK", "captain"}, {"WORLD_SIZE", "4"}}).Rank);
  EXPECT_FALSE(partIn({{"RANK", "2"}}).Rank);
}

TEST(Ranks, TheOneThatGrowsIsNamed) {
  Job J = jobOf({rank(1, {siteOf(20, 64), siteOf(30, 0)}), rank(0, {siteOf(20, 0)})});
  ASSERT_EQ(J.Parts.size(), 2u);
  EXPECT_TRUE(J.Remarks.empty());
  EXPECT_EQ(whoGrows(J), "rank 1 (64 B per step) grows; the other does not");
  std::vector<JobSite> Sites = growingSites(J);
  ASSERT_EQ(Sites.size(), 1u);
  EXPECT_EQ(Sites[0].BytesPerStep, (std::vector<int64_t>{0, 64}));
  EXPECT_EQ(Sites[0].TotalBytes, (std::vector<int64_t>{0, 6400}));
}

TEST(Ranks, AllAndNone) {
  EXPECT_EQ(whoGrows(jobOf({rank(0, {siteOf(20, 64)}), rank(1, {siteOf(20, 32)})})),
            "rank 0 (64 B per step) and rank 1 (32 B per step) grow");
  EXPECT_EQ(whoGrows(jobOf({rank(0, {siteOf(20, 0)}), rank(1, {})})),
            "nothing grows in any of them");
}

TEST(Ranks, ALeakWithoutTensorMemoryGrowsToo) {
  RunRecord Leaking = rank(1, {});
  Leaking.Findings.Findings = {judgedAs(Verdict::Confirmed, 0)};
  EXPECT_EQ(whoGrows(jobOf({rank(0, {}), Leaking})), "rank 1 grows; the other does not");
  Leaking.Findings.Findings[0].Suppressed = {false, "known"};
  EXPECT_EQ(whoGrows(jobOf({rank(0, {}), Leaking})), "nothing grows in any of them");
}

TEST(Ranks, HelpersAndMissingRanksAreSaid) {
  RunRecord Helper = rank(0, {siteOf(20, 64)}, 3);
  Helper.Part.Pid = 77;
  Helper.Allocations = 5;
  Job J = jobOf({Helper, rank(0, {}, 3), rank(2, {}, 3)});
  ASSERT_EQ(J.Parts.size(), 2u);
  EXPECT_EQ(J.Parts[0].Part.Pid, 1000u);
  ASSERT_EQ(J.Remarks.size(), 2u);
  EXPECT_EQ(J.Remarks[1], "these are records of 2 of 3 ranks");
}

TEST(Ranks, ProcessesWithoutRanksStandAlone) {
  RunRecord A = rank(0, {}), B = rank(0, {siteOf(20, 8)});
  A.Part = {std::nullopt, std::nullopt, "host", 10, 1};
  B.Part = {std::nullopt, std::nullopt, "host", 11, 10};
  EXPECT_EQ(whoGrows(jobOf({A, B})), "process 11 (8 B per step) grows; the other does not");
}

TEST(Ranks, FindingsAreMergedByTheWorst) {
  RunRecord A = rank(0, {}), B = rank(1, {});
  A.Findings.Findings = {judgedAs(Verdict::Refuted, std::nullopt)};
  B.Findings.Findings = {judgedAs(Verdict::Confirmed, 64)};
  FindingSet Merged = mergeFindings(jobOf({A, B}));
  ASSERT_EQ(Merged.Findings.size(), 1u);
  const Finding &F = Merged.Findings[0];
  EXPECT_EQ(F.TheVerdict, Verdict::Confirmed);
  ASSERT_EQ(F.Parts.size(), 2u);
  EXPECT_EQ(F.Parts[0].TheVerdict, Verdict::Refuted);
  EXPECT_EQ(F.Parts[1].BytesPerStep, 64);
}
