//===-- Paths.cpp ---------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/source/Paths.h"

#include "clang/Basic/FileEntry.h"
#include "clang/Basic/FileManager.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace tensorleak {

std::string joinPath(StringRef Folder, StringRef Name) {
  SmallString<256> Out(Folder);
  sys::path::append(Out, Name);
  return Out.str().str();
}

std::string normalPath(StringRef Path, StringRef Directory) {
  SmallString<256> Out(sys::path::is_relative(Path) ? Directory : StringRef());
  sys::path::append(Out, Path);
  sys::path::remove_dots(Out, /*remove_dot_dot=*/true);
  return Out.str().str();
}

std::string absolutePath(clang::FileEntryRef File, clang::FileManager &Files) {
  SmallString<256> Out(File.getName());
  Files.makeAbsolutePath(Out);
  sys::path::remove_dots(Out, /*remove_dot_dot=*/true);
  return Out.str().str();
}

bool isBelow(StringRef Path, StringRef Folder) {
  Folder = Folder.rtrim('/');
  return Path.size() > Folder.size() && Path.starts_with(Folder) && Path[Folder.size()] == '/';
}

} // namespace tensorleak
