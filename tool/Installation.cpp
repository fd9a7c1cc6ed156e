//===-- Installation.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Installation.h"

namespace fs = std::filesystem;

namespace tensorleak {

static fs::path programFolder() {
  std::error_code Error;
  return fs::read_symlink("/proc/self/exe", Error).parent_path();
}

std::vector<fs::path> libraryFolders() {
  fs::path Root = programFolder().parent_path();
  std::vector<fs::path> Out{Root / "lib", Root / "lib" / "tensorleak"};
  if (fs::path Installed = Root / TENSORLEAK_INSTALL_LIBDIR; Installed != Out.back())
    Out.push_back(Installed);
  return Out;
}

std::optional<fs::path> findLibrary(const std::string &Name) {
  std::error_code Error;
  for (const fs::path &Folder : libraryFolders())
    if (fs::exists(Folder / Name, Error))
      return Folder / Name;
  return std::nullopt;
}

std::optional<fs::path> findProgramBeside(const std::string &Name) {
  std::error_code Error;
  fs::path Program = programFolder() / Name;
  return fs::exists(Program, Error) ? std::optional(Program) : std::nullopt;
}

} // namespace tensorleak
