//===-- SourceLines.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/files/SourceLines.h"
#include "findings/files/ReadFile.h"

#include <algorithm>
#include <cctype>

namespace tensorleak {
namespace {

bool isOfWord(unsigned char C) { return std::isalnum(C) || C == '_' || C >= 0x80; }

} // namespace

std::vector<std::string_view> linesOf(std::string_view Text) {
  std::vector<std::string_view> Out;
  while (!Text.empty()) {
    size_t End = std::min(Text.find('\n'), Text.size());
    std::string_view Line = Text.substr(0, End);
    if (!Line.empty() && Line.back() == '\r')
      Line.remove_suffix(1);
    Out.push_back(Line);
    Text.remove_prefix(std::min(End + 1, Text.size()));
  }
  return Out;
}

std::string SourceLines::readSource(const std::string &File) {
  return readPlainFile(File, MaxSourceBytes).value_or("");
}

const SourceLines::Source &SourceLines::source(const std::string &File) {
  auto [It, New] = Sources.try_emplace(File);
  if (New) {
    It->second.Text = Read(File);
    It->second.Lines = linesOf(It->second.Text);
  }
  return It->second;
}

std::optional<std::string_view> SourceLines::line(const std::string &File, unsigned Number) {
  if (Number == 0) // no place in a source: the file may be a program
    return std::nullopt;
  const std::vector<std::string_view> &Lines = source(File).Lines;
  if (Number > Lines.size())
    return std::nullopt;
  return Lines[Number - 1];
}

size_t endOfWord(std::string_view Line, size_t Begin) {
  size_t End = Begin;
  while (End < Line.size() && isOfWord(static_cast<unsigned char>(Line[End])))
    ++End;
  return std::max(End, Begin + 1);
}

} // namespace tensorleak
