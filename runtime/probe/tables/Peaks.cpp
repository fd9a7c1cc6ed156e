//===-- Peaks.cpp - The moment of most memory -----------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Peaks.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/tables/Peaks.h"

#include <algorithm>

namespace tensorleak::probe {

unsigned Peaks::slotOf(Device Where) {
  if (Where.isHost())
    return 0;
  return std::min(1u + uint8_t(std::max<int8_t>(Where.Index, 0)), MaxDevices - 1);
}

/// Threads that make small tensors one after the other would all write the same counter:
/// each reports the sum of its changes when that has grown.
void Peaks::change(ThreadState &Thread, Device Where, int64_t By) {
  if (!Where.isHost()) {
    bump(Devices[slotOf(Where)].Live, uint64_t(By));
    return;
  }
  Thread.PendingHost += By;
  if (Thread.PendingHost >= MaxPending || Thread.PendingHost <= -MaxPending)
    flush(Thread);
}

/// One thread may have reported that it freed what another made and has not reported yet.
uint64_t Peaks::totalOf(const PerDevice &D, int64_t Pending) {
  return uint64_t(std::max<int64_t>(0, int64_t(look(D.Live)) + Pending));
}

void Peaks::flush(ThreadState &Thread) {
  if (Thread.PendingHost)
    bump(Devices[0].Live, uint64_t(Thread.PendingHost));
  Thread.PendingHost = 0;
}

void Peaks::grown(ThreadState &Thread, Device Where, uint64_t Bytes) {
  // A stream, say, is no memory of that device; peaks are those of tensors.
  if (!Bytes || Where.isHeap())
    return;
  PerDevice &D = Devices[slotOf(Where)];
  change(Thread, Where, int64_t(Bytes));
  // Every thread writes the same value; sites are only ever of one kind of device.
  if (!(D.Where == Where))
    D.Where = Where;
}

void Peaks::aboutToShrink(ThreadState &Thread, Device Where, uint64_t Bytes) {
  if (Where.isHeap())
    return;
  PerDevice &D = Devices[slotOf(Where)];
  uint64_t Total = totalOf(D, Where.isHost() ? Thread.PendingHost : 0);
  if (Total > look(D.HighSince))
    __atomic_store_n(&D.HighSince, Total, __ATOMIC_RELAXED);
  if (D.isNewPeak(Total))
    snapshot(D, Total);
  change(Thread, Where, -int64_t(Bytes));
}

bool Peaks::PerDevice::isNewPeak(uint64_t Total) const {
  uint64_t Last = look(LastPeak), Base = std::min(look(Floor), Last);
  return Total > Last + (Last - Base) / 100;
}

void Peaks::restart(bool InScope) {
  write(/*IsEnd=*/true);
  std::lock_guard<std::mutex> Lock(Mutex);
  for (PerDevice &D : Devices) {
    D.WrittenPeak = totalOf(D, 0);
    __atomic_store_n(&D.LastPeak, D.WrittenPeak, __ATOMIC_RELAXED);
    __atomic_store_n(&D.Floor, InScope ? D.WrittenPeak : 0, __ATOMIC_RELAXED);
  }
}

void Peaks::snapshot(PerDevice &D, uint64_t Total) {
  std::lock_guard<std::mutex> Lock(Mutex);
  if (!D.isNewPeak(Total))
    return;
  uint64_t OfSites = 0; // threads that wait may not have reported all that is theirs
  for (uint32_t Id = 0, End = Sites.count(); Id < End; ++Id)
    if (SiteState &S = Sites[Id]; S.TheDevice == D.Where) {
      OfSites += S.BytesAtPeak = look(S.LiveBytes);
      S.CountAtPeak = look(S.Allocations) - look(S.Frees);
    }
  __atomic_store_n(&D.LastPeak, std::max(Total, OfSites), __ATOMIC_RELAXED);
  D.PeakTick = look(Trace.totals().Tick);
  D.PeakSequence = look(Trace.totals().Allocations);
}

uint64_t Peaks::deviceLiveBytes() const {
  uint64_t Sum = 0;
  for (unsigned I = 1; I < MaxDevices; ++I)
    Sum += look(Devices[I].Live);
  return Sum;
}

std::vector<trace::DeviceBytes> Peaks::takeHighest() {
  std::vector<trace::DeviceBytes> Out;
  for (PerDevice &D : Devices) {
    uint64_t Live = totalOf(D, 0);
    uint64_t High = __atomic_exchange_n(&D.HighSince, Live, __ATOMIC_RELAXED);
    if (High || Live)
      Out.push_back({D.Where.Type, D.Where.Index, Live, std::max(High, Live)});
  }
  return Out;
}

void Peaks::write(bool IsEnd) {
  for (PerDevice &D : Devices) {
    if (uint64_t Total = totalOf(D, 0); IsEnd && D.isNewPeak(Total))
      snapshot(D, Total);
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
      if (SiteState &S = Sites[Id]; S.TheDevice == D.Where && S.BytesAtPeak) {
        Record.Sites.push_back({Id, S.BytesAtPeak});
        Record.Counts.push_back(S.CountAtPeak);
      }
    Trace.write(Record);
  }
}

} // namespace tensorleak::probe
