//===-- Series.cpp - From lifetimes to what a site held per step ----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/growth/Growth.h"

#include <algorithm>
#include <map>

namespace tensorleak {

/// Steps [Birth, Death): freed in the step of its birth, it is in no series.
static void addInterval(std::vector<int64_t> &Changes, uint32_t Birth, uint32_t Death,
                        int64_t Value) {
  uint32_t Steps = static_cast<uint32_t>(Changes.size());
  if (Birth >= Steps || Death <= Birth)
    return;
  Changes[Birth] += Value;
  if (Death < Steps)
    Changes[Death] -= Value;
}

static void accumulate(std::vector<int64_t> &Changes) {
  for (size_t I = 1; I < Changes.size(); ++I)
    Changes[I] += Changes[I - 1];
}

SiteSeries seriesOf(const std::vector<Lifetime> &Objects, uint32_t Steps) {
  SiteSeries Out;
  Out.Bytes.resize(Steps);
  Out.Generations.resize(Steps);
  std::map<uint32_t, uint32_t> LastDeath; // a generation lives as long as its last member
  for (const Lifetime &O : Objects) {
    addInterval(Out.Bytes, O.Birth, O.Death, O.Bytes);
    uint32_t &Last = LastDeath[O.Birth];
    Last = std::max(Last, O.Death);
  }
  for (const auto &[Birth, Death] : LastDeath) {
    addInterval(Out.Generations, Birth, Death, 1);
    if (Birth < Steps && Death >= Steps)
      Out.BirthsAlive.push_back(Birth);
  }
  accumulate(Out.Bytes);
  accumulate(Out.Generations);
  return Out;
}

} // namespace tensorleak
