//===-- IncludeScanTest.cpp -----------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/IncludeScan.h"

#include "checks/frontend/UserCode.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <gtest/gtest.h>

using namespace tensorleak;

namespace {

/// A project in /p that finds LibTorch in /torch, the way a build passes it (-I).
class IncludeScan : public testing::Test {
protected:
  IncludeScan() {
    Search.AddPath("/torch", clang::frontend::Angled, false, true);
    Search.AddPath("/p/include", clang::frontend::Angled, false, true);
    for (const char *Header : {"torch/torch.h", "torch/script.h", "ATen/ATen.h", "vector"})
      add("/torch/" + std::string(Header), "");
  }

  void add(const std::string &Path, const std::string &Text) {
    Files->addFile(Path, 0, llvm::MemoryBuffer::getMemBufferCopy(Text));
  }

  std::vector<std::string> scan(const std::string &Main) {
    std::string File = "/p/main" + std::to_string(Count++) + ".cpp"; // added files stay
    add(File, Main);
    UserCode Code(Search, File, "/p", *Files);
    std::vector<std::string> Out;
    for (const HeavyInclude &H : heavyIncludes(File, {Search, Code, *Files, "/p"}))
      Out.push_back(H.Name);
    return Out;
  }

  using Names = std::vector<std::string>;
  unsigned Count = 0;
  clang::HeaderSearchOptions Search;
  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> Files =
      llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
};

TEST_F(IncludeScan, FindsHeavyHeadersAmongOthers) {
  EXPECT_EQ(scan("#include <vector>\n#include <torch/torch.h>\nint x;\n"), Names{"torch/torch.h"});
}

TEST_F(IncludeScan, SortsAndNamesEachOnce) {
  EXPECT_EQ(scan("#include <torch/torch.h>\n#include \"torch/script.h\"\n"
                 "#include <torch/torch.h>\n"),
            (Names{"torch/script.h", "torch/torch.h"}));
}

TEST_F(IncludeScan, LooksIntoTheUsersHeaders) {
  add("/p/a.h", "#pragma once\n#include <torch/torch.h>\nstruct A {};\n");
  add("/p/include/b.h", "#ifndef B\n#define B\n#include <ATen/ATen.h>\n#endif\n");
  EXPECT_EQ(scan("#include \"a.h\"\n#include <b.h>\n"), (Names{"ATen/ATen.h", "torch/torch.h"}));
}

TEST_F(IncludeScan, StopsAtMacros) {
  EXPECT_EQ(scan("#define EIGEN 1\n#include <torch/torch.h>\n"), Names());
  add("/p/a.h", "#pragma once\n#define EIGEN 1\n");
  EXPECT_EQ(scan("#include \"a.h\"\n#include <torch/torch.h>\n"), Names());
}

TEST_F(IncludeScan, StopsAtConditions) {
  EXPECT_EQ(scan("#ifdef X\n#include <torch/torch.h>\n#endif\n"), Names());
  EXPECT_EQ(scan("#ifndef X\n#include <torch/torch.h>\n#endif\n"), Names());
}

TEST_F(IncludeScan, StopsAtWhatItCannotResolve) {
  EXPECT_EQ(scan("#include HEADER\n#include <torch/torch.h>\n"), Names());
  EXPECT_EQ(scan("#include \"missing.h\"\n#include <torch/torch.h>\n"), Names());
}

TEST_F(IncludeScan, IgnoresIncludesInsideBracesAndComments) {
  EXPECT_EQ(scan("namespace n {\n#include <torch/torch.h>\n}\n"), Names());
  EXPECT_EQ(scan("/*\n#include <torch/torch.h>\n*/ // x\n"), Names());
  EXPECT_EQ(scan("int x; void f() {}\n#include <torch/torch.h>\n"), Names{"torch/torch.h"});
}

TEST_F(IncludeScan, HeaderThatIncludesItself) {
  add("/p/a.h", "#pragma once\n#include \"a.h\"\n#include <torch/torch.h>\n");
  EXPECT_EQ(scan("#include \"a.h\"\n"), Names{"torch/torch.h"});
}

} // namespace
