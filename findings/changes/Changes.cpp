//===-- Changes.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/changes/Changes.h"

#include <algorithm>
#include <filesystem>

namespace fs = std::filesystem;

namespace tensorleak {
namespace {

std::string realPath(const fs::path &Path) {
  std::error_code Error;
  fs::path Real = fs::canonical(Path, Error);
  return Error ? "" : Real.string();
}

/// As spelled, and without its first folder: what git puts in front comes off first.
std::vector<std::string> spellings(const std::string &Name) {
  size_t Slash = Name.find('/');
  if (Slash == std::string::npos || Slash == 0)
    return {Name};
  std::string Stripped = Name.substr(Slash + 1);
  if (Slash == 1)
    return {Stripped, Name};
  return {Name, Stripped};
}

std::string find(const std::vector<std::string> &Folders, const std::string &Name) {
  for (const std::string &Spelling : spellings(Name))
    for (const std::string &Folder : Folders)
      if (std::string Path = realPath(fs::path(Folder) / Spelling); !Path.empty())
        return Path;
  return "";
}

std::vector<Location> placesOf(const Finding &F) {
  std::vector<Location> Out{F.Where, F.TheSubject.HolderDecl, F.TheSubject.LastUse};
  for (const PathNote &N : F.Notes)
    Out.push_back(N.Where);
  for (const Location &P : F.TheSubject.Producers)
    Out.push_back(P);
  return Out;
}

} // namespace

bool ChangedFile::touches(unsigned Line) const {
  return Whole ||
         std::any_of(Written.begin(), Written.end(),
                     [=](const LineRange &R) { return R.Begin <= Line && Line <= R.End; }) ||
         std::any_of(RemovedAt.begin(), RemovedAt.end(),
                     [=](unsigned Before) { return Before == Line || Before + 1 == Line; });
}

bool ChangedFile::removesIn(unsigned Begin, unsigned End) const {
  return std::any_of(RemovedAt.begin(), RemovedAt.end(),
                     [=](unsigned Before) { return Begin <= Before && Before < End; });
}

Changes placedIn(const std::vector<std::string> &Folders, const Changes &Named) {
  Changes Out;
  for (const auto &[Name, File] : Named)
    if (std::string Path = find(Folders, Name); !Path.empty())
      Out[Path] = File;
  return Out;
}

bool touches(const Changes &C, const Finding &F) {
  auto FileOf = [&C](const std::string &Path) {
    auto Found = C.find(Path);
    return Found != C.end() ? Found : C.find(realPath(Path));
  };
  for (const Location &L : placesOf(F))
    if (auto File = FileOf(L.File); L.isValid() && File != C.end() && File->second.touches(L.Line))
      return true;
  const LineRange &Loop = F.TheSubject.Loop;
  auto File = Loop.Begin ? FileOf(Loop.File) : C.end();
  return File != C.end() && File->second.removesIn(Loop.Begin, Loop.End);
}

} // namespace tensorleak
