//===-- Installation.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Installation.h"

namespace fs = std::filesystem;

namespace tensorleak {

std::vector<fs::path> libraryFolders() {
  std::error_code Error;
  fs::path Self = fs::read_symlink("/proc/self/exe", Error);
  fs::path Root = Self.parent_path().parent_path();
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

} // namespace tensorleak
