//===-- Utf16.cpp ---------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/files/Utf16.h"

namespace tensorleak {
namespace {

struct CodePoint {
  char32_t Value;
  size_t Bytes;
};
constexpr CodePoint Broken = {0xFFFD, 1};

/// As the first byte says; 0 where it begins no code point.
size_t lengthFrom(unsigned char Lead) {
  if (Lead < 0x80)
    return 1;
  return Lead >> 5 == 0b110 ? 2 : Lead >> 4 == 0b1110 ? 3 : Lead >> 3 == 0b11110 ? 4 : 0;
}

CodePoint firstOf(std::string_view Text) {
  auto Lead = static_cast<unsigned char>(Text.front());
  size_t Bytes = lengthFrom(Lead);
  if (Bytes == 0 || Bytes > Text.size())
    return Broken;
  if (Bytes == 1)
    return {Lead, 1};
  char32_t Value = Lead & (0x7F >> Bytes);
  for (char C : Text.substr(1, Bytes - 1)) {
    if ((C & 0xC0) != 0x80)
      return Broken;
    Value = Value << 6 | (C & 0x3F);
  }
  return {Value, Bytes};
}

constexpr char32_t FirstOfPairs = 0x10000;

size_t unitsOf(char32_t Value) { return Value < FirstOfPairs ? 1 : 2; }

void append(std::u16string &Out, char32_t Value) {
  if (unitsOf(Value) == 1) {
    Out += static_cast<char16_t>(Value);
    return;
  }
  Value -= FirstOfPairs;
  Out += static_cast<char16_t>(0xD800 | Value >> 10);
  Out += static_cast<char16_t>(0xDC00 | (Value & 0x3FF));
}

} // namespace

std::u16string toUtf16(std::string_view Text) {
  std::u16string Out;
  while (!Text.empty()) {
    CodePoint Next = firstOf(Text);
    append(Out, Next.Value);
    Text.remove_prefix(Next.Bytes);
  }
  return Out;
}

unsigned utf16Column(std::string_view Line, unsigned Column) {
  size_t Before = Column - 1, Beyond = Before > Line.size() ? Before - Line.size() : 0;
  return static_cast<unsigned>(toUtf16(Line.substr(0, Before)).size() + Beyond) + 1;
}

unsigned byteColumn(std::string_view Line, unsigned Utf16Column) {
  size_t Units = 1, Bytes = 1;
  while (Units < Utf16Column && !Line.empty()) {
    CodePoint Next = firstOf(Line);
    Units += unitsOf(Next.Value);
    Bytes += Next.Bytes;
    Line.remove_prefix(Next.Bytes);
  }
  return static_cast<unsigned>(Bytes + (Utf16Column > Units ? Utf16Column - Units : 0));
}

} // namespace tensorleak
