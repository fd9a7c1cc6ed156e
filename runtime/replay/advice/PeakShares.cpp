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

/// In the peak's own tick it is not known which came first: then it does not count.
bool wasAlive(uint64_t Number, const RecordedObject &O, const trace::PeakSnapshot &Peak) {
  return Number <= Peak.Sequence && (!O.DeathTick || *O.DeathTick > Peak.Tick);
}

/// What main's variables hold goes when it returns.
bool livesToTheEnd(const Recording &R, const RecordedObject &O) {
  return !O.DeathTick || (R.End && *O.DeathTick >= R.End->Tick);
}

/// The tick of the first step; 0 for none. The end of a stretch of allocations is no step.
uint64_t firstStep(const Recording &R) {
  for (const trace::Boundary &B : R.Boundaries)
    if (B.TheKind != trace::BoundaryKind::Age)
      return B.Tick;
  return 0;
}

int64_t &shareFor(PeakShares &Shares, const Recording &R, const RecordedObject &O) {
  const trace::Site &Site = R.Sites.at(O.SiteId);
  if (Site.InBackward)
    return Shares.Gradients;
  if (Site.InOptimizer)
    return Shares.OptimizerState;
  return O.BirthTick < firstStep(R) && livesToTheEnd(R, O) ? Shares.Standing : Shares.Kept;
}

} // namespace

PeakShares peakShares(const Recording &R) {
  PeakShares Out;
  const trace::PeakSnapshot *Peak = highest(R);
  if (!Peak)
    return Out;
  Out.Total = static_cast<int64_t>(Peak->TotalBytes);
  Out.StepsSeen = firstStep(R) != 0;
  for (const auto &[Number, Object] : R.Objects) {
    auto Site = R.Sites.find(Object.SiteId);
    if (Site == R.Sites.end() || Site->second.DeviceType != Peak->DeviceType ||
        Site->second.DeviceIndex != Peak->DeviceIndex || !wasAlive(Number, Object, *Peak))
      continue;
    shareFor(Out, R, Object) += static_cast<int64_t>(Object.Bytes);
  }
  return Out;
}

} // namespace tensorleak
