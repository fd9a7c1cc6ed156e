//===-- Finding.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/Finding.h"

#include <array>
#include <cstdio>
#include <tuple>
#include <utility>

namespace tensorleak {
namespace {

template <typename E, size_t N>
using Names = std::array<std::pair<E, std::string_view>, N>;

constexpr Names<Kind, 4> KindNames{{{Kind::Retention, "retention"},
                                    {Kind::Ownership, "ownership"},
                                    {Kind::Peak, "peak"},
                                    {Kind::Correctness, "correctness"}}};
constexpr Names<Level, 2> LevelNames{{{Level::Note, "note"}, {Level::Warning, "warning"}}};
constexpr Names<Verdict, 4> VerdictNames{{{Verdict::Confirmed, "confirmed"},
                                          {Verdict::Refuted, "refuted"},
                                          {Verdict::NotReached, "not-reached"},
                                          {Verdict::Inconclusive, "inconclusive"}}};

template <typename E, size_t N> std::string_view nameOf(const Names<E, N> &Table, E Value) {
  for (const auto &[V, Name] : Table)
    if (V == Value)
      return Name;
  return "";
}

template <typename E, size_t N>
std::optional<E> valueOf(const Names<E, N> &Table, std::string_view Text) {
  for (const auto &[V, Name] : Table)
    if (Name == Text)
      return V;
  return std::nullopt;
}

} // namespace

std::string_view toString(Kind K) { return nameOf(KindNames, K); }
std::string_view toString(Level L) { return nameOf(LevelNames, L); }
std::string_view toString(Verdict V) { return nameOf(VerdictNames, V); }
std::optional<Kind> kindFromString(std::string_view S) { return valueOf(KindNames, S); }
std::optional<Level> levelFromString(std::string_view S) { return valueOf(LevelNames, S); }
std::optional<Verdict> verdictFromString(std::string_view S) { return valueOf(VerdictNames, S); }

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
