//===-- PeakShares.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/advice/PeakShares.h"

namespace tensorleak {
namespace {

const trace::PeakSnapshot *highest(const Recording &R) {
  const trace::PeakSnapshot *Out = nullptr;
  for (const auto &[Device, Peak] : R.Peaks)
    if (!Out || Peak.TotalBytes > Out->TotalBytes)
      Out = &Peak;
  return Out;
}

/// What main's variables hold goes when it returns.
bool livesToTheEnd(const Recording &R, const RecordedObject &O) {
  return !O.DeathTick || (R.End && *O.DeathTick >= R.End->Tick);
}

/// The tick of the first step; 0 for none. The end of a stretch of allocations is no step.
uint64_t firstStep(const Recording &R) {
  for (const trace::Boundary &B : R.Boundaries)
    if (B.TheKind != trace::BoundaryKind::Age && B.TheKind != trace::BoundaryKind::Assertion)
      return B.Tick;
  return 0;
}

int64_t &partFor(PeakShares &Shares, Share S) {
  switch (S) {
  case Share::Standing:
    return Shares.Standing;
  case Share::Gradients:
    return Shares.Gradients;
  case Share::OptimizerState:
    return Shares.OptimizerState;
  case Share::Kept:
    break;
  }
  return Shares.Kept;
}

} // namespace

ShareOf::ShareOf(const Recording &R, const StepClock *Clock)
    : R(R), Clock(Clock && Clock->steps() ? Clock : nullptr), FirstStep(firstStep(R)) {}

bool ShareOf::standsBeforeTheSteps(const RecordedObject &O) const {
  return (Clock ? Clock->birthOf(O) == 0 : O.BirthTick < FirstStep) && livesToTheEnd(R, O);
}

Share ShareOf::operator()(const RecordedObject &O) const {
  const trace::Site &Site = R.Sites.at(O.SiteId);
  if (Site.InBackward)
    return Share::Gradients;
  if (Site.InOptimizer)
    return Share::OptimizerState;
  return standsBeforeTheSteps(O) ? Share::Standing : Share::Kept;
}

bool wasAlive(uint64_t Number, const RecordedObject &O, const trace::PeakSnapshot &Peak) {
  bool DiedLater = O.DeathTick && (*O.DeathTick > Peak.Tick ||
                                   (*O.DeathTick == Peak.Tick && O.DeathSequence >= Peak.Sequence));
  return Number <= Peak.Sequence && (!O.DeathTick || DiedLater);
}

PeakShares peakShares(const Recording &R) {
  PeakShares Out;
  const trace::PeakSnapshot *Peak = highest(R);
  if (!Peak)
    return Out;
  Out.Total = static_cast<int64_t>(Peak->TotalBytes);
  Out.StepsSeen = firstStep(R) != 0;
  ShareOf KindOf(R);
  for (const auto &[Number, Object] : R.Objects) {
    auto Site = R.Sites.find(Object.SiteId);
    if (Site == R.Sites.end() || Site->second.DeviceType != Peak->DeviceType ||
        Site->second.DeviceIndex != Peak->DeviceIndex || !wasAlive(Number, Object, *Peak))
      continue;
    partFor(Out, KindOf(Object)) += static_cast<int64_t>(Object.Bytes);
  }
  return Out;
}

} // namespace tensorleak
