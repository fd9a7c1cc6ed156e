//===-- Peaks.h - The moment of most memory --------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Live bytes per device, and which sites held them when they were highest. A
// snapshot is taken when the total begins to fall after it rose by more than 1%
// above the last snapshot, so their number is logarithmic.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_TORCH_PEAKS_H
#define TENSORLEAK_RUNTIME_PROBE_TORCH_PEAKS_H

#include "runtime/probe/torch/Sites.h"

namespace tensorleak::probe {

class Peaks {
public:
  Peaks(Recorder &Trace, SiteTable &Sites) : Trace(Trace), Sites(Sites) {}

  void grown(Device Where, uint64_t Bytes);
  /// To be called before the site's own counter shrinks.
  void aboutToShrink(Device Where, uint64_t Bytes);
  uint64_t hostLiveBytes() const { return look(Devices[0].Live); }
  uint64_t deviceLiveBytes() const;
  /// Writes the snapshots that changed; \p IsEnd takes in a peak that did not fall yet.
  void write(bool IsEnd);

private:
  static constexpr unsigned MaxDevices = 17; ///< the CPU and 16 others; more share the last
  struct PerDevice {
    Device Where;
    uint64_t Live, LastPeak;
    uint64_t PeakTick, PeakSequence;
    uint64_t WrittenPeak;
  };
  static unsigned slotOf(Device Where);
  void snapshot(PerDevice &D, uint64_t Total);
  static bool isNewPeak(uint64_t Total, uint64_t Last) { return Total > Last + Last / 100; }

  Recorder &Trace;
  SiteTable &Sites;
  std::mutex Mutex;
  PerDevice Devices[MaxDevices] = {};
};

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_TORCH_PEAKS_H
