//===-- Array.cpp - An array that grows with the steps ----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Growth.h. There are few replacements, and so no series that could be judged; but that each
// came when it was due is no chance.
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/growth/Growth.h"

#include <algorithm>

namespace tensorleak {
namespace {

/// The one that is there at the end, before it the one that it replaced, and so on.
std::vector<Lifetime> replacements(std::vector<Lifetime> All, uint32_t Steps) {
  std::sort(All.begin(), All.end(),
            [](const Lifetime &A, const Lifetime &B) { return A.Birth > B.Birth; });
  std::vector<Lifetime> Out;
  for (const Lifetime &L : All) {
    if (Out.empty() && L.Death >= Steps)
      Out.push_back(L);
    else if (!Out.empty() && L.Bytes < Out.back().Bytes && L.Birth < Out.back().Birth &&
             L.Death >= Out.back().Birth && L.Death <= Out.back().Birth + 1)
      Out.push_back(L);
  }
  return Out;
}

} // namespace

int64_t arrayBytesPerStep(const std::vector<Lifetime> &Objects, uint32_t Steps) {
  constexpr size_t Enough = 3;
  constexpr double Tolerance = 1.25;
  std::vector<Lifetime> All = replacements(Objects, Steps);
  std::vector<double> Rates; // each was full when it was replaced
  for (size_t I = 0; I + 2 < All.size() && All[I + 1].Birth && Rates.size() < Enough; ++I)
    Rates.push_back(double(All[I + 1].Bytes - All[I + 2].Bytes) /
                    double(All[I].Birth - All[I + 1].Birth));
  if (Rates.size() < Enough)
    return 0;
  auto [Least, Most] = std::minmax_element(Rates.begin(), Rates.end());
  double Since = Rates.front() * double(Steps - All[0].Birth);
  bool IsOverdue = double(All[0].Bytes - All[1].Bytes) * Tolerance < Since;
  return IsOverdue || *Most > Tolerance * *Least ? 0 : int64_t(Rates.front());
}

} // namespace tensorleak
