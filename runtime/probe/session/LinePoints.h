//===-- LinePoints.h - Which lines ran, and how often ----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Breakpoints (int3) at the addresses that the configuration lists. A plain
// point disappears when it is hit and is set again when the next generation
// begins: no cost in between. A clock point is stepped over, counted each time,
// and ends a round of its loop.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_SESSION_LINEPOINTS_H
#define TENSORLEAK_RUNTIME_PROBE_SESSION_LINEPOINTS_H

#include "runtime/probe/core/Record.h"
#include "runtime/trace/ProbeConfig.h"

#include <atomic>
#include <csignal>
#include <vector>

namespace tensorleak::probe {

class LoadedModule;

/// A point of the configuration and where it came to lie.
struct PlacedPoint {
  trace::LinePoint Point;
  std::atomic<uint8_t *> At{nullptr}; ///< null until its module is loaded
  uint8_t Original = 0;               ///< the byte that int3 replaces
  std::atomic<bool> Armed{false};
  std::atomic<bool> Refused{false};
  bool RanThisRound = false; ///< of a clock point, for its group
  uint64_t Hits = 0, GenerationsHit = 0, LastGeneration = ~uint64_t(0);
  uint64_t FirstTick = 0, LastTick = 0, FirstSequence = 0, LastSequence = 0;
};

/// One per process: breakpoints are the process's, not a trace's.
class LinePoints {
public:
  /// Takes over the points and sets those whose module is loaded.
  void start(const std::vector<trace::LinePoint> &Wanted);
  /// The code is again as it was, and no point is set any more. The handler stays, and knows the
  /// points until others are taken over: a thread may be on its way to it.
  void stop();
  bool empty() const { return Points.empty(); }
  /// A generation begins: plain points that were hit are set again.
  void rearm();
  /// The counts begin again, in a forked child.
  void afterFork();
  void write(Recorder &Trace);

  /// The SIGTRAP handler.
  void onTrap(int Signal, siginfo_t *Info, void *Context);
  /// False if the trap is not one of ours.
  bool handleTrap(const siginfo_t *Info, void *Context);
  /// Passes on what is the program's: to its handler, or to the default action, which ends it.
  void chain(int Signal, siginfo_t *Info, void *Context);

private:
  /// Sets points in files that were loaded since, forgets those of unloaded ones.
  void placeNew();
  void place(PlacedPoint &P, const LoadedModule &M);
  void arm(PlacedPoint &P);
  void takeSignal();
  void putBack();
  void sealPages();
  void rearmClocks(uint8_t *At);
  bool hit(uint8_t *At);
  bool isEndOfStep(const siginfo_t *Info, const uint8_t *At);
  /// Sets the point again that this thread has stepped over.
  void endStep(void *Context);
  void count(PlacedPoint &P);
  void endRound(const PlacedPoint &P);
  bool watchLoader();
  PlacedPoint *pointAt(const uint8_t *Address);

  std::vector<PlacedPoint> Points;
  PlacedPoint LoaderWatch; ///< the function that the loader calls after each change
  std::mutex Mutex;
  uint64_t SeenModules = ~uint64_t(0);
  std::atomic<bool> Stopped{false};
  std::atomic<int> Arming{0}, InTrap{0}; ///< threads that are at it
  struct sigaction Previous = {};
};

LinePoints &linePoints();

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_SESSION_LINEPOINTS_H
