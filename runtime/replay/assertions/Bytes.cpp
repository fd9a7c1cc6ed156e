//===-- Bytes.cpp - Assertions about a number of bytes --------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/assertions/Places.h"

#include <algorithm>

namespace tensorleak {
namespace {

using trace::AssertionAnswer;

using Device = std::pair<uint8_t, int8_t>;

std::string nameOf(Device D) {
  return D.first == 0 ? "the CPU" : "GPU " + std::to_string(std::max<int>(D.second, 0));
}

/// How far a device rose above what it held when the scope began.
struct Rise {
  Device Where{0, -1};
  uint64_t Bytes = 0;
};

Rise highestRise(const AssertionCase &C) {
  uint64_t First = C.Clock.Ticks.front(), Last = C.Clock.Ticks.back();
  std::map<Device, uint64_t> Before;
  Rise Out;
  for (const trace::LiveMemory &M : C.R.LiveMemory)
    for (const trace::DeviceBytes &D : M.Devices) {
      Device Where{D.DeviceType, D.DeviceIndex};
      if (M.Tick == First)
        Before[Where] = D.Live;
      if (M.Tick <= First || M.Tick > Last)
        continue;
      if (uint64_t Held = Before[Where]; D.High > Held && D.High - Held > Out.Bytes)
        Out = {Where, D.High - Held};
    }
  return Out;
}

/// What a site held when the scope began.
int64_t heldBefore(const AssertionCase &C, uint64_t SiteId) {
  int64_t Out = 0;
  if (auto Samples = C.R.LiveSamples.find(SiteId); Samples != C.R.LiveSamples.end())
    for (const LiveSample &S : Samples->second)
      if (S.Tick < C.Clock.Ticks.front())
        Out = int64_t(S.Bytes);
  return Out;
}

/// The highest moment of the scope, site by site; null if it was hardly above the beginning.
const trace::PeakSnapshot *peakOf(const AssertionCase &C, Device Where) {
  const trace::PeakSnapshot *Out = nullptr;
  for (const trace::PeakSnapshot &P : C.R.AllPeaks)
    if (Device(P.DeviceType, P.DeviceIndex) == Where && P.Tick >= C.Clock.Ticks.front() &&
        P.Tick < C.Clock.Ticks.back() && (!Out || P.TotalBytes > Out->TotalBytes))
      Out = &P;
  return Out;
}

std::string limitOf(const AssertionCase &C) { return formatBytes(int64_t(C.Said.Limit)); }

} // namespace

AssertionResult judgePeakBelow(const AssertionCase &C) {
  Rise Highest = highestRise(C);
  if (Highest.Bytes <= C.Said.Limit)
    return {};
  BytesByPlace Held(C);
  if (const trace::PeakSnapshot *Peak = peakOf(C, Highest.Where))
    for (const trace::SiteBytes &S : Peak->Sites)
      Held.add(S.SiteId, int64_t(S.Bytes) - heldBefore(C, S.SiteId));
  return {AssertionAnswer::Fails, "at its highest " + nameOf(Highest.Where) + " held " +
                                      formatBytes(int64_t(Highest.Bytes)) +
                                      " more than before; the limit is " + limitOf(C) +
                                      Held.largest(0)};
}

AssertionResult judgeKeptBelow(const AssertionCase &C) {
  BytesByPlace Kept(C);
  for (const auto &[Number, O] : C.R.Objects)
    if (!O.DeathTick && !O.Expected && O.BirthTick >= C.Clock.Ticks.front() &&
        O.BirthTick < C.Clock.Ticks.back())
      Kept.add(O.SiteId, int64_t(O.Bytes));
  auto Limit = int64_t(std::min<uint64_t>(C.Said.Limit, INT64_MAX));
  if (Kept.most() <= Limit)
    return {};
  return {AssertionAnswer::Fails, "memory is still alive at the end; the limit is " + limitOf(C) +
                                      " from one place" + Kept.largest(Limit)};
}

} // namespace tensorleak
