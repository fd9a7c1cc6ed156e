//===-- FileStatesTest.cpp -------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/cache/FileStates.h"

#include "checks/frontend/cache/Cache.h"
#include "checks/frontend/cache/Contents.h"
#include "checks/frontend/cache/JsonFile.h"
#include "checks/frontend/cache/RecordingFiles.h"
#include "checks/source/Paths.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>

using namespace llvm;

namespace tensorleak {
namespace {

/// A folder with a file, and what was asked of it.
class FileStatesTest : public testing::Test {
protected:
  void SetUp() override {
    SmallString<128> Made;
    ASSERT_FALSE(sys::fs::createUniqueDirectory("states", Made));
    Folder = Made.str().str();
    File = joinPath(Folder, "file");
    write("old");
  }
  void TearDown() override { sys::fs::remove_directories(Folder); }

  void write(const std::string &Text) const { std::ofstream(File) << Text; }

  /// With the file system as it is now, from the first question on.
  bool hold(StringRef Lines) const { return FileStates(Folder).hold(Lines); }

  std::string line(Question Q, const std::string &Path) const {
    return lineFor(Q, stateOf(Q, Path), "", Path);
  }

  /// What reading through RecordingFiles writes down.
  std::string linesOf(function_ref<void(vfs::FileSystem &)> Ask) const {
    FileReads Into;
    auto Files = makeIntrusiveRefCnt<RecordingFiles>(vfs::getRealFileSystem(), Into);
    Ask(*Files);
    return Into.lines();
  }

