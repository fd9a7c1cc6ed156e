//===-- Assertion.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/assertions/Assertion.h"
#include "runtime/replay/facts/Ledger.h"

#include <algorithm>

namespace tensorleak {
namespace {

using trace::AssertionAnswer;
using trace::AssertionKind;

/// What was found before the scope began says nothing of it.
void forgetSearchesBefore(uint64_t Tick, Recording &R) {
  auto Forget = [Tick](auto &All, auto TickOf) {
    All.erase(std::remove_if(All.begin(), All.end(),
                             [&](const auto &Record) { return TickOf(Record) <= Tick; }),
              All.end());
  };
  Forget(R.HolderPaths, [](const trace::HolderPath &P) { return P.SearchTick; });
  Forget(R.CycleSamples, [](const trace::CycleSample &S) { return S.SearchTick; });
  Forget(R.Cycles, [](const trace::GraphCycles &C) { return C.Tick; });
}

AssertionResult judgeKind(const AssertionCase &C) {
  switch (C.Said.TheKind) {
  case AssertionKind::NoGrowth:
    return judgeNoGrowth(C);
  case AssertionKind::PeakBelow:
    return judgePeakBelow(C);
  case AssertionKind::KeptBelow:
    return judgeKeptBelow(C);
  }
  return {AssertionAnswer::Unknown, "this build does not know that kind of assertion"};
}

} // namespace

StepClock clockOfScope(const Recording &R, uint64_t Id) {
  StepClock Out{"round", {}, /*Announced=*/true};
  for (const trace::Boundary &B : R.Boundaries)
    if (B.TheKind == trace::BoundaryKind::Assertion && B.PointGroup == Id)
      Out.Ticks.push_back(B.Tick);
  return Out;
}

AssertionResult judgeAssertion(Recording R, uint64_t Id, Symbolizer &Symbols) {
  auto Said = R.Assertions.find(Id);
  StepClock Clock = clockOfScope(R, Id);
  if (Said == R.Assertions.end() || Clock.steps() < 2)
    return {AssertionAnswer::Unknown, "the trace does not have it"};
  forgetSearchesBefore(Clock.Ticks.front(), R);
  AssertionResult Out = judgeKind({R, Said->second, Clock, Symbols});
  std::vector<BlindSpot> Unseen = blindSpots(R);
  if (Out.Answer == AssertionAnswer::Holds && !Unseen.empty())
    return {AssertionAnswer::Unknown, Unseen.front().Why};
  return Out;
}

} // namespace tensorleak
