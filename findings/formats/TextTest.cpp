//===-- TextTest.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/formats/Formats.h"

#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <unistd.h>

using namespace tensorleak;

namespace {

class Text : public testing::Test {
protected:
  /// Tests run beside each other: each has a file of its own.
  Text() : Name("text_test." + std::to_string(getpid()) + ".cpp"), File(testing::TempDir() + Name) {
    std::ofstream(File) << "int a;\n\tkept.push(\xC3\xA4, loss);\n";
  }
  ~Text() override { std::remove(File.c_str()); }

  std::string print(const Finding &F, std::string Folder = "") {
    std::ostringstream Out;
    FindingSet Set;
    Set.Findings = {F};
    TextReport(Set, {/*Color=*/false, std::move(Folder), ""}).write(Out);
    return Out.str();
  }

  Finding finding(unsigned Line, unsigned Column) {
    Finding F;
    F.Rule = "tensor-x";
    F.Message = "kept";
    F.Where = {File, Line, Column};
    return F;
  }

  std::string Name, File;
};

TEST_F(Text, CaretLinesUpAfterTabsAndUtf8) {
  EXPECT_EQ(print(finding(2, 16)), File + ":2:16: warning: kept [tensor-x]\n"
                                          "    2 | \tkept.push(\xC3\xA4, loss);\n"
                                          "      | \t             ^\n");
}

TEST_F(Text, FixItStandsBelow) {
  Finding F = finding(1, 5);
  F.Fixes = {{{File, 1, 6}, {File, 1, 6}, ".detach()"}};
  EXPECT_EQ(print(F), File + ":1:5: warning: kept [tensor-x]\n"
                             "    1 | int a;\n      |     ^\n      |      .detach()\n");
}

TEST_F(Text, SentencesAreWrappedAtWordsForATerminal) {
  Finding F = finding(2, 16);
  F.Message = "kept by a long list that is never read";
  ReportContext Context;
  Context.Width = 30;
  FindingSet Set;
  Set.Findings = {F};
  Set.Findings[0].Where.File = "/a.cpp";
  std::ostringstream Out;
  TextReport(Set, Context).write(Out);
  EXPECT_EQ(Out.str(), "/a.cpp:2:16: warning: kept by\n    a long list that is never\n"
                       "    read [tensor-x]\n");
  Set.Findings = {F}; // a source line is never wrapped, and colours take no room
  Context.Width = 10;
  Context.Color = true;
  Out.str("");
  TextReport(Set, Context).write(Out);
  EXPECT_NE(Out.str().find("    2 | \tkept.push(\xC3\xA4, loss);\n"), std::string::npos)
      << Out.str();
}

TEST_F(Text, NoteLevelIsANote) {
  Finding F = finding(9, 1); // past the end of the file
  F.TheLevel = Level::Note;
  F.Notes = {{{File, 1, 1}, "declared here"}};
  EXPECT_EQ(print(F), File + ":9:1: note: kept [tensor-x]\n" + File +
                          ":1:1: note: declared here\n    1 | int a;\n      | ^\n");
}

TEST_F(Text, PathsBelowTheFolderAreShort) {
  std::string Folder = File.substr(0, File.rfind('/'));
  Finding F = finding(9, 1);
  EXPECT_EQ(print(F, Folder), Name + ":9:1: warning: kept [tensor-x]\n");
  F.TheVerdict = Verdict::Refuted;
  EXPECT_EQ(print(F, Folder), Name + ":9:1: warning: kept [tensor-x]\n  refuted: \n");
}

TEST_F(Text, APlaceIsShownOnceInARow) {
  Finding F = finding(1, 5);
  F.Notes = {{{File, 1, 5}, "also here"}, {{File, 1, 1}, "from here"}, {{File, 1, 5}, "to here"}};
  EXPECT_EQ(print(F), File + ":1:5: warning: kept [tensor-x]\n    1 | int a;\n      |     ^\n" +
                          File + ":1:5: note: also here\n" + File +
                          ":1:1: note: from here\n    1 | int a;\n      | ^\n" + File +
                          ":1:5: note: to here\n    1 | int a;\n      |     ^\n");
}

TEST_F(Text, WhatTheRunSaysStandsInThePlaceOfTheSource) {
  Finding F = finding(1, 5);
  F.TheVerdict = Verdict::Confirmed;
  F.TheEvidence.BytesPerStep = 2048;
  F.TheEvidence.Reason = "it grows";
  F.TheEvidence.Holder = "'kept'";
  F.Parts = {{"rank 0", Verdict::NotReached, {}}, {"rank 1", Verdict::Confirmed, 2048}};
  EXPECT_EQ(print(F), File + ":1:5: warning: kept [tensor-x]\n"
                             "  confirmed: 2 KiB per step (2048 B); it grows\n"
                             "  kept by 'kept'\n"
                             "  rank 1: confirmed, 2 KiB per step\n"
                             "  rank 0: not reached\n");
}

TEST_F(Text, WhatIsExpectedComesLastAndWhatIsKnownIsLeftOut) {
  Finding F = finding(1, 5);
  F.TheVerdict = Verdict::Confirmed;
  F.TheEvidence.TotalBytes = 64;
  F.Suppressed = Suppression{/*InSource=*/true, "the program says so"};
  EXPECT_EQ(print(F), "tensorleak: expected: " + File + ":1:5: 64 B in all; the program says so\n");
  F.Suppressed->InSource = false;
  EXPECT_EQ(print(F), "");
}

} // namespace
