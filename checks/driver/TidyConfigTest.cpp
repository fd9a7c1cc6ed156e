//===-- TidyConfigTest.cpp ------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/driver/TidyConfig.h"

#include "checks/frontend/commands/CheckRequest.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include <fstream>
#include <gtest/gtest.h>

using namespace tensorleak;
using clang::tidy::ClangTidyOptions;

static ClangTidyOptions parse(const char *Text) { return parseTidyConfig(Text, "/p/.clang-tidy"); }

static std::string globsIn(const char *Text) { return globsOfOurRules(parse(Text)); }

static std::string optionIn(const char *Text) {
  return parse(Text).CheckOptions.lookup("tensor-a.MinBytes").Value;
}

static std::string errorOf(const char *Text) {
  try {
    parse(Text);
  } catch (const RequestError &E) {
    return E.what();
  }
  return "";
}

TEST(TidyConfig, OnlyGlobsThatNameOurRulesSwitchThem) {
  EXPECT_EQ(globsIn("Checks: '-*,bugprone-*'\n"), "");
  EXPECT_EQ(globsIn("Checks: '-*, -tensor-a*, tensor-ab'\n"), "-tensor-a*,tensor-ab,");
  EXPECT_EQ(globsIn("Checks:\n  - '-*'\n  - tensor-a\n"), "tensor-a,");
  EXPECT_EQ(globsIn("Checks: >\n  -*,\n  -tensor-a\n"), "-tensor-a,");
  EXPECT_EQ(globsIn("Checks: |\n  -*\n  -tensor-a\n"), "-tensor-a,");
  EXPECT_EQ(globsIn("User: me\n"), "");
}

TEST(TidyConfig, ReadsBothFormsOfOptions) {
  EXPECT_EQ(optionIn("CheckOptions:\n  tensor-a.MinBytes: 7\n  x.y: z\n"), "7");
  EXPECT_EQ(optionIn("CheckOptions:\n  - {key: tensor-a.MinBytes, value: '7'}\n"), "7");
}

TEST(TidyConfig, SkipsKeysOfOtherVersions) {
  EXPECT_EQ(globsIn("FormatStyle: ''\nFoo: {a: [b]}\nChecks: tensor-a\n"), "tensor-a,");
  EXPECT_EQ(globsIn("Foo:\n- a\n\n- b\nChecks: tensor-a\nBar:\n  c: d\n"), "tensor-a,");
  EXPECT_EQ(optionIn("Foo:\n  a: b\nCheckOptions:\n  tensor-a.MinBytes: 7\n"), "7");
}

TEST(TidyConfig, ReadsWhatToReport) {
  ClangTidyOptions Config = parse("HeaderFilterRegex: 'src/.*'\nWarningsAsErrors: 'a,b*'\n"
                                  "ExcludeHeaderFilterRegex: gen\n");
  EXPECT_EQ(Config.HeaderFilterRegex, "src/.*");
  EXPECT_EQ(Config.ExcludeHeaderFilterRegex, "gen");
  EXPECT_EQ(Config.WarningsAsErrors, "a,b*");
  EXPECT_FALSE(parse("Checks: x\n").HeaderFilterRegex);
}

TEST(TidyConfig, Inherits) {
  EXPECT_TRUE(parse("InheritParentConfig: true\n").InheritParentConfig.value_or(false));
  EXPECT_FALSE(parse("Checks: x\n").InheritParentConfig.value_or(false));
}

TEST(TidyConfig, SaysWhereTheFileIsBroken) {
  EXPECT_EQ(errorOf("Checks: 'a\n"),
            "/p/.clang-tidy:1:11: Expected quote at end of scalar; fix the file, or remove it");
  EXPECT_EQ(errorOf("Foo: 1\nCheckOptions: 3\n"),
            "/p/.clang-tidy:2:15: expected a sequence or map; fix the file, or remove it");
  EXPECT_EQ(errorOf("{Checks: a, Foo: 1}\n"),
            "/p/.clang-tidy:1:13: unknown key 'Foo'; fix the file, or remove it");
}

namespace {
/// A project with a folder below it, each with a .clang-tidy.
class TidyConfigFiles : public testing::Test {
protected:
  TidyConfigFiles() { llvm::sys::fs::createUniqueDirectory("tidy-config", Root); }
  ~TidyConfigFiles() override { llvm::sys::fs::remove_directories(Root); }

  void write(const char *Folder, const char *Text) {
    llvm::sys::fs::create_directories(Root + "/" + Folder);
    std::ofstream((Root + "/" + Folder + "/.clang-tidy").str()) << Text;
  }
  ClangTidyOptions inner() { return tidyConfigFor((Root + "/outer/inner/a.cpp").str()); }

  llvm::SmallString<64> Root;
};
} // namespace

TEST_F(TidyConfigFiles, NearestAlone) {
  write("outer", "Checks: tensor-a\nHeaderFilterRegex: x\n");
  write("outer/inner", "Checks: tensor-b\n");
  EXPECT_EQ(inner().Checks, "tensor-b");
  EXPECT_FALSE(inner().HeaderFilterRegex);
}

TEST_F(TidyConfigFiles, InnerOverInherited) {
  write("outer", "Checks: tensor-a\nHeaderFilterRegex: x\n"
                 "CheckOptions: {tensor-a.MinBytes: 1, tensor-b.MinBytes: 2}\n");
  write("outer/inner", "InheritParentConfig: true\nChecks: -tensor-a\n"
                       "CheckOptions: {tensor-a.MinBytes: 3}\n");
  EXPECT_EQ(globsOfOurRules(inner()), "tensor-a,-tensor-a,");
  EXPECT_EQ(inner().HeaderFilterRegex, "x");
  EXPECT_EQ(inner().CheckOptions.lookup("tensor-a.MinBytes").Value, "3");
  EXPECT_EQ(inner().CheckOptions.lookup("tensor-b.MinBytes").Value, "2");
}

TEST_F(TidyConfigFiles, EmptyFileIsNone) {
  write("outer", "Checks: tensor-a\n");
  write("outer/inner", "");
  EXPECT_EQ(inner().Checks, "tensor-a");
}
