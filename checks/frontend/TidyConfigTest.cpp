//===-- TidyConfigTest.cpp ------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/TidyConfig.h"

#include "checks/frontend/Project.h"
#include <gtest/gtest.h>

using namespace tensorleak;

static TidyConfig parse(const char *Text) {
  bool Inherits;
  return parseTidyConfig(Text, "/p/.clang-tidy", Inherits);
}

TEST(TidyConfig, KeepsOnlyWhatNamesOurRules) {
  EXPECT_EQ(parse("Checks: '-*,bugprone-*'\n").Checks, "");
  EXPECT_EQ(parse("Checks: '-*, -tensor-a*, tensor-ab'\n").Checks, "-tensor-a*,tensor-ab,");
  EXPECT_EQ(parse("Checks:\n  - '-*'\n  - tensor-a\n").Checks, "tensor-a,");
  EXPECT_EQ(parse("Checks: >\n  -*,\n  -tensor-a\n").Checks, "-tensor-a,");
}

TEST(TidyConfig, ReadsBothFormsOfOptions) {
  std::map<std::string, std::string> Want{{"tensor-a.MinBytes", "7"}};
  EXPECT_EQ(parse("CheckOptions:\n  tensor-a.MinBytes: 7\n  x.y: z\n").Options, Want);
  EXPECT_EQ(parse("CheckOptions:\n  - {key: tensor-a.MinBytes, value: '7'}\n").Options, Want);
}

TEST(TidyConfig, SkipsWhatItDoesNotKnow) {
  TidyConfig Config = parse("FormatStyle: ''\nFoo: {a: [b]}\nChecks: tensor-a\n");
  EXPECT_EQ(Config.Checks, "tensor-a,");
}

TEST(TidyConfig, ReadsWhatToReport) {
  TidyConfig Config = parse("HeaderFilterRegex: 'src/.*'\nWarningsAsErrors: 'a,b*'\n"
                            "ExcludeHeaderFilterRegex: gen\n");
  EXPECT_EQ(Config.HeaderFilter, "src/.*");
  EXPECT_EQ(Config.ExcludeHeaderFilter, "gen");
  EXPECT_EQ(Config.WarningsAsErrors, "a,b*,");
  EXPECT_FALSE(parse("Checks: x\n").HeaderFilter);
}

TEST(TidyConfig, Inherits) {
  bool Inherits = false;
  parseTidyConfig("InheritParentConfig: true\n", "", Inherits);
  EXPECT_TRUE(Inherits);
}

TEST(TidyConfig, SaysWhereTheFileIsBroken) {
  try {
    parse("Checks: 'a\n");
    FAIL();
  } catch (const RequestError &E) {
    EXPECT_EQ(std::string(E.what()).find("/p/.clang-tidy:"), 0u) << E.what();
  }
}
