//===-- RdJson.cpp - Reports for reviewdog ----------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Reviewdog Diagnostic Format (reviewdog/proto/rdf): a DiagnosticResult as JSON. A
// suggestion there is one range and its text, so the fix-its of a finding become one:
// what stands between them is taken from the source. Where that cannot be, as with
// fix-its in two files, there is no suggestion.
//
//===----------------------------------------------------------------------===//
#include "findings/Json.h"
#include "findings/VerdictText.h"
#include "findings/files/ReadFile.h"
#include "findings/formats/Formats.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <tuple>

using nlohmann::json;

namespace tensorleak {
namespace {

bool isBefore(const Location &A, const Location &B) {
  return std::tie(A.Line, A.Column) < std::tie(B.Line, B.Column);
}

/// The text of a file from Begin to End, End excluded; nothing if it does not reach so far.
std::optional<std::string> textBetween(const Location &Begin, const Location &End) {
  std::istringstream In(readPlainFile(Begin.File, MaxSourceBytes).value_or(""));
  std::string Out, Text;
  for (unsigned Line = 1; Line <= End.Line; ++Line) {
    if (!std::getline(In, Text) || (Line == End.Line && End.Column - 1 > Text.size()))
      return std::nullopt;
    if (Line == End.Line)
      Text.resize(End.Column - 1);
    if (Line == Begin.Line && Begin.Column - 1 > Text.size())
      return std::nullopt;
    if (Line >= Begin.Line)
      Out +=
          Text.substr(Line == Begin.Line ? Begin.Column - 1 : 0) + (Line == End.Line ? "" : "\n");
  }
  return Out;
}

/// Fix-its that belong together, as one.
std::optional<FixIt> joined(std::vector<FixIt> Fixes) {
  std::stable_sort(Fixes.begin(), Fixes.end(),
                   [](const FixIt &A, const FixIt &B) { return isBefore(A.Begin, B.Begin); });
  FixIt Out = Fixes.front();
  for (size_t I = 1; I < Fixes.size(); ++I) {
    if (Fixes[I].Begin.File != Out.Begin.File || isBefore(Fixes[I].Begin, Out.End))
      return std::nullopt;
    auto Between = textBetween(Out.End, Fixes[I].Begin);
    if (!Between)
      return std::nullopt;
    Out.Text += *Between + Fixes[I].Text;
    Out.End = Fixes[I].End;
  }
  return Out;
}

/// A suggestion is for the file of its diagnostic.
std::optional<FixIt> suggestionFor(const Finding &F) {
  if (F.Fixes.empty())
    return std::nullopt;
  std::optional<FixIt> Fix = joined(F.Fixes);
  return Fix && Fix->Begin.File == F.Where.File ? Fix : std::nullopt;
}

json positionOf(const Location &L) {
  json Out = {{"line", L.Line}};
  if (L.Column)
    Out["column"] = L.Column;
  return Out;
}

const char *severityOf(const Finding &F) {
  if (F.TheVerdict == Verdict::Refuted || F.TheLevel == Level::Note)
    return "INFO";
  return F.AsError || F.TheVerdict == Verdict::Confirmed ? "ERROR" : "WARNING";
}

/// The notes have no place of their own.
std::string messageOf(const Finding &F, const std::string &Folder) {
  std::string Out = messageWithVerdict(F);
  for (const PathNote &N : F.Notes)
    Out += '\n' + shortPath(N.Where.File, Folder) + ':' + std::to_string(N.Where.Line) + ": " +
           N.Message;
  return Out;
}

/// A place without a line is in a program that has no debug information.
json locationOf(const Location &L, const std::string &Folder) {
  json Out = {{"path", shortPath(L.File, Folder)}};
  if (L.isValid())
    Out["range"]["start"] = positionOf(L);
  return Out;
}

json diagnosticOf(const Finding &F, const std::string &Folder) {
  json Out = {{"message", messageOf(F, Folder)},
              {"location", locationOf(F.Where, Folder)},
              {"severity", severityOf(F)},
              {"code", {{"value", F.Rule}}}};
  if (std::optional<FixIt> Fix = suggestionFor(F))
    Out["suggestions"].push_back(
        {{"range", {{"start", positionOf(Fix->Begin)}, {"end", positionOf(Fix->End)}}},
         {"text", Fix->Text}});
  return Out;
}

} // namespace

void RdJsonReport::write(std::ostream &Out) const {
  json Diagnostics = json::array();
  for (const Finding &F : Set.Findings)
    if (!F.Suppressed)
      Diagnostics.push_back(diagnosticOf(F, Context.Folder));
  printJson(Out, {{"source", {{"name", "tensorleak"}}}, {"diagnostics", Diagnostics}});
}

} // namespace tensorleak
