//===-- SourceText.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/report/page/SourceText.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace tensorleak {
namespace {

constexpr size_t MaxColumns = 400; // of generated code; a page shall stay small
constexpr uintmax_t MaxFile = 16 << 20;

std::vector<std::string> split(const std::string &Text) {
  std::vector<std::string> Out;
  std::istringstream In(Text);
  for (std::string Line; std::getline(In, Line);)
    Out.push_back(Line);
  return Out;
}

bool lies(const Location &L, const std::vector<std::string> &Lines) {
  return L.Line >= 1 && L.Line <= Lines.size() && L.Column >= 1 &&
         L.Column <= Lines[L.Line - 1].size() + 1;
}

bool isBefore(const Location &A, const Location &B) {
  return A.Line != B.Line ? A.Line < B.Line : A.Column < B.Column;
}

/// Where a position lies in the lines from \p First on, each with its line's end.
size_t offsetOf(const Location &L, unsigned First, const std::vector<std::string> &Lines) {
  size_t Out = L.Column - 1;
  for (unsigned Number = First; Number < L.Line; ++Number)
    Out += Lines[Number - 1].size() + 1;
  return Out;
}

std::string joined(const std::vector<std::string> &Lines) {
  std::string Out;
  for (const std::string &Line : Lines)
    Out += Line + '\n';
  return Out;
}

} // namespace

/// A record may name anything: a device or a pipe would never end.
std::optional<std::string> SourceText::readSource(const std::string &Path) {
  std::error_code Error;
  bool IsFile = std::filesystem::is_regular_file(Path, Error);
  if (!IsFile || std::filesystem::file_size(Path, Error) > MaxFile || Error)
    return std::nullopt;
  std::ifstream In(Path, std::ios::binary);
  return std::string{std::istreambuf_iterator<char>(In), std::istreambuf_iterator<char>()};
}

const std::vector<std::string> &SourceText::linesOf(const std::string &File) {
  auto [Entry, IsNew] = Files.try_emplace(File);
  if (IsNew)
    Entry->second = split(Read(File).value_or(""));
  return Entry->second;
}

std::string SourceText::line(const Location &Where) {
  const std::vector<std::string> &Lines = linesOf(Where.File);
  return Where.Line >= 1 && Where.Line <= Lines.size() ? Lines[Where.Line - 1].substr(0, MaxColumns)
                                                       : "";
}

Excerpt SourceText::excerpt(const Location &Where, unsigned Around) {
  const std::vector<std::string> &Lines = linesOf(Where.File);
  Excerpt Out;
  if (Where.Line < 1 || Where.Line > Lines.size())
    return Out;
  Out.First = Where.Line > Around ? Where.Line - Around : 1;
  auto Last = std::min<size_t>(Where.Line + size_t(Around), Lines.size());
  for (unsigned Number = Out.First; Number <= Last; ++Number)
    Out.Lines.push_back(Lines[Number - 1].substr(0, MaxColumns));
  return Out;
}

std::optional<AppliedFix> SourceText::apply(const std::vector<FixIt> &Fixes) {
  if (Fixes.empty())
    return std::nullopt;
  const std::vector<std::string> &Lines = linesOf(Fixes[0].Begin.File);
  std::vector<FixIt> Sorted = Fixes; // the last first, so that offsets stay true
  std::sort(Sorted.begin(), Sorted.end(),
            [](const FixIt &A, const FixIt &B) { return isBefore(B.Begin, A.Begin); });
  AppliedFix Out{Sorted.back().Begin.Line, {}, {}};
  unsigned Last = Sorted.front().End.Line;
  for (const FixIt &F : Fixes)
    if (F.Begin.File != Fixes[0].Begin.File || !lies(F.Begin, Lines) || !lies(F.End, Lines) ||
        isBefore(F.End, F.Begin) || F.End.Line > Last)
      return std::nullopt;
  Out.Before.assign(Lines.begin() + Out.First - 1, Lines.begin() + Last);
  std::string Text = joined(Out.Before);
  for (const FixIt &F : Sorted) {
    size_t From = offsetOf(F.Begin, Out.First, Lines), To = offsetOf(F.End, Out.First, Lines);
    Text.replace(From, To - From, F.Text);
  }
  Out.After = split(Text);
  return Out;
}

} // namespace tensorleak
