//===-- TraceFileTest.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program closes our descriptor, and opens its own file under the same number.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/core/TraceFile.h"

#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

using tensorleak::probe::TraceFile;
namespace fs = std::filesystem;

namespace {

constexpr size_t Page = 4096;

class TraceFileTest : public testing::Test {
protected:
  void SetUp() override {
    Folder = fs::path(testing::TempDir()) / ("TraceFileTest." + std::to_string(getpid()));
    fs::create_directories(Folder);
    Before = descriptors();
    ASSERT_TRUE(Trace.create(Folder / "trace"));
    ASSERT_TRUE(Trace.grow(4 * Page));
  }
  void TearDown() override { fs::remove_all(Folder); }

  static std::set<int> descriptors() {
    std::set<int> Open;
    for (int File = 0; File < 1024; ++File)
      if (fcntl(File, F_GETFD) >= 0)
        Open.insert(File);
    return Open;
  }

  /// What a program that closes all it inherits does, and then writes a checkpoint.
  void takeOurDescriptorFor(const fs::path &File) const {
    int Own = open(File.c_str(), O_RDWR | O_CREAT, 0644);
    ASSERT_EQ(ftruncate(Own, 64 * Page), 0);
    for (int Ours : descriptors())
      if (!Before.count(Ours) && Ours != Own) {
        ASSERT_GE(dup2(Own, Ours), 0);
      }
  }

  fs::path Folder;
  std::set<int> Before;
  TraceFile Trace;
};

} // namespace

TEST_F(TraceFileTest, TheProgramsFileUnderOurDescriptorIsLeftAlone) {
  takeOurDescriptorFor(Folder / "checkpoint");
  EXPECT_TRUE(Trace.shrink(Page));
  EXPECT_EQ(fs::file_size(Folder / "checkpoint"), 64 * Page);
  EXPECT_EQ(fs::file_size(Folder / "trace"), Page);
}

TEST_F(TraceFileTest, AClosedDescriptorIsOpenedAgain) {
  for (int Ours : descriptors())
    if (!Before.count(Ours))
      close(Ours);
  ASSERT_TRUE(Trace.grow(8 * Page));
  EXPECT_EQ(fs::file_size(Folder / "trace"), 8 * Page);
  EXPECT_NE(Trace.map(Page, 0), nullptr);
}

TEST_F(TraceFileTest, AnotherFileOfTheSameNameIsNotOurs) {
  fs::remove(Folder / "trace");
  takeOurDescriptorFor(Folder / "trace");
  EXPECT_FALSE(Trace.shrink(Page));
  EXPECT_EQ(fs::file_size(Folder / "trace"), 64 * Page);
}

TEST_F(TraceFileTest, NoStreamOfTheProgramIsTaken) {
  int Output = dup(STDOUT_FILENO);
  close(STDOUT_FILENO);
  TraceFile Another;
  bool Made = Another.create(Folder / "another");
  bool Free = fcntl(STDOUT_FILENO, F_GETFD) < 0;
  dup2(Output, STDOUT_FILENO);
  close(Output);
  EXPECT_TRUE(Made);
  EXPECT_TRUE(Free);
}

/// Growing past it would end the program with SIGXFSZ.
TEST_F(TraceFileTest, TheLimitOnTheSizeOfFilesIsKept) {
  rlimit Before;
  getrlimit(RLIMIT_FSIZE, &Before);
  rlimit Small = {8 * Page, Before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &Small);
  EXPECT_TRUE(Trace.grow(8 * Page));
  EXPECT_FALSE(Trace.grow(9 * Page));
  setrlimit(RLIMIT_FSIZE, &Before);
}
