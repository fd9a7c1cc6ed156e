//===-- ReplaceFileTest.cpp ------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/files/ReplaceFile.h"

#include "gtest/gtest.h"
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace tensorleak {
namespace {

namespace fs = std::filesystem;

class ReplaceFile : public testing::Test {
protected:
  void SetUp() override {
    const auto *Test = testing::UnitTest::GetInstance()->current_test_info();
    Folder = fs::path(testing::TempDir()) / ("replace-file-" + std::string(Test->name()));
    fs::remove_all(Folder);
    fs::create_directories(Folder);
    File = Folder / "train.cpp";
    std::ofstream(File) << "before";
  }
  void TearDown() override { fs::remove_all(Folder); }

  std::string content() const {
    std::ostringstream Text;
    Text << std::ifstream(File).rdbuf();
    return Text.str();
  }

  /// Nothing is left beside the file.
  size_t files() const {
    return size_t(std::distance(fs::directory_iterator(Folder), fs::directory_iterator()));
  }

  void expectRefused(const std::string &Text) {
    EXPECT_THROW(replaceFile(File, Text), std::system_error);
    EXPECT_EQ(content(), "before");
    EXPECT_EQ(files(), 1u);
  }

  fs::path Folder, File;
};

TEST_F(ReplaceFile, GivesTheNewContent) {
  replaceFile(File, "after");
  EXPECT_EQ(content(), "after");
  EXPECT_EQ(files(), 1u);
}

TEST_F(ReplaceFile, APipeStaysAPipeAndIsWrittenTo) {
  fs::path Pipe = Folder / "pipe";
  ASSERT_EQ(mkfifo(Pipe.c_str(), 0600), 0);
  int Reader = open(Pipe.c_str(), O_RDONLY | O_NONBLOCK);
  replaceFile(Pipe, "after");
  char Text[16] = "";
  EXPECT_EQ(read(Reader, Text, sizeof Text), 5);
  EXPECT_STREQ(Text, "after");
  close(Reader);
  EXPECT_TRUE(fs::is_fifo(Pipe));
}

TEST_F(ReplaceFile, MakesAFileThatWasNotThere) {
  fs::remove(File);
  replaceFile(File, "after");
  EXPECT_EQ(content(), "after");
  EXPECT_NE(fs::status(File).permissions() & fs::perms::owner_write, fs::perms::none);
}

TEST_F(ReplaceFile, KeepsTheMode) {
  fs::permissions(File, fs::perms(0751));
  replaceFile(File, "after");
  EXPECT_EQ(fs::status(File).permissions(), fs::perms(0751));
}

TEST_F(ReplaceFile, KeepsTheLink) {
  fs::path Link = Folder / "link.cpp";
  fs::create_symlink("train.cpp", Link);
  replaceFile(Link, "after");
  EXPECT_TRUE(fs::is_symlink(Link));
  EXPECT_EQ(content(), "after");
}

TEST_F(ReplaceFile, RefusesWhatIsReadOnly) {
  fs::permissions(File, fs::perms(0444));
  expectRefused("after");
}

/// A limit on the size of files fails a write as a full disk does, after a part of it.
TEST_F(ReplaceFile, LeavesTheFileWhereTheDiskIsFull) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit Before;
  getrlimit(RLIMIT_FSIZE, &Before);
  rlimit Small = {4096, Before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &Small);
  expectRefused(std::string(1 << 16, 'x'));
  setrlimit(RLIMIT_FSIZE, &Before);
}

TEST_F(ReplaceFile, SaysThatTheFolderIsMissing) {
  EXPECT_THROW(replaceFile(Folder / "none" / "a.cpp", "after"), std::system_error);
}

} // namespace
} // namespace tensorleak
