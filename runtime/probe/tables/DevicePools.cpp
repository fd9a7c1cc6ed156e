//===-- DevicePools.cpp - What the caching allocator holds ----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See DevicePools.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/tables/DevicePools.h"

#include <algorithm>

namespace tensorleak::probe {
namespace {

void set(uint64_t &Field, uint64_t Value) { __atomic_store_n(&Field, Value, __ATOMIC_RELAXED); }

/// The free pieces of one segment. \p First is the first live block that is not before it.
struct Pieces {
  uint64_t Live = 0, Free = 0, Largest = 0;
};

Pieces piecesOf(uintptr_t Begin, uint64_t Bytes, const LiveObject *First, const LiveObject *End) {
  Pieces Out;
  uintptr_t At = Begin, SegmentEnd = Begin + Bytes;
  auto AddGap = [&Out](uint64_t Gap) {
    Out.Free += Gap;
    Out.Largest = std::max(Out.Largest, Gap);
  };
  for (const LiveObject *O = First; O != End && O->Address < SegmentEnd; ++O) {
    AddGap(O->Address > At ? O->Address - At : 0);
    At = std::max(At, O->Address + O->Bytes);
    Out.Live += O->Bytes;
  }
  AddGap(SegmentEnd > At ? SegmentEnd - At : 0);
  return Out;
}

} // namespace

/// CUDA's numbers begin at 0; more devices than there is room for are counted as one.
DevicePools::Totals *DevicePools::totalsOf(Device Where) {
  auto Index = unsigned(Where.Index < 0 ? 0 : Where.Index);
  return &Devices[std::min(Index, MaxDevices - 1)];
}

void DevicePools::reported(Device Where, uint64_t Allocated, uint64_t Reserved) {
  Totals &D = *totalsOf(Where);
  D.Where = Where;
  set(D.Allocated, Allocated);
  set(D.Reserved, Reserved);
  if (Reserved <= look(D.MostReserved))
    return;
  set(D.MostReserved, Reserved);
  set(D.AllocatedThen, Allocated);
}

void DevicePools::segmentMade(uintptr_t Address, uint64_t Bytes) {
  std::lock_guard<std::mutex> Lock(Mutex);
  Segments[Address] = Bytes;
}

void DevicePools::segmentGone(uintptr_t Address) {
  std::lock_guard<std::mutex> Lock(Mutex);
  Segments.erase(Address);
}

/// By address.
std::vector<LiveObject> DevicePools::liveOn(Device Where) {
  std::vector<LiveObject> Out;
  Live.forEach([&](const LiveObject &O) {
    if (Sites[O.SiteId].TheDevice == Where)
      Out.push_back(O);
  });
  std::sort(Out.begin(), Out.end(),
            [](const LiveObject &A, const LiveObject &B) { return A.Address < B.Address; });
  return Out;
}

/// Segments of all devices are in one address space. Those without a live block of this
/// device are another's, or free as a whole.
void DevicePools::addPieces(trace::DeviceMemory &Out) {
  std::vector<LiveObject> Blocks = liveOn({Out.DeviceType, Out.DeviceIndex});
  std::lock_guard<std::mutex> Lock(Mutex);
  uint64_t Found = 0;
  for (const auto &[Begin, Bytes] : Segments) {
    auto First = std::partition_point(Blocks.begin(), Blocks.end(),
                                      [Begin = Begin](const auto &O) { return O.Address < Begin; });
    Pieces P = piecesOf(Begin, Bytes, Blocks.data() + (First - Blocks.begin()),
                        Blocks.data() + Blocks.size());
    Found += P.Live;
    if (!P.Live)
      continue;
    ++Out.SegmentsInUse;
    Out.Between += P.Free;
    Out.LargestBetween = std::max(Out.LargestBetween, P.Largest);
  }
  // With expandable segments, or where cudaMalloc was not seen, blocks lie elsewhere.
  uint64_t All = 0;
  for (const LiveObject &O : Blocks)
    All += O.Bytes;
  Out.SegmentsKnown = All != 0 && Found == All;
}

trace::DeviceMemory DevicePools::stateOf(Device Where) {
  const Totals &D = *totalsOf(Where);
  trace::DeviceMemory Out;
  Out.DeviceType = Where.Type;
  Out.DeviceIndex = Where.Index;
  if (!(D.Where == Where)) // memory that is not the caching allocator's
    return Out;
  Out.Allocated = look(D.Allocated);
  Out.Reserved = look(D.Reserved);
  Out.MostReserved = look(D.MostReserved);
  Out.AllocatedThen = look(D.AllocatedThen);
  addPieces(Out);
  return Out;
}

void DevicePools::write(uint32_t Tick, uint32_t Generation) {
  for (const Totals &D : Devices) {
    if (!look(D.MostReserved))
      continue;
    trace::DeviceMemory Record = stateOf(D.Where);
    Record.Tick = Tick;
    Record.Generation = Generation;
    Trace.write(Record);
  }
}

} // namespace tensorleak::probe
