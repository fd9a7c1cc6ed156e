//===-- GitHubTest.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/formats/Formats.h"

#include <gtest/gtest.h>
#include <sstream>

using namespace tensorleak;

namespace {

Finding finding() {
  Finding F;
  F.Rule = "tensor-x";
  F.Message = "kept";
  F.Where = {"/src/a.cpp", 3, 5};
  return F;
}

std::string written(std::vector<Finding> Findings) {
  FindingSet Set;
  Set.Findings = std::move(Findings);
  std::ostringstream Out;
  GitHubReport(Set, {false, "/src", ""}).write(Out);
  return Out.str();
}

TEST(GitHub, AFindingIsACommandOfTheLog) {
  EXPECT_EQ(written({finding()}), "::warning file=a.cpp,line=3,col=5,title=tensor-x::kept\n");
}

TEST(GitHub, APlaceInAProgramHasNoLine) {
  Finding F = finding();
  F.Where.Line = F.Where.Column = 0;
  EXPECT_EQ(written({F}), "::warning file=a.cpp,title=tensor-x::kept\n");
}

TEST(GitHub, TheCommandFollowsLevelAndVerdict) {
  auto CommandFor = [](auto Change) {
    Finding F = finding();
    Change(F);
    std::string Text = written({F});
    return Text.substr(2, Text.find(' ') - 2);
  };
  EXPECT_EQ(CommandFor([](Finding &F) { F.TheLevel = Level::Note; }), "notice");
  EXPECT_EQ(CommandFor([](Finding &F) { F.AsError = true; }), "error");
  EXPECT_EQ(CommandFor([](Finding &F) { F.TheVerdict = Verdict::Confirmed; }), "error");
  EXPECT_EQ(CommandFor([](Finding &F) { F.TheVerdict = Verdict::Refuted; }), "notice");
  EXPECT_EQ(CommandFor([](Finding &F) { F.TheVerdict = Verdict::NotReached; }), "warning");
}

TEST(GitHub, NoNameEndsTheCommand) {
  Finding F = finding();
  F.Where.File = "/src/a,line=1::b%.cpp";
  F.Message = "100% kept\n::error::no";
  EXPECT_EQ(written({F}), "::warning file=a%2Cline=1%3A%3Ab%25.cpp,line=3,col=5,title=tensor-x"
                          "::100%25 kept%0A::error::no\n");
}

TEST(GitHub, WhatIsSetAsideIsNotShown) {
  Finding F = finding();
  F.Suppressed = Suppression{true, "meant"};
  EXPECT_EQ(written({F}), "");
}

} // namespace
