//===-- DevicePools.h - What the caching allocator holds -------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LibTorch asks CUDA for segments and gives out blocks of them. Memory that is reserved
// and not live is either a whole free segment, which can be given back, or lies between
// live blocks: fragmentation. The allocator reports its two totals with every block; the
// segments are seen where it calls cudaMalloc.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_TABLES_DEVICEPOOLS_H
#define TENSORLEAK_RUNTIME_PROBE_TABLES_DEVICEPOOLS_H

#include "runtime/probe/tables/LiveTable.h"
#include "runtime/probe/tables/Sites.h"

#include <map>

namespace tensorleak::probe {

class DevicePools {
public:
  DevicePools(Recorder &Trace, LiveTable &Live, SiteTable &Sites)
      : Trace(Trace), Live(Live), Sites(Sites) {}

  /// The allocator's totals. Called with its lock held, for every block.
  void reported(Device Where, uint64_t Allocated, uint64_t Reserved);
  void segmentMade(uintptr_t Address, uint64_t Bytes);
  void segmentGone(uintptr_t Address);

  /// What is known of that device now.
  trace::DeviceMemory stateOf(Device Where);
  /// Writes the state of every device that is used.
  void write(uint32_t Tick, uint32_t Generation);

private:
  static constexpr unsigned MaxDevices = 16;
  struct Totals {
    Device Where;
    uint64_t Allocated, Reserved, MostReserved, AllocatedThen;
  };
  Totals *totalsOf(Device Where);
  std::vector<LiveObject> liveOn(Device Where);
  void addPieces(trace::DeviceMemory &Out);

  Recorder &Trace;
  LiveTable &Live;
  SiteTable &Sites;
  std::mutex Mutex; ///< of the segments
  std::map<uintptr_t, uint64_t> Segments;
  Totals Devices[MaxDevices] = {};
};

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_TABLES_DEVICEPOOLS_H
