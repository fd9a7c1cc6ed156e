//===-- FormatsTest.cpp - What every format must hold ------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/formats/Formats.h"

#include <gtest/gtest.h>
#include <set>
#include <sstream>

using namespace tensorleak;

namespace {

std::string print(const Format &F, const FindingSet &Set) {
  std::ostringstream Out;
  F.Make(Set, {/*Color=*/false, "/src", "the summary\n"})->write(Out);
  return Out.str();
}

FindingSet judgedSet(std::string File, std::string Message) {
  Finding F;
  F.Rule = "tensor-x";
  F.Message = std::move(Message);
  F.Where = {std::move(File), 3, 5};
  F.TheVerdict = Verdict::NotReached;
  F.TheEvidence.Reason = "the line never ran";
  FindingSet Set;
  Set.Findings.push_back(std::move(F));
  return Set;
}

bool holds(const std::string &Text, std::string_view Part) {
  return Text.find(Part) != std::string::npos;
}

TEST(Formats, EachHasItsOwnName) {
  std::set<std::string_view> Names;
  for (const Format &F : allFormats()) {
    EXPECT_TRUE(Names.insert(F.Name).second) << F.Name;
    EXPECT_EQ(&formatNamed(F.Name), &F);
  }
  EXPECT_THROW(formatNamed("html"), std::invalid_argument);
}

TEST(Formats, EachShowsTheVerdictAndWhy) {
  FindingSet Set = judgedSet("/src/a.cpp", "kept");
  for (const Format &F : allFormats()) {
    std::string Text = print(F, Set);
    EXPECT_TRUE(holds(Text, wordsFor(Verdict::NotReached)) ||
                holds(Text, toString(Verdict::NotReached)))
        << F.Name;
    EXPECT_TRUE(holds(Text, "the line never ran")) << F.Name;
  }
}

TEST(Formats, OnlyPeopleGetTheSummary) {
  FindingSet Set = judgedSet("/src/a.cpp", "kept");
  for (const Format &F : allFormats())
    EXPECT_EQ(holds(print(F, Set), "the summary"), F.ReadBy == Reader::People) << F.Name;
}

TEST(Formats, AnyByteMayStandInANameOrMessage) {
  std::string Hostile = "a\"'<>&]]>\\\x01\x1b\n\xff\xc3(";
  FindingSet Set = judgedSet("/src/" + Hostile + ".cpp", Hostile);
  Set.Findings.front().TheEvidence.Holder = Hostile;
  Set.Findings.front().Notes = {{{"/src/" + Hostile, 1, 1}, Hostile}};
  Set.Findings.front().Fixes = {{{"/src/" + Hostile, 1, 1}, {"/src/" + Hostile, 1, 1}, Hostile}};
  Set.Notifications = {Hostile};
  for (const Format &F : allFormats()) {
    std::string Text = print(F, Set);
    EXPECT_TRUE(holds(Text, "tensor-x")) << F.Name;
    if (F.ReadBy == Reader::Machines) {
      EXPECT_FALSE(holds(Text, "\xff")) << F.Name;
      EXPECT_FALSE(holds(Text, "\x01")) << F.Name;
    }
  }
}

TEST(Formats, NoFindingIsAReportToo) {
  for (const Format &F : allFormats())
    EXPECT_NO_THROW(print(F, {})) << F.Name;
}

TEST(Formats, PathsAreShortBelowTheFolderOnly) {
  EXPECT_EQ(shortPath("/src/a/b.cpp", "/src"), "a/b.cpp");
  EXPECT_EQ(shortPath("/src2/b.cpp", "/src"), "/src2/b.cpp");
  EXPECT_EQ(shortPath("/src", "/src"), "/src");
  EXPECT_EQ(shortPath("/src/b.cpp", ""), "/src/b.cpp");
}

TEST(Formats, AFileThatCannotBeWrittenIsNamed) {
  FindingSet Set = judgedSet("/src/a.cpp", "kept");
  TextReport Report(Set, {});
  try {
    writeFile(Report, "/nowhere/out.txt");
    FAIL() << "written";
  } catch (const std::runtime_error &E) {
    EXPECT_TRUE(holds(E.what(), "'/nowhere/out.txt'")) << E.what();
  }
}

} // namespace
