//===-- IncludeFolders.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/errors/IncludeFolders.h"

#include "checks/source/Paths.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace llvm;

namespace tensorleak {

std::optional<std::string> includeFolderOf(StringRef Header, StringRef Includer, StringRef Root,
                                           vfs::FileSystem &Files) {
  for (StringRef Above = sys::path::parent_path(Includer); isBelow(Above, Root) || Above == Root;
       Above = sys::path::parent_path(Above)) {
    for (std::string Folder : {Above.str(), joinPath(Above, "include"), joinPath(Above, "src")})
      if (Files.exists(joinPath(Folder, Header)))
        return Folder;
    if (Above == Root)
      break;
  }
  return std::nullopt;
}

} // namespace tensorleak
