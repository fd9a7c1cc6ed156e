//===-- Pulses.h - When each site allocated ---------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program without steps has a loop all the same, and some site is executed once in each
// of its rounds. Which one is known afterwards only: so for every site the moments of its
// allocations are kept, thinned out to every second, fourth, ... as they become many.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_TABLES_PULSES_H
#define TENSORLEAK_RUNTIME_PROBE_TABLES_PULSES_H

#include "runtime/probe/core/Record.h"
#include "runtime/probe/tables/Sites.h"

namespace tensorleak::probe {

class Pulses {
public:
  Pulses();

  /// The allocation \p Count of a site, which is the program's \p Sequence.
  void allocated(SiteState &Site, uint32_t SiteId, uint64_t Count, uint64_t Sequence) {
    if (Count >= FirstCount && !(Count & Site.PulseMask))
      note(Site, SiteId, Count, Sequence);
  }
  void write(Recorder &Trace);
  /// Since the trace began.
  uint64_t elapsed() const;

  /// Sites that allocate less often are in no loop.
  static constexpr uint64_t FirstCount = 3;
  static constexpr unsigned Room = 256;

private:
  static constexpr uint32_t MaxSites = 8192;

  struct Pulse {
    uint32_t SiteId;
    uint64_t Stride;
    uint64_t First, Last; ///< in microseconds
    uint64_t Sequences[Room];
  };
  void note(SiteState &Site, uint32_t SiteId, uint64_t Count, uint64_t Sequence);
  Pulse *pulseOf(SiteState &Site, uint32_t SiteId);
  static void halve(Pulse &P);

  const uint64_t Begin;
  std::mutex Mutex;
  Pulse *All = nullptr; ///< in pages that are only there once they are used
  uint32_t Used = 0;
};

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_TABLES_PULSES_H
