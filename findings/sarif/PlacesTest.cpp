//===-- PlacesTest.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/sarif/Places.h"

#include "findings/files/Utf16.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace tensorleak;
using nlohmann::json;

namespace {

class Places : public testing::Test {
protected:
  Places() : Folder(testing::TempDir() + "places." + std::to_string(getpid())) {
    std::filesystem::create_directories(Folder);
    File = Folder + "/a b.cpp";
    // A letter of two bytes, and one of four that is two units of UTF-16.
    std::ofstream(File) << "int a;\n/*\xC3\xA4\xF0\x9F\x98\x80*/ kept.push(x);\n";
  }
  ~Places() override { std::filesystem::remove_all(Folder); }

  std::string Folder, File;
};

TEST_F(Places, FilesBelowTheRootAreRelative) {
  PlaceWriter Writer(Folder);
  EXPECT_EQ(Writer.artifact(File), (json{{"uri", "a%20b.cpp"}, {"uriBaseId", "%SRCROOT%"}}));
  EXPECT_EQ(Writer.artifact("/usr/x.h"), (json{{"uri", "file:///usr/x.h"}}));
  EXPECT_EQ(Writer.artifact(Folder + "/x:y.h")["uri"], "x%3Ay.h");
  EXPECT_EQ(Writer.bases()["%SRCROOT%"]["uri"], "file://" + Folder + "/");
}

TEST_F(Places, RegionsAreWordsInUtf16) {
  PlaceWriter Writer(Folder);
  EXPECT_EQ(Writer.region(Location{File, 2, 12}),
            (json{{"startLine", 2}, {"startColumn", 9}, {"endLine", 2}, {"endColumn", 13}}));
  EXPECT_EQ(Writer.region(Location{File, 1, 6})["endColumn"], 7) << "a semicolon by itself";
  EXPECT_EQ(Writer.region(Location{Folder + "/gone.cpp", 3, 5}),
            (json{{"startLine", 3}, {"startColumn", 5}, {"endLine", 3}, {"endColumn", 6}}));
}

TEST_F(Places, AColumnThatIsNotKnownIsTheWholeLine) {
  PlaceWriter Writer(Folder);
  json Written = Writer.location({File, 1, 0});
  EXPECT_EQ(Written["physicalLocation"]["region"]["startColumn"], 1);
  EXPECT_EQ(Written["physicalLocation"]["region"]["endColumn"], 7);
  EXPECT_EQ(PlaceReader(Writer.bases(), "").location(Written), (Location{File, 1, 0}));
}

TEST_F(Places, EveryPlaceComesBack) {
  PlaceWriter Writer(Folder);
  for (Location L : {Location{File, 2, 12}, Location{File, 1, 5}, Location{"/usr/x.h", 7, 3}})
    EXPECT_EQ(PlaceReader(Writer.bases(), "").location(Writer.location(L)), L);
}

TEST_F(Places, TheRootCanBeElsewhere) {
  json Written = PlaceWriter(Folder).location({File, 2, 12});
  json Bases = PlaceWriter(Folder).bases();
  EXPECT_EQ(PlaceReader(Bases, "/elsewhere").location(Written).File, "/elsewhere/a b.cpp");
  json Nested = {{"%SRCROOT%", {{"uri", "src/"}, {"uriBaseId", "TOP"}}},
                 {"TOP", {{"uri", "file:///top/"}}}};
  EXPECT_EQ(PlaceReader(Nested, "").location(Written).File, "/top/src/a b.cpp");
  std::string Here = std::filesystem::current_path().string();
  EXPECT_EQ(PlaceReader(json::object(), "").location(Written).File, Here + "/a b.cpp");
}

TEST(Utf16, ColumnsGoBothWays) {
  constexpr std::string_view Line = "\xC3\xA4\xF0\x9F\x98\x80\xFFx";
  EXPECT_EQ(utf16Column(Line, 8), 5u);
  EXPECT_EQ(byteColumn(Line, 5), 8u);
  EXPECT_EQ(utf16Column(Line, 20), 5u + 12u) << "behind the end";
  EXPECT_EQ(byteColumn(Line, 17), 20u);
  EXPECT_EQ(toUtf16(Line), (std::u16string{0xE4, 0xD83D, 0xDE00, 0xFFFD, u'x'}));
}

} // namespace
