//===-- UserCode.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/source/UserCode.h"

#include "checks/source/Paths.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace clang;
using namespace llvm;

namespace tensorleak {
namespace {

/// Headers whose presence makes the folder they are found in an include tree of
/// LibTorch or CUDA.
constexpr llvm::StringLiteral TreeMarkers[] = {"torch/torch.h", "ATen/ATen.h", "c10/core/Device.h",
                                               "cuda_runtime.h"};

bool isSystemGroup(frontend::IncludeDirGroup Group) {
  return Group != frontend::Quoted && Group != frontend::Angled;
}

bool looksForeign(StringRef Folder, function_ref<bool(StringRef)> Exists) {
  return any_of(TreeMarkers, [&](StringRef Marker) { return Exists(joinPath(Folder, Marker)); });
}

/// `-I../include`, where nothing marks the project: folders that lie beside the
/// file's own, or beside the one above it.
bool isNeighbour(StringRef Folder, StringRef File) {
  StringRef Above = sys::path::parent_path(sys::path::parent_path(File));
  for (unsigned Levels = 0; Levels < 2; ++Levels, Above = sys::path::parent_path(Above)) {
    bool IsTop = sys::path::parent_path(sys::path::parent_path(Above)).empty(); // /home, /tmp
    if (Above.empty() || IsTop)
      return false;
    if (isBelow(Folder, Above))
      return true;
  }
  return false;
}

} // namespace

std::optional<std::string> projectRoot(StringRef File, vfs::FileSystem &Files) {
  for (StringRef Folder = sys::path::parent_path(File); !Folder.empty();
       Folder = sys::path::parent_path(Folder))
    for (StringRef Marker : {".git", "compile_commands.json"})
      if (Files.exists(joinPath(Folder, Marker)))
        return Folder.str();
  return std::nullopt;
}

UserCode::UserCode(const HeaderSearchOptions &Search, StringRef MainFile, StringRef Directory,
                   vfs::FileSystem &Files)
    : MainFile(MainFile) {
  std::optional<std::string> Project = projectRoot(MainFile, Files);
  auto Exists = [&](StringRef Path) { return Files.exists(Path); };
  for (const HeaderSearchOptions::Entry &E : Search.UserEntries) {
    std::string Folder = normalPath(E.Path, Directory);
    // Who works on LibTorch itself has its tree in -I and wants it analysed.
    bool OwnTree = isBelow(MainFile, Folder);
    if (isSystemGroup(E.Group) || (!OwnTree && looksForeign(Folder, Exists)))
      ForeignTrees.push_back(std::move(Folder));
    else if (!Project && isNeighbour(Folder, MainFile))
      Roots.push_back(std::move(Folder));
  }
  if (Project)
    Roots.push_back(std::move(*Project));
  Roots.push_back(sys::path::parent_path(MainFile).str());
  // A compiler that runs in / would make the whole machine the user's.
  if (sys::path::parent_path(Directory) != "")
    Roots.push_back(Directory.str());
}

bool UserCode::isForeign(StringRef Path) const {
  return any_of(ForeignTrees, [&](StringRef Tree) { return isBelow(Path, Tree); });
}

bool UserCode::isUserFile(StringRef Path) const {
  if (Path == MainFile)
    return true;
  return !isForeign(Path) && any_of(Roots, [&](StringRef Root) { return isBelow(Path, Root); });
}

bool isInMainFile(const Decl &D) {
  const SourceManager &Sources = D.getASTContext().getSourceManager();
  return Sources.isInMainFile(Sources.getExpansionLoc(D.getLocation()));
}

bool isLibraryHeader(const SourceManager &Sources, SourceLocation Loc) {
  Loc = Sources.getExpansionLoc(Loc);
  if (Loc.isInvalid() || Sources.isInSystemHeader(Loc) || Sources.isInMainFile(Loc))
    return Loc.isValid() && Sources.isInSystemHeader(Loc);
  OptionalFileEntryRef File = Sources.getFileEntryRefForID(Sources.getFileID(Loc));
  OptionalFileEntryRef Main = Sources.getFileEntryRefForID(Sources.getMainFileID());
  if (!File || !Main)
    return false;
  FileManager &Files = Sources.getFileManager(); // which remembers what it was asked for
  auto Exists = [&](StringRef Path) { return Files.getOptionalFileRef(Path).has_value(); };
  // What the main file lies in is worked on here.
  const std::string MainPath = absolutePath(*Main, Files), Path = absolutePath(*File, Files);
  for (StringRef Folder = sys::path::parent_path(Path);
       !Folder.empty() && !isBelow(MainPath, Folder); Folder = sys::path::parent_path(Folder))
    if (looksForeign(Folder, Exists))
      return true;
  return false;
}

bool isInLibraryHeader(const Decl &D) {
  return isLibraryHeader(D.getASTContext().getSourceManager(), D.getLocation());
}

bool UserLocations::isUserFile(FileID File) const {
  if (File == Sources.getMainFileID())
    return true;
  OptionalFileEntryRef Entry = Sources.getFileEntryRefForID(File);
  if (!Entry || Sources.isInSystemHeader(Sources.getLocForStartOfFile(File)))
    return false;
  return Code.isUserFile(absolutePath(*Entry, Sources.getFileManager()));
}

bool UserLocations::contains(SourceLocation Loc) {
  if (Loc.isInvalid())
    return false;
  FileID File = Sources.getFileID(Sources.getExpansionLoc(Loc));
  auto [It, New] = Known.try_emplace(File, false);
  if (New)
    It->second = isUserFile(File);
  return It->second;
}

} // namespace tensorleak
