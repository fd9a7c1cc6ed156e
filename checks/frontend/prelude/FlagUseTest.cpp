//===-- FlagUseTest.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/prelude/FlagUse.h"

#include "checks/source/Paths.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <fstream>
#include <gtest/gtest.h>

using namespace llvm;

namespace tensorleak {
namespace {

/// Headers that mention ASKED and include <torch/torch.h> and <vector>; folders for them.
class FlagUseTest : public testing::Test {
protected:
  void SetUp() override {
    SmallString<128> Made;
    ASSERT_FALSE(sys::fs::createUniqueDirectory("flags", Made));
    Root = Made.str().str();
  }
  void TearDown() override { sys::fs::remove_directories(Root); }

  std::string folder(const std::string &Name) {
    const std::string Path = joinPath(Root, Name);
    EXPECT_FALSE(sys::fs::create_directories(Path));
    return Path;
  }

  void put(const std::string &Name) {
    folder(sys::path::parent_path(Name).str());
    std::ofstream(joinPath(Root, Name)) << "\n";
  }

  std::string part(const MacroFlags &Macros, const std::vector<std::string> &Folders = {}) {
    clang::HeaderSearchOptions Search;
    for (const std::string &Path : Folders)
      Search.AddPath(Path, clang::frontend::Angled, false, true);
    FileStates States("");
    Asked = FileReads();
    return Use.partThatMatters(Macros, Search, Root, States, Asked);
  }

  std::string Root;
  FileReads Asked;
  FlagUse Use{{"ASKED", "torch"}, {"vector", "torch/torch.h", "vector"}};
};

TEST_F(FlagUseTest, OnlyMacrosThatAreMentionedMatter) {
  EXPECT_EQ(part({{"TARGET_1", false}, {"SIZE=1", false}}), part({{"SIZE=2", false}}));
  EXPECT_NE(part({{"ASKED", false}}), part({}));
  EXPECT_NE(part({{"ASKED=1", false}}), part({{"ASKED=2", false}}));
}

TEST_F(FlagUseTest, TheOrderOfDefinitionsMatters) {
  EXPECT_NE(part({{"ASKED=1", false}, {"ASKED=2", false}}),
            part({{"ASKED=2", false}, {"ASKED=1", false}}));
}

TEST_F(FlagUseTest, WhatIsUndefinedMatters) {
  EXPECT_NE(part({{"SIZE", true}}), part({}));
  EXPECT_NE(part({{"SIZE=1", false}, {"SIZE", true}}), part({{"SIZE=1", false}}));
}

TEST_F(FlagUseTest, MacrosWithParametersMatter) {
  EXPECT_NE(part({{"OTHER(X)=X", false}}), part({}));
  EXPECT_EQ(part({{"OTHER=(X)", false}}), part({}));
}

TEST_F(FlagUseTest, WhatDoesNotMatterIsLeftToTheSource) {
  EXPECT_EQ(Use.split({{"A=1", false}, {"ASKED", false}}).second, (MacroFlags{{"A=1", false}}));
}

TEST_F(FlagUseTest, FoldersWithoutSuchHeadersDoNotMatter) {
  put("own/parts/part.h");
  put("torch_like/torch/other.h");
  folder("as_folder/vector");
  for (const char *Name : {"own", "torch_like", "as_folder", "gone"})
    EXPECT_EQ(part({}, {joinPath(Root, Name)}), part({})) << Name;
}

TEST_F(FlagUseTest, FoldersWithSuchHeadersMatter) {
  put("has/torch/torch.h");
  put("shadows/vector");
  put("map"); // a file instead of a folder: a map of headers
  for (const char *Name : {"has", "shadows", "map"})
    EXPECT_NE(part({}, {joinPath(Root, Name)}), part({})) << Name;
  EXPECT_NE(part({}, {joinPath(Root, "has"), joinPath(Root, "shadows")}),
            part({}, {joinPath(Root, "shadows"), joinPath(Root, "has")}));
}

TEST_F(FlagUseTest, FoldersBehindLinksAreWhereTheLinkLeads) {
  put("deep/down/vector");
  folder("deep/down/below");
  ASSERT_FALSE(sys::fs::create_link(joinPath(Root, "deep/down/below"), joinPath(Root, "link")));
  EXPECT_NE(part({}, {joinPath(Root, "link/..")}), part({}));
}

TEST_F(FlagUseTest, RelativeFoldersThatMatterAreThoseOfOneDirectory) {
  put("has/torch/torch.h");
  EXPECT_NE(StringRef(part({}, {"has"})).find(Root), StringRef::npos);
  EXPECT_EQ(part({}, {"own"}), part({}));
}

TEST_F(FlagUseTest, AHeaderThatAppearsIsNoticed) {
  const std::string Own = folder("own");
  folder("own/torch");
  part({}, {Own});
  const std::string Lines = Asked.lines();
  EXPECT_TRUE(FileStates("").hold(Lines));
  put("own/other.h");
  EXPECT_TRUE(FileStates("").hold(Lines));
  put("own/torch/torch.h");
  EXPECT_FALSE(FileStates("").hold(Lines));
}

TEST_F(FlagUseTest, AFolderThatAppearsIsNoticed) {
  part({}, {joinPath(Root, "later")});
  const std::string Lines = Asked.lines();
  EXPECT_TRUE(FileStates("").hold(Lines));
  put("later/vector");
  EXPECT_FALSE(FileStates("").hold(Lines));
}

TEST_F(FlagUseTest, IsReadAsItWasWritten) {
  CacheEntry Entry(Root, "entry");
  EXPECT_FALSE(FlagUse::read(Entry));
  ASSERT_TRUE(Use.write(Entry));
  std::optional<FlagUse> Read = FlagUse::read(Entry);
  ASSERT_TRUE(Read);
  put("has/vector");
  const std::string Before = part({{"ASKED", false}, {"A", false}}, {joinPath(Root, "has")});
  Use = *Read;
  EXPECT_EQ(part({{"ASKED", false}, {"A", false}}, {joinPath(Root, "has")}), Before);
}

} // namespace
} // namespace tensorleak
