//===-- ReadFileTest.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/files/ReadFile.h"

#include "findings/FindingSet.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace tensorleak {
namespace {

class ReadFile : public testing::Test {
protected:
  void SetUp() override { std::filesystem::create_directories(Folder); }
  void TearDown() override { std::filesystem::remove_all(Folder); }

  static std::string errorOf(const std::string &Path) try {
    readFile(Path);
    return "";
  } catch (const std::runtime_error &E) {
    return E.what();
  }
  std::string pipe() const {
    std::string Path = Folder + "/pipe";
    EXPECT_EQ(mkfifo(Path.c_str(), 0600), 0);
    return Path;
  }

  std::string Folder = testing::TempDir() + "read-file." + std::to_string(getpid());
};

TEST_F(ReadFile, TellsWhyNot) {
  EXPECT_EQ(errorOf(Folder + "/none"), "no such file");
  EXPECT_EQ(errorOf(Folder), "it is a folder");
  EXPECT_EQ(errorOf("/dev/zero"), "it is a device");
}

TEST_F(ReadFile, APipeThatTheUserNamed) {
  std::string Path = pipe();
  std::thread Writer([&] { std::ofstream(Path) << "text"; });
  EXPECT_EQ(readFile(Path), "text");
  Writer.join();
}

TEST_F(ReadFile, WhatAnotherFileNamedIsNotWaitedFor) {
  std::ofstream(Folder + "/file") << "text";
  EXPECT_EQ(readPlainFile(Folder + "/file", 4), "text");
  EXPECT_EQ(readPlainFile(Folder + "/file", 3), std::nullopt) << "too large";
  EXPECT_EQ(readPlainFile("/dev/zero", 4), std::nullopt);
  std::string Path = pipe();
  EXPECT_EQ(readPlainFile(Path, 4), std::nullopt);
  EXPECT_EQ(hashFile(Path), std::nullopt) << "as the artifacts of a SARIF log are";
  EXPECT_NE(hashFile(Folder + "/file"), std::nullopt);
}

} // namespace
} // namespace tensorleak
