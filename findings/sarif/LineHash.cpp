//===-- LineHash.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/sarif/LineHash.h"

#include "findings/files/Utf16.h"

#include <cstdint>
#include <cstdio>
#include <map>

namespace tensorleak {
namespace {

constexpr size_t Window = 100;

/// A text without blanks, each end of a line as \n, with what marks the end of the file.
struct Squeezed {
  std::u16string Units;
  std::vector<size_t> LineStarts;
  bool AtLineStart = true;

  explicit Squeezed(std::u16string_view Text);
  void add(char16_t Unit) {
    if (AtLineStart)
      LineStarts.push_back(Units.size());
    Units += Unit;
    AtLineStart = Unit == u'\n';
  }
};

Squeezed::Squeezed(std::u16string_view Text) {
  constexpr char16_t EndOfFile = 0xFFFF;
  bool AfterReturn = false;
  for (char16_t Unit : Text) {
    bool Skipped = Unit == u' ' || Unit == u'\t' || (AfterReturn && Unit == u'\n');
    AfterReturn = !Skipped && Unit == u'\r';
    if (!Skipped)
      add(AfterReturn ? u'\n' : Unit);
  }
  add(EndOfFile);
  Units.append(Window, u'\0');
}

std::string hashOf(std::u16string_view Units) {
  constexpr uint64_t Base = 37;
  uint64_t Hash = 0;
  for (char16_t Unit : Units)
    Hash = Hash * Base + Unit;
  char Text[32];
  std::snprintf(Text, sizeof Text, "%llx", static_cast<unsigned long long>(Hash));
  return Text;
}

} // namespace

std::vector<std::string> lineHashes(std::string_view Text) {
  Squeezed Source(toUtf16(Text));
  std::vector<std::string> Out;
  std::map<std::string, unsigned> Seen;
  for (size_t Start : Source.LineStarts) {
    std::string Hash = hashOf(std::u16string_view(Source.Units).substr(Start, Window));
    unsigned Count = ++Seen[Hash];
    Out.push_back(Hash + ':' + std::to_string(Count));
  }
  return Out;
}

} // namespace tensorleak
