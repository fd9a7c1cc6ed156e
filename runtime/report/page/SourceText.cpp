//===-- SourceText.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/report/page/SourceText.h"

#include <algorithm>

namespace tensorleak {
namespace {

constexpr size_t MaxColumns = 400; // of generated code; a page shall stay small

using Lines = std::vector<std::string_view>;

bool lies(const Location &L, const Lines &In) {
  return L.Line >= 1 && L.Line <= In.size() && L.Column >= 1 &&
         L.Column <= In[L.Line - 1].size() + 1;
}

bool isBefore(const Location &A, const Location &B) {
  return A.Line != B.Line ? A.Line < B.Line : A.Column < B.Column;
}

/// Where a position lies in the lines from \p First on, each with its line's end.
size_t offsetOf(const Location &L, unsigned First, const Lines &In) {
  size_t Out = L.Column - 1;
  for (unsigned Number = First; Number < L.Line; ++Number)
    Out += In[Number - 1].size() + 1;
  return Out;
}

std::string joined(const std::vector<std::string> &In) {
  std::string Out;
  for (const std::string &Line : In)
    Out += Line + '\n';
  return Out;
}

std::string cut(std::string_view Line) { return std::string(Line.substr(0, MaxColumns)); }

} // namespace

std::string SourceText::line(const Location &Where) {
  return cut(Sources.line(Where.File, Where.Line).value_or(""));
}

Excerpt SourceText::excerpt(const Location &Where, unsigned Around) {
  const Lines &In = Sources.lines(Where.File);
  Excerpt Out;
  if (Where.Line < 1 || Where.Line > In.size())
    return Out;
  Out.First = Where.Line > Around ? Where.Line - Around : 1;
  auto Last = std::min<size_t>(Where.Line + size_t(Around), In.size());
  for (unsigned Number = Out.First; Number <= Last; ++Number)
    Out.Lines.push_back(cut(In[Number - 1]));
  return Out;
}

std::optional<AppliedFix> SourceText::apply(const std::vector<FixIt> &Fixes) {
  if (Fixes.empty())
    return std::nullopt;
  const Lines &In = Sources.lines(Fixes[0].Begin.File);
  std::vector<FixIt> Sorted = Fixes; // the last first, so that offsets stay true
  std::sort(Sorted.begin(), Sorted.end(),
            [](const FixIt &A, const FixIt &B) { return isBefore(B.Begin, A.Begin); });
  AppliedFix Out{Sorted.back().Begin.Line, {}, {}};
  unsigned Last = Sorted.front().End.Line;
  for (const FixIt &F : Fixes)
    if (F.Begin.File != Fixes[0].Begin.File || !lies(F.Begin, In) || !lies(F.End, In) ||
        isBefore(F.End, F.Begin) || F.End.Line > Last)
      return std::nullopt;
  Out.Before.assign(In.begin() + Out.First - 1, In.begin() + Last);
  std::string Text = joined(Out.Before);
  for (const FixIt &F : Sorted) {
    size_t From = offsetOf(F.Begin, Out.First, In), To = offsetOf(F.End, Out.First, In);
    Text.replace(From, To - From, F.Text);
  }
  Lines After = linesOf(Text);
  Out.After.assign(After.begin(), After.end());
  return Out;
}

} // namespace tensorleak
