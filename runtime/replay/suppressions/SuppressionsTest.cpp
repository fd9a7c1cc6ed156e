//===-- SuppressionsTest.cpp - Known leaks --------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/suppressions/Suppressions.h"
#include "runtime/replay/facts/FactsByHand.h"

#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace tensorleak;
using namespace tensorleak::test;

namespace {

std::vector<Finding> suppressed(const std::string &Pattern, const RunFacts &Run, Finding F) {
  F.TheVerdict = Verdict::Confirmed;
  F.TheEvidence.BytesPerStep = 64;
  std::vector<Finding> Findings{std::move(F)};
  std::vector<SuppressionLine> Lines{{Pattern, "known.txt:1"}};
  suppress(Findings, Run, Lines);
  EXPECT_EQ(Lines[0].Findings, Findings[0].Suppressed ? 1u : 0u);
  EXPECT_EQ(Lines[0].BytesPerStep, Findings[0].Suppressed ? 64 : 0);
  return Findings;
}

bool isSuppressed(const std::string &Pattern, const RunFacts &Run, const Finding &F) {
  return suppressed(Pattern, Run, F)[0].Suppressed.has_value();
}

RunFacts runWith(std::vector<SourceSite> Sites) {
  RunFacts Run = cleanRun();
  Run.Sites = std::move(Sites);
  return Run;
}

std::string errorOf(const std::string &Content) {
  std::string Path = testing::TempDir() + std::to_string(getpid()) + "suppressions.txt";
  std::ofstream(Path) << Content;
  try {
    readSuppressions(Path);
  } catch (const std::runtime_error &E) {
    std::string What = E.what();
    return What.substr(What.find(':'));
  }
  return "";
}

} // namespace

TEST(Suppressions, APatternIsAPartOfTheName) {
  EXPECT_TRUE(matchesPattern("train", "void pretrain(int)"));
  EXPECT_FALSE(matchesPattern("Train", "train"));
  EXPECT_TRUE(matchesPattern("operator[]", "Bag::operator[](int)"));
  EXPECT_FALSE(matchesPattern("a?c", "abc"));
}

TEST(Suppressions, StarsAndEnds) {
  EXPECT_TRUE(matchesPattern("^train", "train(int)"));
  EXPECT_FALSE(matchesPattern("^train", "pretrain"));
  EXPECT_TRUE(matchesPattern("train$", "pretrain"));
  EXPECT_FALSE(matchesPattern("train$", "train(int)"));
  EXPECT_TRUE(matchesPattern("ab$", "ab ab"));
  EXPECT_TRUE(matchesPattern("^a*z$", "a to z"));
  EXPECT_FALSE(matchesPattern("^a*z$", "a to z "));
  EXPECT_FALSE(matchesPattern("ab*ab", "ab"));
  EXPECT_TRUE(matchesPattern("/lib*.so", "/opt/libcache.so.2"));
  EXPECT_FALSE(matchesPattern("x*y", "y x"));
}

TEST(Suppressions, FunctionFileAndModule) {
  SourceSite Site = growingSite(20, 64);
  Site.Modules = {"/opt/libcache.so", "/usr/lib/libtorch_cpu.so"};
  RunFacts Run = runWith({Site});
  Finding F = findingAt(20);
  EXPECT_TRUE(isSuppressed("^train$", Run, F));
  EXPECT_TRUE(isSuppressed("/p/train.cpp", Run, F));
  EXPECT_TRUE(isSuppressed("libcache", Run, F));
  EXPECT_FALSE(isSuppressed("evaluate", Run, F));
}

TEST(Suppressions, AllOfItsMemoryMustBeKnown) {
  SourceSite One = growingSite(20, 64), Two = growingSite(20, 64);
  One.Frames.push_back({"known", {"/p/other.cpp", 1, 1}});
  Two.Frames.push_back({"unknown caller", {"/p/other.cpp", 2, 1}});
  EXPECT_TRUE(isSuppressed("^known$", runWith({One}), findingAt(20)));
  EXPECT_FALSE(isSuppressed("^known$", runWith({One, Two}), findingAt(20)));
  Two.Objects.clear(); // nothing of it stays
  EXPECT_TRUE(isSuppressed("^known$", runWith({One, Two}), findingAt(20)));
}

TEST(Suppressions, GraphsWithoutTensorMemory) {
  RunFacts Run = cleanRun();
  Run.Censuses = {census(32, 2, 20)};
  EXPECT_TRUE(isSuppressed("^train$", Run, findingAt(20)));
  EXPECT_FALSE(isSuppressed("^train$", Run, findingAt(30)));
}

TEST(Suppressions, OnlyLeaks) {
  RunFacts Run = runWith({growingSite(20, 64)});
  EXPECT_FALSE(isSuppressed("train", Run, findingAt(20, Kind::Peak)));
  EXPECT_FALSE(isSuppressed("train", Run, findingAt(20, Kind::Correctness)));
  EXPECT_TRUE(isSuppressed("train", Run, findingAt(20, Kind::Ownership)));
}

TEST(Suppressions, FilesAreRead) {
  std::string Path = testing::TempDir() + std::to_string(getpid()) + "good.txt";
  std::ofstream(Path) << "# known\n\n  leak:a b \r\nleak:^c$\n";
  std::vector<SuppressionLine> Lines = readSuppressions(Path);
  ASSERT_EQ(Lines.size(), 2u);
  EXPECT_EQ(Lines[0].Pattern, "a b");
  EXPECT_EQ(Lines[1].Place, Path + ":4");
}

TEST(Suppressions, BadLinesAreSaid) {
  EXPECT_EQ(errorOf("# x\nleek:a\n"),
            ":2: 'leek:a' is no suppression; write leak:PATTERN, or # before a comment");
  EXPECT_EQ(errorOf("leak:\n"),
            ":1: 'leak:' would suppress everything; name a function, file or module");
  EXPECT_EQ(errorOf("leak:*\n"),
            ":1: 'leak:*' would suppress everything; name a function, file or module");
  EXPECT_EQ(errorOf("leak:x\n"), "");
}

TEST(Suppressions, EachLineIsDescribed) {
  std::vector<std::string> Lines =
      describe({{"cache", "known.txt:1", 2, 64}, {"other", "known.txt:2", 0, 0}});
  ASSERT_EQ(Lines.size(), 2u);
  EXPECT_NE(Lines[0].find("leak:cache (known.txt:1) suppressed 2 leaks"), std::string::npos);
  EXPECT_NE(Lines[1].find("leak:other (known.txt:2) matched nothing"), std::string::npos);
}
