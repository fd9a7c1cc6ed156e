//===-- Places.cpp --------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/sarif/Places.h"

#include "findings/files/Utf16.h"
#include "findings/sarif/LineHash.h"

#include <filesystem>

using nlohmann::json;

namespace tensorleak {

//===-- Writing -----------------------------------------------------------===//

json PlaceWriter::bases() const {
  return {{SourceRootId,
           {{"uri", fileUri(Root.back() == '/' ? Root : Root + '/')},
            {"description", {{"text", "The top of the sources, as a rule of the repository"}}}}}};
}

json PlaceWriter::artifact(const std::string &File) const {
  std::string Short = shortPath(File, Root);
  if (Short == File)
    return {{"uri", fileUri(File)}};
  return {{"uri", relativeUri(Short)}, {"uriBaseId", SourceRootId}};
}

unsigned PlaceWriter::column(const Location &L) {
  auto Line = Lines.line(L.File, L.Line);
  return Line ? utf16Column(*Line, L.Column) : L.Column;
}

json PlaceWriter::region(const Location &Begin, const Location &End) {
  return {{"startLine", Begin.Line},
          {"startColumn", column(Begin)},
          {"endLine", End.Line},
          {"endColumn", column(End)}};
}

json PlaceWriter::region(const Location &L) {
  auto Line = Lines.line(L.File, L.Line);
  Location Begin = L, End = L;
  Begin.Column = std::max(L.Column, 1u);
  size_t At = Begin.Column - 1;
  bool Known = L.Column && Line && At < Line->size();
  End.Column = Begin.Column + 1;
  if (Known)
    End.Column = static_cast<unsigned>(endOfWord(*Line, At)) + 1;
  else if (!L.Column && Line)
    End.Column = static_cast<unsigned>(Line->size()) + 1;
  json Out = region(Begin, End);
  if (!L.Column)
    Out["properties"] = {{WholeLineKey, true}};
  return Out;
}

json PlaceWriter::location(const Location &L) {
  json Physical = {{"artifactLocation", artifact(L.File)}};
  if (L.isValid())
    Physical["region"] = region(L);
  return {{"physicalLocation", Physical}};
}

std::string PlaceWriter::lineHash(const Location &L) {
  if (!Lines.line(L.File, L.Line))
    return "";
  auto [It, New] = Hashes.try_emplace(L.File);
  if (New)
    It->second = lineHashes(Lines.text(L.File));
  return L.Line <= It->second.size() ? It->second[L.Line - 1] : "";
}

//===-- Reading -----------------------------------------------------------===//

/// One path below another, which may end with a slash.
static std::string joined(const std::string &Folder, const std::string &Path) {
  return (std::filesystem::path(Folder) / Path).lexically_normal().string();
}

std::string PlaceReader::base(const std::string &Id, unsigned Depth) const {
  constexpr unsigned MostBases = 8; // each may be relative to another
  bool IsRoot = Id == SourceRootId;
  auto Found = Bases.find(Id);
  if (IsRoot && !Root.empty())
    return Root;
  if (Found == Bases.end() || !Found->contains("uri") || Depth == MostBases)
    return Root.empty() ? workingFolder() : Root;
  std::string Uri = Found->at("uri"), Path = pathOfUri(Uri);
  if (Path != Uri)
    return Path;
  return joined(base(Found->value("uriBaseId", ""), Depth + 1), pathOfRelativeUri(Uri));
}

std::string PlaceReader::file(const json &Artifact) const {
  std::string Uri = Artifact.value("uri", ""), Path = pathOfUri(Uri);
  if (Uri.empty() || Path != Uri || Path.front() == '/')
    return Path;
  return joined(base(Artifact.value("uriBaseId", SourceRootId)), pathOfRelativeUri(Uri));
}

std::string PlaceReader::file(const std::string &Path) const {
  return Path.empty() || Path.front() == '/' ? Path : joined(base(SourceRootId), Path);
}

Location PlaceReader::place(const std::string &File, unsigned Line, unsigned Column) {
  auto Text = Column ? Lines.line(File, Line) : std::nullopt;
  return {File, Line, Text ? byteColumn(*Text, Column) : Column};
}

Location PlaceReader::location(const json &L) {
  const json &Physical = L.at("physicalLocation");
  std::string File = file(Physical.at("artifactLocation"));
  auto Region = Physical.find("region");
  if (Region == Physical.end())
    return {File, 0, 0};
  bool WholeLine = Region->value("properties", json::object()).value(WholeLineKey, false);
  return place(File, Region->value("startLine", 0u),
               WholeLine ? 0 : Region->value("startColumn", 0u));
}

} // namespace tensorleak
