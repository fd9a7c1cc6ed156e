//===-- StepClock.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/recording/StepClock.h"
#include "runtime/replay/growth/Growth.h"

#include <algorithm>

namespace tensorleak {
namespace {

using trace::Boundary;
using trace::BoundaryKind;

/// Boundaries that tick together: of one optimizer, of one line, of one kind.
using Streams = std::map<uint64_t, std::vector<uint64_t>>;

Streams streamsOf(const Recording &R, BoundaryKind Kind, uint64_t Boundary::*Key) {
  Streams Out;
  for (const Boundary &B : R.Boundaries)
    if (B.TheKind == Kind)
      Out[B.*Key].push_back(B.Tick);
  return Out;
}

std::vector<uint64_t> allTicks(const Streams &S) {
  std::vector<uint64_t> Out;
  for (const auto &[Key, Ticks] : S)
    Out.insert(Out.end(), Ticks.begin(), Ticks.end());
  std::sort(Out.begin(), Out.end());
  return Out;
}

uint64_t spanOf(const std::vector<uint64_t> &Ticks) {
  return Ticks.empty() ? 0 : Ticks.back() - Ticks.front();
}

/// The least frequent stream that runs through at least half of the whole; all
/// of them together if there is none.
StepClock enclosingLoop(const Recording &R, const Streams &S) {
  StepClock Out{"optimizer step", allTicks(S), false};
  uint64_t Whole = spanOf(Out.Ticks);
  const std::vector<uint64_t> *Best = nullptr;
  for (const auto &[Id, Ticks] : S) {
    bool RunsThrough = Ticks.size() >= MinStepsToJudge && 2 * spanOf(Ticks) >= Whole;
    if (!RunsThrough || (Best && Ticks.size() >= Best->size()))
      continue;
    Best = &Ticks;
    if (auto Known = R.Optimizers.find(Id); Known != R.Optimizers.end())
      Out.Name = "step of " + Known->second.Class;
  }
  if (Best)
    Out.Ticks = *Best;
  return Out;
}

StepClock mostFrequent(const std::string &Name, const Streams &S) {
  StepClock Out{Name, {}, false};
  for (const auto &[Key, Ticks] : S)
    if (Ticks.size() > Out.Ticks.size())
      Out.Ticks = Ticks;
  return Out;
}

} // namespace

static uint32_t boundariesUpTo(const std::vector<uint64_t> &All, uint64_t Moment) {
  return static_cast<uint32_t>(std::upper_bound(All.begin(), All.end(), Moment) - All.begin());
}

uint32_t StepClock::stepOf(uint64_t Tick) const {
  if (!Inferred)
    return boundariesUpTo(Ticks, Tick);
  size_t Known = std::min<size_t>(Tick, AllocationsAtTick.size());
  return Known ? boundariesUpTo(Ticks, AllocationsAtTick[Known - 1]) : 0;
}

uint32_t StepClock::birthOf(const RecordedObject &Object) const {
  return boundariesUpTo(Ticks, Inferred ? Object.BirthSequence : Object.BirthTick);
}

std::optional<uint32_t> StepClock::deathOf(const RecordedObject &Object) const {
  if (!Object.DeathTick)
    return std::nullopt;
  return boundariesUpTo(Ticks, Inferred ? Object.DeathSequence : *Object.DeathTick);
}

StepClock chooseClock(const Recording &R) {
  if (Streams S = streamsOf(R, BoundaryKind::UserMarker, &Boundary::PointGroup); !S.empty())
    return {"tensorleak_step()", allTicks(S), /*Announced=*/true};
  for (BoundaryKind Kind : {BoundaryKind::OptimizerStep, BoundaryKind::PythonOptimizerStep})
    if (Streams S = streamsOf(R, Kind, &Boundary::OptimizerId); !S.empty())
      return enclosingLoop(R, S);
  if (Streams S = streamsOf(R, BoundaryKind::Backward, &Boundary::PointGroup); !S.empty())
    return {"backward pass", allTicks(S), false};
  return mostFrequent("round of the loop",
                      streamsOf(R, BoundaryKind::LineClock, &Boundary::PointGroup));
}

StepClock lineClock(const Recording &R, uint64_t PointGroup, const StepClock &Program) {
  Streams All = streamsOf(R, BoundaryKind::LineClock, &Boundary::PointGroup);
  std::vector<uint64_t> &Ticks = All[PointGroup];
  StepClock Best{"round of the loop", {}, false};
  for (size_t First = 0, I = 1; I <= Ticks.size(); ++I) {
    bool SamePass = I < Ticks.size() && Program.stepOf(Ticks[I]) == Program.stepOf(Ticks[I - 1]);
    if (SamePass)
      continue;
    if (I - First > Best.Ticks.size())
      Best.Ticks.assign(Ticks.begin() + static_cast<std::ptrdiff_t>(First),
                        Ticks.begin() + static_cast<std::ptrdiff_t>(I));
    First = I;
  }
  return Best;
}

} // namespace tensorleak
