//===-- ChangesTest.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/changes/Changes.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <unistd.h>

using namespace tensorleak;

namespace {

Changes read(const std::string &Text) {
  std::istringstream In(Text);
  return readUnifiedDiff(In);
}

std::string touchedLines(const ChangedFile &File, unsigned Last = 12) {
  std::string Out;
  for (unsigned Line = 1; Line <= Last; ++Line)
    if (File.touches(Line))
      Out += (Out.empty() ? "" : " ") + std::to_string(Line);
  return Out;
}

TEST(UnifiedDiff, WhatIsWrittenIsTouchedAndItsNeighboursAreNot) {
  Changes C = read("diff --git a/t.cpp b/t.cpp\n--- a/t.cpp\n+++ b/t.cpp\n"
                   "@@ -2,3 +2,4 @@ void f() {\n same\n-old\n+new\n+more\n same\n"
                   "@@ -9 +10 @@\n-old\n+new\n");
  EXPECT_EQ(touchedLines(C.at("b/t.cpp")), "3 4 10");
}

TEST(UnifiedDiff, WhatIsRemovedTouchesTheLinesAroundIt) {
  EXPECT_EQ(touchedLines(read("--- t.cpp\n+++ t.cpp\n@@ -5,2 +4,0 @@\n-a\n-b\n").at("t.cpp")),
            "4 5");
  EXPECT_EQ(touchedLines(read("--- t.cpp\n+++ t.cpp\n@@ -4,3 +4,2 @@\n a\n-b\n c\n").at("t.cpp")),
            "4 5");
}

TEST(UnifiedDiff, LinesOfAHunkAreNoHeaders) {
  Changes C = read("--- a/t\n+++ b/t\n@@ -1,2 +1,2 @@\n--- x\n+++ y\n same\n"
                   "\\ No newline at end of file\n");
  ASSERT_EQ(C.size(), 1u);
  EXPECT_EQ(touchedLines(C.at("b/t")), "1");
}

TEST(UnifiedDiff, RenamedNewAndDeletedFiles) {
  Changes C =
      read("diff --git a/old.cu b/new.cu\nsimilarity index 90%\nrename from old.cu\n"
           "rename to new.cu\n--- a/old.cu\n+++ b/new.cu\n@@ -3 +3 @@\n-a\n+b\n"
           "diff --git a/gone.cpp b/gone.cpp\n--- a/gone.cpp\n+++ /dev/null\n"
           "@@ -1,2 +0,0 @@\n-a\n-b\n"
           "diff --git a/n.cpp b/n.cpp\n--- /dev/null\n+++ b/n.cpp\n@@ -0,0 +1,2 @@\n+a\n+b\n");
  ASSERT_EQ(C.size(), 2u);
  EXPECT_EQ(touchedLines(C.at("b/new.cu")), "3");
  EXPECT_EQ(touchedLines(C.at("b/n.cpp")), "1 2");
}

TEST(UnifiedDiff, NamesAreQuotedOrHaveATime) {
  Changes C = read("--- \"a/\\303\\244 \\\"b\\\".cpp\"\n+++ \"b/\\303\\244 \\\"b\\\".cpp\"\n"
                   "@@ -1 +1 @@\n-a\n+b\n--- x.cpp\t2026-01-01\n+++ x.cpp\t2026-01-02\r\n"
                   "@@ -1 +1 @@\r\n-a\r\n+b\r\n");
  EXPECT_EQ(C.count("b/\xC3\xA4 \"b\".cpp"), 1u);
  EXPECT_EQ(touchedLines(C.at("x.cpp")), "1");
}

TEST(UnifiedDiff, WhatIsNoneIsRefused) {
  EXPECT_TRUE(read("").empty()) << "nothing changed";
  EXPECT_THROW(read("int main() {}\n"), std::runtime_error);
  EXPECT_THROW(read("diff --cc t\n@@@ -1,1 -1,1 +1,1 @@@\n"), std::runtime_error);
  EXPECT_THROW(read("+++ b/t\n@@ what @@\n"), std::runtime_error);
}

TEST(Changes, NamesAreFoundWithAndWithoutAPrefix) {
  std::string Top = testing::TempDir() + "changes." + std::to_string(getpid());
  std::filesystem::create_directories(Top + "/src");
  std::ofstream(Top + "/src/a.cpp") << "x";
  std::ofstream(Top + "/a.cpp") << "x";
  std::string Real = std::filesystem::canonical(Top).string();
  auto Place = [&](const std::string &Name) {
    Changes C = placedIn({Top}, {{Name, {}}});
    return C.empty() ? "" : C.begin()->first.substr(Real.size());
  };
  EXPECT_EQ(Place("b/src/a.cpp"), "/src/a.cpp");
  EXPECT_EQ(Place("src/a.cpp"), "/src/a.cpp") << "and not a.cpp, which is there too";
  EXPECT_EQ(Place("b/a.cpp"), "/a.cpp");
  EXPECT_EQ(Place("b/gone.cpp"), "");
  std::filesystem::remove_all(Top);
}

TEST(Changes, ACauseCountsAndTheRestOfTheFileDoesNot) {
  Finding F;
  F.Where = {"/t.cpp", 9, 1};
  F.Notes = {{{"/t.h", 3, 1}, "declared here"}};
  F.TheSubject.Loop = {"/t.cpp", 5, 10};
  ChangedFile Line9, Line8, Line3, Gap7, Gap4;
  Line9.Written = {{"", 9, 9}};
  Line8.Written = {{"", 8, 8}};
  Line3.Written = {{"", 3, 3}};
  Gap7.RemovedAt = {7};
  Gap4.RemovedAt = {4};
  EXPECT_TRUE(touches({{"/t.cpp", Line9}}, F));
  EXPECT_FALSE(touches({{"/t.cpp", Line8}}, F));
  EXPECT_TRUE(touches({{"/t.h", Line3}}, F)) << "of the note";
  EXPECT_FALSE(touches({{"/t.cpp", Line3}}, F));
  EXPECT_TRUE(touches({{"/t.cpp", Gap7}}, F)) << "a reset that was removed from the loop";
  EXPECT_FALSE(touches({{"/t.cpp", Gap4}}, F));
}

} // namespace
