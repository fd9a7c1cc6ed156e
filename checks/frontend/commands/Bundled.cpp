//===-- Bundled.cpp ---------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/commands/Bundled.h"

#include "checks/source/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace tensorleak {

std::string bundledFolder(StringRef Installed, StringRef InSources) {
  static int Here;
  std::string Program = sys::fs::getMainExecutable(nullptr, &Here);
  StringRef Root = sys::path::parent_path(sys::path::parent_path(Program));
  std::string Folder = joinPath(Root, Installed);
  return sys::fs::is_directory(Folder) ? Folder : InSources.str();
}

bool mentionsAny(StringRef Text, ArrayRef<StringRef> Names) {
  return any_of(Names, [&](StringRef Name) { return Text.contains(Name); });
}

} // namespace tensorleak
