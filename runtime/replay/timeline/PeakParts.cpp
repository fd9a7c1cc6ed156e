//===-- PeakParts.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/timeline/PeakParts.h"
#include "runtime/replay/advice/PeakShares.h"

namespace tensorleak {
namespace {

const trace::PeakSnapshot *peakOfSite(const Recording &R, uint64_t SiteId) {
  auto Site = R.Sites.find(SiteId);
  if (Site == R.Sites.end())
    return nullptr;
  auto Peak = R.Peaks.find({Site->second.DeviceType, Site->second.DeviceIndex});
  return Peak == R.Peaks.end() ? nullptr : &Peak->second;
}

/// The round that the peak lies in.
uint32_t roundOf(const trace::PeakSnapshot &Peak, const StepClock &Clock) {
  RecordedObject Then;
  Then.BirthTick = Peak.Tick;
  Then.BirthSequence = Peak.Sequence;
  return Clock.birthOf(Then);
}

void addSnapshot(const trace::PeakSnapshot &Peak, std::map<uint64_t, PeakPart> &Out) {
  for (size_t I = 0; I < Peak.Sites.size(); ++I) {
    PeakPart &Part = Out[Peak.Sites[I].SiteId];
    Part.Bytes += static_cast<int64_t>(Peak.Sites[I].Bytes);
    Part.Count += I < Peak.Counts.size() ? Peak.Counts[I] : 0;
  }
}

void addSurvivor(const RecordedObject &O, uint32_t PeakRound, const StepClock &Clock,
                 PeakPart &Part) {
  uint32_t Born = Clock.birthOf(O);
  if (Born < PeakRound)
    (Born == 0 ? Part.Before : Part.Earlier) += static_cast<int64_t>(O.Bytes);
}

} // namespace

std::map<uint64_t, PeakPart> peakParts(const Recording &R, const StepClock &Clock) {
  std::map<uint64_t, PeakPart> Out;
  for (const auto &[Device, Peak] : R.Peaks)
    addSnapshot(Peak, Out);
  if (Clock.steps() == 0)
    return Out;
  for (const auto &[Number, Object] : R.Objects) {
    const trace::PeakSnapshot *Peak = peakOfSite(R, Object.SiteId);
    auto Part = Out.find(Object.SiteId);
    if (Peak && Part != Out.end() && wasAlive(Number, Object, *Peak))
      addSurvivor(Object, roundOf(*Peak, Clock), Clock, Part->second);
  }
  return Out;
}

} // namespace tensorleak
