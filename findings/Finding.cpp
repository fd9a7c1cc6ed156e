//===-- Finding.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/Finding.h"

#include <cstdio>
#include <tuple>

namespace tensorleak {
namespace {

// By the value of the enumerator, in the order of the table.
constexpr std::string_view KindNames[] = {
#define TENSORLEAK_KIND(Name, Text) Text,
#include "findings/Vocabulary.def"
};
constexpr std::string_view LevelNames[] = {
#define TENSORLEAK_LEVEL(Name, Text) Text,
#include "findings/Vocabulary.def"
};
constexpr std::string_view VerdictNames[] = {
#define TENSORLEAK_VERDICT(Name, Text, Words) Text,
#include "findings/Vocabulary.def"
};
constexpr std::string_view VerdictWords[] = {
#define TENSORLEAK_VERDICT(Name, Text, Words) Words,
#include "findings/Vocabulary.def"
};

template <typename E, size_t N>
std::optional<E> valueOf(const std::string_view (&Names)[N], std::string_view Text) {
  for (size_t I = 0; I < N; ++I)
    if (Names[I] == Text)
      return static_cast<E>(I);
  return std::nullopt;
}

} // namespace

std::string_view toString(Kind K) { return KindNames[static_cast<size_t>(K)]; }
std::string_view toString(Level L) { return LevelNames[static_cast<size_t>(L)]; }
std::string_view toString(Verdict V) { return VerdictNames[static_cast<size_t>(V)]; }
std::string_view wordsFor(Verdict V) { return VerdictWords[static_cast<size_t>(V)]; }

std::optional<Kind> kindFromString(std::string_view S) { return valueOf<Kind>(KindNames, S); }
std::optional<Level> levelFromString(std::string_view S) { return valueOf<Level>(LevelNames, S); }
std::optional<Verdict> verdictFromString(std::string_view S) {
  return valueOf<Verdict>(VerdictNames, S);
}

std::string shortPlace(const Location &Where) {
  std::string File = Where.File.substr(Where.File.rfind('/') + 1);
  return Where.isValid() ? File + ':' + std::to_string(Where.Line) : File;
}

std::string formatBytes(int64_t Bytes) {
  static constexpr const char *Units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double Value = static_cast<double>(Bytes);
  unsigned Unit = 0;
  while ((Value >= 1024 || Value <= -1024) && Unit < 4) {
    Value /= 1024;
    ++Unit;
  }
  char Text[48];
  bool Whole = Value == static_cast<double>(static_cast<int64_t>(Value));
  std::snprintf(Text, sizeof Text, Whole ? "%.0f %s" : "%.1f %s", Value, Units[Unit]);
  return Text;
}

bool printsBefore(const Finding &A, const Finding &B) {
  auto Key = [](const Finding &F) {
    return std::tie(F.Where.File, F.Where.Line, F.Where.Column, F.Rule, F.Message);
  };
  return Key(A) < Key(B);
}

} // namespace tensorleak
