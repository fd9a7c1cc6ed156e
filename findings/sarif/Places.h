//===-- Places.h - Places in sources, in SARIF's terms --------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_FINDINGS_SARIF_PLACES_H
#define TENSORLEAK_FINDINGS_SARIF_PLACES_H

#include "findings/Finding.h"
#include "findings/files/FileUri.h"
#include "findings/files/SourceLines.h"

#include <nlohmann/json.hpp>

namespace tensorleak {

/// What paths are relative to where the log does not say otherwise.
inline constexpr char SourceRootId[] = "%SRCROOT%";
/// In a region's properties: the whole line is meant.
inline constexpr char WholeLineKey[] = "wholeLine";

class PlaceWriter {
public:
  /// Files below \p Root, which is absolute or empty, are told relative to it.
  explicit PlaceWriter(std::string Root) : Root(std::move(Root)) {}

  nlohmann::json bases() const;
  nlohmann::json artifact(const std::string &File) const;
  /// The word at a place; the line where the column is not known.
  nlohmann::json region(const Location &L);
  nlohmann::json region(const Location &Begin, const Location &End);
  nlohmann::json location(const Location &L);
  /// What GitHub knows a line by; "" where the file cannot be read.
  std::string lineHash(const Location &L);

private:
  unsigned column(const Location &L);

  std::string Root;
  SourceLines Lines;
  std::map<std::string, std::vector<std::string>> Hashes;
};

class PlaceReader {
public:
  /// \p Bases: originalUriBaseIds of the log. \p Root replaces its %SRCROOT%, unless empty.
  PlaceReader(nlohmann::json Bases, std::string Root)
      : Bases(std::move(Bases)), Root(std::move(Root)) {}

  /// The absolute path of an artifactLocation; "" if it has none.
  std::string file(const nlohmann::json &Artifact) const;
  /// The same of a path as we write it into properties.
  std::string file(const std::string &Path) const;
  Location location(const nlohmann::json &L);
  /// The place of a line and column as the log counts them.
  Location place(const std::string &File, unsigned Line, unsigned Column);

private:
  std::string base(const std::string &Id, unsigned Depth = 0) const;

  nlohmann::json Bases;
  std::string Root;
  SourceLines Lines;
};

} // namespace tensorleak

#endif // TENSORLEAK_FINDINGS_SARIF_PLACES_H
