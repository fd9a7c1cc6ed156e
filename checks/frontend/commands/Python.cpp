//===-- Python.cpp ----------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/commands/Python.h"

#include "checks/frontend/commands/Bundled.h"
#include "checks/source/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace tensorleak {
namespace {

/// The folders that the command names for headers.
std::vector<std::string> namedFolders(const SourceUnit &TheUnit, const CommandLine &Command) {
  std::vector<std::string> Out;
  for (size_t I = 0; I < Command.size(); ++I)
    for (StringRef Option : {"-isystem", "-idirafter", "-iquote", "-I"}) {
      StringRef Folder = Command[I];
      if (!Folder.consume_front(Option))
        continue;
      if (Folder.empty() && I + 1 < Command.size())
        Folder = Command[++I];
      Out.push_back(normalPath(Folder, TheUnit.Directory));
      break;
    }
  return Out;
}

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

CommandLine pythonFlags(const SourceUnit &TheUnit, const CommandLine &Command) {
  if (!mentionsAny(TheUnit, {"torch/extension.h", "torch/python.h", "torch/csrc/utils/pybind.h",
                             "pybind11/"}))
    return {};
  auto HasPython = [](const std::string &Folder) {
    return sys::fs::exists(joinPath(Folder, "Python.h"));
  };
  if (any_of(namedFolders(TheUnit, Command), HasPython) || any_of(usualFolders(), HasPython))
    return {};
  return {"-I" + bundledPythonFolder()};
}

std::string bundledPythonFolder() {
  return bundledFolder(TENSORLEAK_PYTHON_INSTALLED, TENSORLEAK_PYTHON_SOURCES);
}

} // namespace tensorleak
