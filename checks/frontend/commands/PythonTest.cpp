//===-- PythonTest.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/commands/Python.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include <fstream>
#include <gtest/gtest.h>

using namespace tensorleak;

namespace {

constexpr const char *Extension = "#include <torch/extension.h>\n";

/// A folder with a Python.h of its own.
class PythonFlags : public testing::Test {
protected:
  void SetUp() override {
    if (llvm::sys::fs::exists("/usr/include/Python.h") ||
        llvm::sys::fs::exists("/usr/local/include/Python.h"))
      GTEST_SKIP() << "the compiler finds a Python.h by itself";
    llvm::SmallString<128> Made;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("python", Made));
    Folder = Made.str().str();
    std::ofstream(Folder + "/Python.h") << "// Python's\n";
  }
  void TearDown() override {
    if (!Folder.empty())
      llvm::sys::fs::remove_directories(Folder);
  }

  CommandLine flagsFor(const CommandLine &Command, llvm::StringRef Text) const {
    return pythonFlags({"/p/a.cpp", Folder + "/..", {}, ""}, Command, Text);
  }
  std::string Folder;
};

TEST_F(PythonFlags, OursAreFirstWhereThereAreNone) {
  const CommandLine Ours = {"-I" + bundledPythonFolder()};
  EXPECT_EQ(flagsFor({"clang++", "-I/nowhere"}, Extension), Ours);
  EXPECT_EQ(flagsFor({"clang++"}, "#include <pybind11/numpy.h>\n"), Ours);
}

TEST_F(PythonFlags, NothingWhereTheCommandNamesThem) {
  const std::string Name = Folder.substr(Folder.rfind('/') + 1);
  EXPECT_EQ(flagsFor({"clang++", "-I" + Folder}, Extension), CommandLine());
  EXPECT_EQ(flagsFor({"clang++", "-isystem", Folder}, Extension), CommandLine());
  EXPECT_EQ(flagsFor({"clang++", "-I", Name}, Extension), CommandLine()); // below its directory
}

TEST_F(PythonFlags, NothingWhereTheSourceAsksForNone) {
  EXPECT_EQ(flagsFor({"clang++"}, "#include <torch/torch.h>\n"), CommandLine());
}

} // namespace
