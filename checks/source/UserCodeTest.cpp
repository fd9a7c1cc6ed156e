//===-- UserCodeTest.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/source/UserCode.h"

#include "clang/Lex/HeaderSearchOptions.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <gtest/gtest.h>

using namespace tensorleak;

namespace {

class UserCodeTest : public testing::Test {
protected:
  void add(const std::string &Path) {
    Files->addFile(Path, 0, llvm::MemoryBuffer::getMemBufferCopy(""));
  }
  void search(const std::string &Folder, clang::frontend::IncludeDirGroup Group) {
    Search.AddPath(Folder, Group, false, true);
  }
  UserCode code(const std::string &Main, const std::string &Directory) {
    return UserCode(Search, Main, Directory, *Files);
  }

  clang::HeaderSearchOptions Search;
  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> Files =
      llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
};

TEST_F(UserCodeTest, ProjectIsFoundByItsMarker) {
  add("/p/.git/HEAD");
  UserCode Code = code("/p/src/deep/a.cpp", "/elsewhere/build");
  EXPECT_TRUE(Code.isUserFile("/p/src/deep/a.cpp"));
  EXPECT_TRUE(Code.isUserFile("/p/include/a.h"));
  EXPECT_FALSE(Code.isUserFile("/pq/include/a.h"));
  EXPECT_FALSE(Code.isUserFile("/opt/lib/b.h"));
}

TEST_F(UserCodeTest, WithoutAMarkerNeighboursOnTheIncludePathAreTheUsers) {
  search("../inc", clang::frontend::Angled);
  search("/opt/lib/include", clang::frontend::Angled);
  search("/home/other/include", clang::frontend::Angled);
  UserCode Code = code("/home/me/p/src/gpu/a.cpp", "/home/me/p/src");
  EXPECT_TRUE(Code.isUserFile("/home/me/p/inc/a.h"));
  EXPECT_FALSE(Code.isUserFile("/home/me/p/other/a.h")); // nobody searches it
  EXPECT_FALSE(Code.isUserFile("/opt/lib/include/b.h"));
  EXPECT_FALSE(Code.isUserFile("/home/other/include/c.h"));
}

TEST_F(UserCodeTest, LibTorchByMinusIIsForeignEvenInsideTheProject) {
  add("/p/.git/HEAD");
  add("/p/third/include/torch/torch.h");
  search("third/include", clang::frontend::Angled);
  search("include", clang::frontend::Angled);
  UserCode Code = code("/p/a.cpp", "/p");
  EXPECT_TRUE(Code.isForeign("/p/third/include/torch/nn.h"));
  EXPECT_FALSE(Code.isUserFile("/p/third/include/c10/core/Device.h"));
  EXPECT_TRUE(Code.isUserFile("/p/include/a.h"));
}

TEST_F(UserCodeTest, SystemFoldersAreForeign) {
  search("/usr/include", clang::frontend::System);
  UserCode Code = code("/a.cpp", "/");
  EXPECT_FALSE(Code.isUserFile("/usr/include/stdio.h"));
  EXPECT_TRUE(Code.isUserFile("/a.cpp"));
}

TEST_F(UserCodeTest, WhoWorksOnLibTorchHasItAnalysed) {
  add("/pytorch/aten/src/ATen/ATen.h");
  search("/pytorch/aten/src", clang::frontend::Angled);
  UserCode Code = code("/pytorch/aten/src/ATen/native/Add.cpp", "/pytorch/build");
  EXPECT_TRUE(Code.isUserFile("/pytorch/aten/src/ATen/native/Add.h"));
}

} // namespace
