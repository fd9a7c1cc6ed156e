//===-- Timeline.h - How much memory was alive in each round ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For a chart: a run of any length becomes a bounded number of points. A point that
// stands for several rounds has the lowest and the highest of all of them, so that no
// peak is lost.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_TIMELINE_TIMELINE_H
#define TENSORLEAK_RUNTIME_REPLAY_TIMELINE_TIMELINE_H

#include "runtime/replay/advice/PeakShares.h"
#include "runtime/replay/recording/StepClock.h"

namespace tensorleak {

/// One round, or a few that follow each other.
struct MemoryPoint {
  uint64_t Round = 0;        ///< how many were done
  uint64_t Microseconds = 0; ///< since the trace began
  int64_t Live = 0;          ///< at its end
  int64_t Low = 0;           ///< the least at a boundary in it
  int64_t High = 0;          ///< the most at any moment of it
  /// Of Live, what outlived two steps; the others are of the round.
  int64_t Standing = 0, Gradients = 0, OptimizerState = 0, Kept = 0;
  uint64_t HighRound = 0; ///< the round of High
};

/// What LibTorch's caching allocator had reserved when the probe looked.
struct ReservedPoint {
  uint64_t Round = 0;
  int64_t Bytes = 0;
};

struct DeviceTimeline {
  std::string Device; ///< "CPU", "GPU 0"
  std::vector<MemoryPoint> Points;
  std::vector<ReservedPoint> Reserved; ///< at a few rounds only
};

inline constexpr size_t MaxTimelinePoints = 1500;

/// One for each device that was used. Without rounds a point is a boundary of any kind. The
/// last point is of the end of the program, if the trace has it.
std::vector<DeviceTimeline> timelineOf(const Recording &R, const StepClock &Clock,
                                       size_t MaxPoints = MaxTimelinePoints);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_TIMELINE_TIMELINE_H
