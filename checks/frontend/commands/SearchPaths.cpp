//===-- SearchPaths.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/commands/SearchPaths.h"

#include "checks/source/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace clang;
using namespace llvm;

namespace tensorleak {
namespace {

/// An option that names a folder or a file, joined or as the next argument.
struct PathOption {
  StringLiteral Name;
  frontend::IncludeDirGroup Group;
};
constexpr PathOption FolderOptions[] = {{"-iquote", frontend::Quoted},
                                        {"-isystem", frontend::System},
                                        {"-idirafter", frontend::After},
                                        {"-I", frontend::Angled}};
constexpr StringLiteral ForcedHeader = "-include";

} // namespace

SearchPaths::SearchPaths(const CommandLine &Command, StringRef Directory) {
  for (size_t I = 0; I < Command.size(); ++I) {
    auto Value = [&](StringRef Option) -> std::string {
      StringRef Rest = StringRef(Command[I]).substr(Option.size());
      return !Rest.empty() ? Rest.str() : I + 1 < Command.size() ? Command[I + 1] : "";
    };
    const auto *Option = find_if(FolderOptions, [&](const PathOption &O) {
      return StringRef(Command[I]).starts_with(O.Name);
    });
    if (Option != std::end(FolderOptions))
      Folders.AddPath(normalPath(Value(Option->Name), Directory), Option->Group,
                      /*IsFramework=*/false, /*IgnoreSysRoot=*/true);
    else if (Command[I] == ForcedHeader)
      Forced.push_back(normalPath(Value(ForcedHeader), Directory));
  }
}

std::string SearchPaths::find(StringRef Name, bool Angled, StringRef Includer) const {
  if (!Angled)
    if (std::string Path = normalPath(Name, sys::path::parent_path(Includer));
        sys::fs::exists(Path))
      return Path;
  for (const HeaderSearchOptions::Entry &E : Folders.UserEntries) {
    if (E.Group == frontend::Quoted && Angled)
      continue;
    if (std::string Path = joinPath(E.Path, Name); sys::fs::exists(Path))
      return normalPath(Path, E.Path);
  }
  return "";
}

} // namespace tensorleak
