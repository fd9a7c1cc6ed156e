//===-- SourceMap.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/SourceMap.h"

#include <stdexcept>

namespace tensorleak {
namespace {

struct FolderMap {
  std::string From, To;

  explicit FolderMap(const std::string &Text) {
    size_t Equals = Text.find('=');
    if (Equals == std::string::npos || Equals == 0)
      throw std::invalid_argument(
          "'" + Text + "' is no source map; write --source-map FROM=TO with two folders");
    From = Text.substr(0, Equals);
    To = Text.substr(Equals + 1);
  }

  /// Whole folder names only: /src does not match /src2.
  void apply(std::string &Path) const {
    bool Matches = Path.compare(0, From.size(), From) == 0 &&
                   (From.back() == '/' || Path.size() == From.size() || Path[From.size()] == '/');
    if (Matches)
      Path = To + Path.substr(From.size());
  }

  void apply(Finding &F) const {
    apply(F.Where.File);
    apply(F.TheSubject.HolderDecl.File);
    apply(F.TheSubject.LastUse.File);
    apply(F.TheSubject.Loop.File);
    for (Location &Producer : F.TheSubject.Producers)
      apply(Producer.File);
    for (PathNote &Note : F.Notes)
      apply(Note.Where.File);
    for (FixIt &Fix : F.Fixes) {
      apply(Fix.Begin.File);
      apply(Fix.End.File);
    }
  }
};

} // namespace

void mapSources(const std::string &Text, FindingSet &Set) {
  FolderMap Map(Text);
  for (Finding &F : Set.Findings)
    Map.apply(F);
  std::map<std::string, std::string> Hashes;
  for (const auto &[Path, Hash] : Set.SourceHashes) {
    std::string Here = Path;
    Map.apply(Here);
    Hashes[Here] = Hash;
  }
  Set.SourceHashes = std::move(Hashes);
}

} // namespace tensorleak
