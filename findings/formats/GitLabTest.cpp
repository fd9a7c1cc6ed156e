//===-- GitLabTest.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/formats/Formats.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace tensorleak;
using nlohmann::json;

namespace {

Finding finding(std::string File = "/src/a.cpp", std::string Fingerprint = "f") {
  Finding F;
  F.Rule = "tensor-x";
  F.Message = "kept";
  F.Where = {std::move(File), 3, 5};
  F.Fingerprint = std::move(Fingerprint);
  return F;
}

json issues(std::vector<Finding> Findings) {
  FindingSet Set;
  Set.Findings = std::move(Findings);
  std::ostringstream Out;
  GitLabReport(Set, {false, "/src", ""}).write(Out);
  return json::parse(Out.str());
}

TEST(GitLab, AnIssueHasWhatGitLabReads) {
  json Issue = issues({finding()}).at(0);
  EXPECT_EQ(Issue["description"], "kept");
  EXPECT_EQ(Issue["check_name"], "tensor-x");
  EXPECT_EQ(Issue["severity"], "major");
  EXPECT_EQ(Issue["location"]["path"], "a.cpp");
  EXPECT_EQ(Issue["location"]["lines"]["begin"], 3);
  EXPECT_EQ(Issue["fingerprint"].get<std::string>().size(), 64u);
}

TEST(GitLab, APlaceInAProgramIsItsFirstLine) {
  Finding F = finding();
  F.Where.Line = F.Where.Column = 0;
  EXPECT_EQ(issues({F}).at(0)["location"]["lines"]["begin"], 1) << "GitLab counts from 1";
}

TEST(GitLab, SeverityFollowsLevelAndVerdict) {
  std::vector<Finding> Findings(5, finding());
  Findings[0].TheLevel = Level::Note;
  Findings[1].AsError = true;
  Findings[2].TheVerdict = Verdict::Confirmed;
  Findings[3].TheVerdict = Verdict::Refuted;
  Findings[4].TheVerdict = Verdict::NotReached;
  std::vector<std::string> Severities;
  for (const json &Issue : issues(Findings))
    Severities.push_back(Issue["severity"]);
  EXPECT_EQ(Severities,
            (std::vector<std::string>{"minor", "critical", "critical", "info", "major"}));
}

TEST(GitLab, TheVerdictEndsTheDescription) {
  Finding F = finding();
  F.TheVerdict = Verdict::Confirmed;
  F.TheEvidence.BytesPerStep = 2048;
  F.TheEvidence.Reason = "it grows";
  EXPECT_EQ(issues({F}).at(0)["description"], "kept; confirmed: 2 KiB per step (2048 B); it grows");
}

TEST(GitLab, EveryIssueHasItsOwnFingerprint) {
  std::set<std::string> All;
  for (const json &Issue : issues({finding(), finding(), finding("/src/b.cpp"),
                                   finding("/src/a.cpp", "g"), finding("/src/a.cpp", "")}))
    All.insert(Issue["fingerprint"].get<std::string>());
  EXPECT_EQ(All.size(), 5u);
}

TEST(GitLab, TheFingerprintOutlivesEditsAbove) {
  Finding Moved = finding();
  Moved.Where.Line = 30;
  EXPECT_EQ(issues({finding()}).at(0)["fingerprint"], issues({Moved}).at(0)["fingerprint"]);
}

TEST(GitLab, WhatIsSetAsideIsNoIssue) {
  Finding F = finding();
  F.Suppressed = Suppression{true, "meant"};
  EXPECT_EQ(issues({F}), json::array());
}

} // namespace
