//===-- Peaks.h - The moment of most memory -------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Live bytes per device, and which sites held them when they were highest. A
// snapshot is taken when the total begins to fall after it rose by more than 1%
// above the last snapshot, so their number is logarithmic.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_TABLES_PEAKS_H
#define TENSORLEAK_RUNTIME_PROBE_TABLES_PEAKS_H

#include "runtime/probe/tables/Sites.h"

namespace tensorleak::probe {

class Peaks {
public:
  Peaks(Recorder &Trace, SiteTable &Sites) : Trace(Trace), Sites(Sites) {}

  void grown(ThreadState &Thread, Device Where, uint64_t Bytes);
  /// To be called before the site's own counter shrinks.
  void aboutToShrink(ThreadState &Thread, Device Where, uint64_t Bytes);
  /// Takes in what this thread has not reported yet.
  void flush(ThreadState &Thread);
  /// Exact for threads that were flushed, else within MaxPending for each.
  uint64_t hostLiveBytes() const { return totalOf(Devices[0], 0); }
  uint64_t deviceLiveBytes() const;
  /// What each device that was used holds, and held at most since the last call.
  std::vector<trace::DeviceBytes> takeHighest();
  /// Writes the snapshots that changed; \p IsEnd takes in a peak that did not fall yet.
  void write(bool IsEnd);
  /// Writes what is known, and looks for the highest moment anew, \p InScope above what is
  /// held now.
  void restart(bool InScope);

private:
  static constexpr int64_t MaxPending = 64 << 10;
  static constexpr unsigned MaxDevices = 17; ///< the CPU and 16 others; more share the last
  struct PerDevice {
    Device Where;
    uint64_t Live, LastPeak;
    uint64_t HighSince; ///< highest when something was freed, since the last boundary
    uint64_t PeakTick, PeakSequence;
    uint64_t WrittenPeak;
    uint64_t Floor; ///< of the scope: what it rises above that counts
    bool isNewPeak(uint64_t Total) const;
  };
  static uint64_t totalOf(const PerDevice &D, int64_t Pending);
  static unsigned slotOf(Device Where);
  void change(ThreadState &Thread, Device Where, int64_t By);
  void snapshot(PerDevice &D, uint64_t Total);

  Recorder &Trace;
  SiteTable &Sites;
  std::mutex Mutex;
  PerDevice Devices[MaxDevices] = {};
};

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_TABLES_PEAKS_H
