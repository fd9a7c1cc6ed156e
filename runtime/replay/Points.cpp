//===-- Points.cpp --------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/Points.h"

#include <algorithm>
#include <set>

namespace tensorleak {

/// The column of the line's rows that stands for \p Wanted.
static unsigned chooseColumn(const std::set<unsigned> &Columns, unsigned Wanted) {
  auto Next = Columns.lower_bound(Wanted);
  return Next != Columns.end() ? *Next : *Columns.rbegin();
}

std::vector<uint64_t> addressesOf(const Location &Where, const std::vector<LineRow> &Statements) {
  std::set<unsigned> Columns;
  for (const LineRow &Row : Statements)
    if (Row.Line == Where.Line)
      Columns.insert(Row.Column);
  if (Columns.empty())
    return {};
  unsigned Column = chooseColumn(Columns, Where.Column);
  std::set<uint64_t> Addresses;
  for (const LineRow &Row : Statements)
    if (Row.Line == Where.Line && (Row.Column == Column || Where.Column == 0))
      Addresses.insert(Row.Address);
  return {Addresses.begin(), Addresses.end()};
}

} // namespace tensorleak
