//===-- RdJsonTest.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/formats/Formats.h"

#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <unistd.h>

using namespace tensorleak;
using nlohmann::json;

namespace {

class RdJson : public testing::Test {
protected:
  RdJson() : File(testing::TempDir() + "rdjson." + std::to_string(getpid()) + ".cpp") {
    std::ofstream(File) << "int a;\nkept.push(a + b);\nlast;\n";
  }
  ~RdJson() override { std::remove(File.c_str()); }

  Finding finding() {
    Finding F;
    F.Rule = "tensor-x";
    F.Message = "kept";
    F.Where = {File, 2, 11};
    return F;
  }

  FixIt insert(unsigned Line, unsigned Column, std::string Text) {
    return {{File, Line, Column}, {File, Line, Column}, std::move(Text)};
  }

  json result(const Finding &F, std::string Folder = "") {
    FindingSet Set;
    Set.Findings = {F};
    std::ostringstream Out;
    RdJsonReport(Set, {false, std::move(Folder), ""}).write(Out);
    return json::parse(Out.str());
  }

  json diagnostic(const Finding &F) { return result(F)["diagnostics"].at(0); }

  std::string File;
};

TEST_F(RdJson, ADiagnosticHasPlaceSeverityAndRule) {
  json Result = result(finding(), File.substr(0, File.rfind('/')));
  EXPECT_EQ(Result["source"]["name"], "tensorleak");
  json D = Result["diagnostics"].at(0);
  EXPECT_EQ(D["message"], "kept");
  EXPECT_EQ(D["severity"], "WARNING");
  EXPECT_EQ(D["code"]["value"], "tensor-x");
  EXPECT_EQ(D["location"]["path"], File.substr(File.rfind('/') + 1));
  EXPECT_EQ(D["location"]["range"]["start"], json({{"line", 2}, {"column", 11}}));
  EXPECT_FALSE(D.contains("suggestions"));
}

TEST_F(RdJson, APlaceInAProgramHasNoRange) {
  Finding F = finding();
  F.Where.Line = F.Where.Column = 0;
  json D = diagnostic(F);
  EXPECT_FALSE(D["location"].contains("range"));
}

TEST_F(RdJson, AFixItIsASuggestion) {
  Finding F = finding();
  F.Fixes = {insert(2, 16, ".detach()")};
  json S = diagnostic(F)["suggestions"];
  ASSERT_EQ(S.size(), 1u);
  json At = {{"line", 2}, {"column", 16}};
  EXPECT_EQ(S[0]["range"], json({{"start", At}, {"end", At}}));
  EXPECT_EQ(S[0]["text"], ".detach()");
}

TEST_F(RdJson, FixItsThatBelongTogetherAreOneSuggestion) {
  Finding F = finding();
  F.Fixes = {insert(3, 1, "first; "), insert(2, 16, ").detach()"), insert(2, 11, "(")};
  json S = diagnostic(F)["suggestions"];
  ASSERT_EQ(S.size(), 1u);
  EXPECT_EQ(S[0]["range"]["start"], json({{"line", 2}, {"column", 11}}));
  EXPECT_EQ(S[0]["range"]["end"], json({{"line", 3}, {"column", 1}}));
  EXPECT_EQ(S[0]["text"], "(a + b).detach());\nfirst; ");
}

TEST_F(RdJson, HalfAFixIsNoSuggestion) {
  Finding F = finding();
  F.Fixes = {insert(2, 11, "("), {{"/other", 2, 16}, {"/other", 2, 16}, ")"}};
  EXPECT_FALSE(diagnostic(F).contains("suggestions"));
  F.Fixes = {insert(2, 11, "("), insert(2, 90, ")")}; // the file has changed since
  EXPECT_FALSE(diagnostic(F).contains("suggestions"));
  F.Fixes = {{{"/other", 2, 16}, {"/other", 2, 16}, ")"}};
  EXPECT_FALSE(diagnostic(F).contains("suggestions"));
}

TEST_F(RdJson, NotesAndVerdictStandInTheMessage) {
  Finding F = finding();
  F.Notes = {{{"/other.h", 7, 1}, "declared here"}};
  F.TheVerdict = Verdict::Confirmed;
  F.TheEvidence.Reason = "it grows";
  json D = diagnostic(F);
  EXPECT_EQ(D["message"], "kept; confirmed: it grows\n/other.h:7: declared here");
  EXPECT_EQ(D["severity"], "ERROR");
  F.TheVerdict = Verdict::Refuted;
  EXPECT_EQ(diagnostic(F)["severity"], "INFO");
}

TEST_F(RdJson, WhatIsSetAsideIsNoDiagnostic) {
  Finding F = finding();
  F.Suppressed = Suppression{true, "meant"};
  EXPECT_EQ(result(F)["diagnostics"], json::array());
}

} // namespace
