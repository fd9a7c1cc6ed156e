//===-- Points.cpp --------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/debuginfo/Points.h"

#include <algorithm>
#include <set>

namespace tensorleak {

/// The column of the line's rows that stands for \p Wanted.
static unsigned chooseColumn(const std::set<unsigned> &Columns, unsigned Wanted) {
  auto Next = Columns.lower_bound(Wanted);
  return Next != Columns.end() ? *Next : *Columns.rbegin();
}

/// The rows of that line that start a statement; all of them if none does.
static std::vector<LineRow> rowsOfLine(unsigned Line, const std::vector<LineRow> &Rows) {
  std::vector<LineRow> All, Starting;
  for (const LineRow &Row : Rows) {
    if (Row.Line != Line)
      continue;
    All.push_back(Row);
    if (Row.StartsStatement)
      Starting.push_back(Row);
  }
  return Starting.empty() ? All : Starting;
}

std::vector<uint64_t> addressesOf(const Location &Where, const std::vector<LineRow> &Rows) {
  std::vector<LineRow> OfLine = rowsOfLine(Where.Line, Rows);
  std::set<unsigned> Columns;
  for (const LineRow &Row : OfLine)
    Columns.insert(Row.Column);
  if (Columns.empty())
    return {};
  unsigned Column = chooseColumn(Columns, Where.Column);
  std::set<uint64_t> Addresses;
  for (const LineRow &Row : OfLine)
    if (Row.Column == Column || Where.Column == 0)
      Addresses.insert(Row.Address);
  return {Addresses.begin(), Addresses.end()};
}

} // namespace tensorleak