  std::string Folder, File;
};

TEST_F(FileStatesTest, HoldWhileNothingChanges) {
  const std::string Absent = joinPath(Folder, "absent");
  const std::string Lines = line(Question::Content, File) + line(Question::Kind, Folder) +
                            line(Question::Kind, Absent) + line(Question::Names, Folder);
  EXPECT_TRUE(hold(Lines));
  write("new");
  EXPECT_FALSE(hold(line(Question::Content, File) + Lines));
}

TEST_F(FileStatesTest, WhatWasAbsentAppears) {
  const std::string Absent = joinPath(Folder, "absent");
  const std::string Kind = line(Question::Kind, Absent), Names = line(Question::Names, Folder);
  std::ofstream(Absent) << "now";
  EXPECT_FALSE(hold(Kind));
  EXPECT_FALSE(hold(Names));
}

TEST_F(FileStatesTest, SameSizeAndTimesThatWereSetBack) {
  struct stat Before;
  ASSERT_EQ(::stat(File.c_str(), &Before), 0);
  const std::string Line = line(Question::Content, File);
  write("new");
  const timespec Times[] = {Before.st_atim, Before.st_mtim};
  ASSERT_EQ(::utimensat(AT_FDCWD, File.c_str(), Times, 0), 0);
  EXPECT_FALSE(hold(Line));
}

TEST_F(FileStatesTest, AFileThatWasJustWrittenIsNotTrusted) {
  EXPECT_EQ(signatureOf(File), "");
  EXPECT_NE(signatureOf("/bin/sh"), "");
}

TEST_F(FileStatesTest, BrokenLinesDoNotHold) {
  const std::string Good = line(Question::Content, File);
  EXPECT_FALSE(hold(""));
  EXPECT_FALSE(hold("\n"));
  EXPECT_FALSE(hold("garbage\n"));
  EXPECT_FALSE(hold(StringRef(Good).drop_back())); // cut
  EXPECT_FALSE(hold(Good + "\n"));
  EXPECT_FALSE(hold(lineFor(Question::Others, "", "", "0123456789abcdef")));
}

/// One bit makes one number another, which is CBOR as before.
TEST_F(FileStatesTest, AFileOfFactsWithABrokenBitIsNone) {
  writeJson(File, {{"fate", 2}});
  EXPECT_EQ(readJson(File), (nlohmann::json{{"fate", 2}}));
  std::fstream Stream(File, std::ios::in | std::ios::out | std::ios::binary);
  Stream.seekp(-1, std::ios::end);
  Stream.put(3);
  Stream.close();
  EXPECT_TRUE(readJson(File).is_null());
}

TEST_F(FileStatesTest, WhatHasNoEndIsNotRead) {
  const std::string Digest = digestOf("");
  EXPECT_FALSE(hold(lineFor(Question::Content, Digest, "", "/dev/zero")));
  const std::string Pipe = joinPath(Folder, "pipe");
  ASSERT_EQ(::mkfifo(Pipe.c_str(), 0600), 0);
  EXPECT_FALSE(hold(lineFor(Question::Content, Digest, "", Pipe)));
}

TEST_F(FileStatesTest, ListsHoldByTheirName) {
  const std::string Name = keepLines(Folder, line(Question::Content, File));
  const std::string Line = lineFor(Question::Others, "", "", Name);
  EXPECT_TRUE(hold(Line));
  std::ofstream(joinPath(Folder, Name + ReadsEnding.str()), std::ios::app)
      << line(Question::Kind, File);
  EXPECT_FALSE(hold(Line));
}

TEST_F(FileStatesTest, WhatIsAskedIsWrittenDown) {
  const std::string Absent = joinPath(Folder, "absent");
  const std::string Lines = linesOf([&](vfs::FileSystem &Files) {
    EXPECT_TRUE(Files.getBufferForFile(File));
    EXPECT_FALSE(Files.exists(Absent));
  });
  EXPECT_NE(Lines.find("=" + digestOf("old")), std::string::npos);
  EXPECT_NE(Lines.find("?-\t\t" + Absent), std::string::npos);
  EXPECT_TRUE(hold(Lines));
  write("new");
  EXPECT_FALSE(hold(Lines));
}

/// Thousands of headers are looked at once each, not twice.
TEST_F(FileStatesTest, WhatWasReadIsNotAskedForItsKindAsWell) {
  const std::string Other = joinPath(Folder, "other");
  std::ofstream(Other) << "other";
  const std::string Lines = linesOf([&](vfs::FileSystem &Files) {
    EXPECT_TRUE(Files.getBufferForFile(File));
    EXPECT_TRUE(Files.exists(Other));
  });
  EXPECT_EQ(Lines.find("?f\t\t" + File), std::string::npos);
  EXPECT_NE(Lines.find("?f\t\t" + Other), std::string::npos);
  sys::fs::remove(File);
  sys::fs::create_directory(File);
  EXPECT_FALSE(hold(Lines));
}

//===-- The bound on the size of the cache -----------------------------------===//

/// 1,000 bytes that were used an hour ago.
std::string addOldEntry(const std::string &Folder, const std::string &Key) {
  const std::string Path = joinPath(Folder, Key + ResultEnding.str());
  std::ofstream(Path) << std::string(1000, 'x');
  const timespec Old{::time(nullptr) - 3600, 0}, Times[] = {Old, Old};
  EXPECT_EQ(::utimensat(AT_FDCWD, Path.c_str(), Times, 0), 0);
  return Path;
}

TEST_F(FileStatesTest, AFullCacheIsTrimmedAtOnceAndAgain) {
  for (int Round = 0; Round < 2; ++Round) {
    const std::string Path = addOldEntry(Folder, "aa");
    boundCache(Folder, 500);
    EXPECT_FALSE(sys::fs::exists(Path));
  }
}

TEST_F(FileStatesTest, ACacheWithRoomIsNotLookedThroughEachTime) {
  boundCache(Folder, 2500);
  const std::string First = addOldEntry(Folder, "aa");
  addOldEntry(Folder, "bb");
  addOldEntry(Folder, "cc");
  boundCache(Folder, 2500); // a minute has not passed
  EXPECT_TRUE(sys::fs::exists(First));
  EXPECT_EQ(trimCache(Folder, 2500), 1000U);
  EXPECT_FALSE(sys::fs::exists(First));
}

} // namespace
} // namespace tensorleak
