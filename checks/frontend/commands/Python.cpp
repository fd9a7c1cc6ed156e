//===-- Python.cpp ----------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/commands/Python.h"

#include "checks/frontend/commands/Bundled.h"
#include "checks/frontend/commands/SearchPaths.h"
#include "checks/source/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace tensorleak {
namespace {

/// The compiler's own, and what the environment adds to them.
std::vector<std::string> usualFolders() {
  std::vector<std::string> Out = {"/usr/include", "/usr/local/include"};
  for (const char *Name : {"CPATH", "CPLUS_INCLUDE_PATH"}) {
    const std::string Value = sys::Process::GetEnv(Name).value_or("");
    SmallVector<StringRef, 4> Folders;
    StringRef(Value).split(Folders, sys::EnvPathSeparator, -1, /*KeepEmpty=*/false);
    Out.insert(Out.end(), Folders.begin(), Folders.end());
  }
  return Out;
}

} // namespace

CommandLine pythonFlags(const SourceUnit &TheUnit, const CommandLine &Command, StringRef Text) {
  if (!mentionsAny(
          Text, {"torch/extension.h", "torch/python.h", "torch/csrc/utils/pybind.h", "pybind11/"}))
    return {};
  auto HasPython = [](const std::string &Folder) {
    return sys::fs::exists(joinPath(Folder, "Python.h"));
  };
  const SearchPaths Named(Command, TheUnit.Directory);
  if (!Named.find("Python.h", /*Angled=*/true, "").empty() || any_of(usualFolders(), HasPython))
    return {};
  return {"-I" + bundledPythonFolder()};
}

std::string bundledPythonFolder() {
  return bundledFolder(TENSORLEAK_PYTHON_INSTALLED, TENSORLEAK_PYTHON_SOURCES);
}

} // namespace tensorleak
