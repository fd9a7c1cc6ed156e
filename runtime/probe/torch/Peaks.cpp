//===-- Peaks.cpp - The moment of most memory ------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Peaks.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/torch/Peaks.h"

#include <algorithm>

namespace tensorleak::probe {

unsigned Peaks::slotOf(Device Where) {
  if (Where.isHost())
    return 0;
  return std::min(1u + uint8_t(std::max<int8_t>(Where.Index, 0)), MaxDevices - 1);
}

void Peaks::grown(Device Where, uint64_t Bytes) {
  PerDevice &D = Devices[slotOf(Where)];
  bump(D.Live, Bytes);
  // Every thread writes the same value; sites are only ever of one kind of device.
  if (!(D.Where == Where))
    D.Where = Where;
}

void Peaks::aboutToShrink(Device Where, uint64_t Bytes) {
  PerDevice &D = Devices[slotOf(Where)];
  uint64_t Total = look(D.Live);
  if (isNewPeak(Total, look(D.LastPeak)))
    snapshot(D, Total);
  bump(D.Live, -Bytes);
}

void Peaks::snapshot(PerDevice &D, uint64_t Total) {
  std::lock_guard<std::mutex> Lock(Mutex);
  if (!isNewPeak(Total, D.LastPeak))
    return;
  for (uint32_t Id = 0, End = Sites.count(); Id < End; ++Id)
    if (SiteState &S = Sites[Id]; S.TheDevice == D.Where)
      S.BytesAtPeak = look(S.LiveBytes);
  D.LastPeak = Total;
  D.PeakTick = look(Trace.totals().Tick);
  D.PeakSequence = look(Trace.totals().Allocations);
}

uint64_t Peaks::deviceLiveBytes() const {
  uint64_t Sum = 0;
  for (unsigned I = 1; I < MaxDevices; ++I)
    Sum += look(Devices[I].Live);
  return Sum;
}

void Peaks::write(bool IsEnd) {
  for (PerDevice &D : Devices) {
    if (IsEnd && isNewPeak(look(D.Live), D.LastPeak))
      snapshot(D, look(D.Live));
    std::lock_guard<std::mutex> Lock(Mutex);
    if (D.LastPeak == D.WrittenPeak)
      continue;
    D.WrittenPeak = D.LastPeak;
    trace::PeakSnapshot Record;
    Record.DeviceType = D.Where.Type;
    Record.DeviceIndex = D.Where.Index;
    Record.Tick = D.PeakTick;
    Record.Sequence = D.PeakSequence;
    Record.TotalBytes = D.LastPeak;
    for (uint32_t Id = 0, End = Sites.count(); Id < End; ++Id)
      if (SiteState &S = Sites[Id]; S.TheDevice == D.Where && S.BytesAtPeak)
        Record.Sites.push_back({Id, S.BytesAtPeak});
    Trace.write(Record);
  }
}

} // namespace tensorleak::probe
