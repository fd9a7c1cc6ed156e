//===-- Text.cpp ----------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/Text.h"

#include <algorithm>
#include <fstream>
#include <ostream>

namespace tensorleak {
namespace {

// The colours that Clang uses.
constexpr std::string_view Red = "\033[0;1;31m", Bold = "\033[0;1;39m", Magenta = "\033[0;1;35m",
                           Blue = "\033[0;1;34m", Grey = "\033[0;1;30m", Green = "\033[0;1;32m",
                           Reset = "\033[0m";

std::vector<std::string> readLines(const std::string &Path) {
  std::ifstream In(Path);
  std::vector<std::string> Lines;
  for (std::string Line; std::getline(In, Line);)
    Lines.push_back(std::move(Line));
  return Lines;
}

/// What stands before the caret: tabs stay, so that it lines up in any terminal.
std::string indentation(const std::string &Line, unsigned Column) {
  std::string Out;
  for (unsigned I = 0; I + 1 < Column; ++I) {
    // Continuation bytes of UTF-8 take no column on the screen.
    if (I < Line.size() && (Line[I] & 0xC0) == 0x80)
      continue;
    Out += I < Line.size() && Line[I] == '\t' ? '\t' : ' ';
  }
  return Out;
}

} // namespace

TextWriter::TextWriter(std::ostream &Out, bool Color, std::string Folder)
    : Out(Out), Color(Color), Folder(std::move(Folder)) {}

std::string_view TextWriter::style(std::string_view Code) const {
  return Color ? Code : std::string_view();
}

std::string TextWriter::shown(const std::string &Path) const {
  bool Below = !Folder.empty() && Path.size() > Folder.size() + 1 &&
               Path.compare(0, Folder.size(), Folder) == 0 && Path[Folder.size()] == '/';
  return Below ? Path.substr(Folder.size() + 1) : Path;
}

std::optional<std::string> TextWriter::sourceLine(const Location &Where) {
  auto [It, New] = Sources.try_emplace(Where.File);
  if (New)
    It->second = readLines(Where.File);
  if (Where.Line == 0 || Where.Line > It->second.size())
    return std::nullopt;
  return It->second[Where.Line - 1];
}

void TextWriter::writeSource(const Location &Where) {
  std::optional<std::string> Line = sourceLine(Where);
  if (!Line)
    return;
  std::string Number = std::to_string(Where.Line);
  std::string Gutter(Number.size() < 5 ? 5 - Number.size() : 0, ' ');
  Out << Gutter << Number << " | " << *Line << '\n';
  if (Where.Column)
    Out << std::string(Gutter.size() + Number.size(), ' ') << " | "
        << indentation(*Line, Where.Column) << style(Green) << '^' << style(Reset) << '\n';
}

/// What a fix-it inserts, below the place where it does.
void TextWriter::writeFix(const FixIt &Fix) {
  std::optional<std::string> Line = sourceLine(Fix.Begin);
  if (!Line || Fix.Text.empty() || Fix.Text.find('\n') != std::string::npos)
    return;
  size_t Width = std::max<size_t>(5, std::to_string(Fix.Begin.Line).size());
  Out << std::string(Width, ' ') << " | " << indentation(*Line, Fix.Begin.Column) << style(Green)
      << Fix.Text << style(Reset) << '\n';
}

void TextWriter::writeLine(const Location &Where, std::string_view Label, std::string_view Style,
                           const std::string &Message, const std::string &Suffix) {
  Out << style(Bold);
  if (Where.isValid())
    Out << shown(Where.File) << ':' << Where.Line << ':' << Where.Column << ": ";
  Out << style(Style) << Label << ": " << style(Reset) << style(Bold) << Message << style(Reset)
      << Suffix << '\n';
  writeSource(Where);
}

void TextWriter::write(const Finding &F) {
  bool Warning = F.TheLevel == Level::Warning;
  if (F.AsError)
    writeLine(F.Where, "error", Red, F.Message, " [" + F.Rule + ",-warnings-as-errors]");
  else
    writeLine(F.Where, Warning ? "warning" : "remark", Warning ? Magenta : Blue, F.Message,
              " [" + F.Rule + "]");
  for (const FixIt &Fix : F.Fixes)
    if (Fix.Begin.File == F.Where.File && Fix.Begin.Line == F.Where.Line)
      writeFix(Fix);
  for (const PathNote &Note : F.Notes)
    writeLine(Note.Where, "note", Grey, Note.Message, "");
}

} // namespace tensorleak
