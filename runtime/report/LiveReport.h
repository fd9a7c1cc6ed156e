//===-- LiveReport.h - What is shown while a program runs -----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One line, or a table. Nothing of it is a verdict: growth is judged by the steps so far.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPORT_LIVEREPORT_H
#define TENSORLEAK_RUNTIME_REPORT_LIVEREPORT_H

#include "runtime/replay/recording/Symbolizer.h"

namespace tensorleak {

/// A place of which something outlived two steps.
struct LivePlace {
  std::string Name; ///< "train.cpp:31 (step), aten::relu"
  int64_t Kept = 0, PerRound = 0;
  bool Grows = false;
};

/// Of the device that held most.
struct LiveState {
  uint64_t Rounds = 0;
  std::string Clock; ///< "step of Adam"; "" as long as nothing announces rounds
  uint64_t Allocations = 0;
  std::string Device; ///< "GPU 0"; "" for the CPU
  int64_t Live = 0, Most = 0;
  std::vector<LivePlace> Places; ///< those that grow first, then those that keep most
};

/// What costs little: all but the places.
void updateNumbers(const Recording &R, LiveState &State);
/// The places, of which each stack has to be named and each object looked at.
void updatePlaces(const Recording &R, Symbolizer &Symbols, LiveState &State);

/// "tensorleak: round 120 (step of Adam), 3.2 MiB live, 12.1 MiB at most, 2 places grow".
std::string progressLine(const LiveState &State);

/// That line, and below it one for each place; at most so many in all.
std::vector<std::string> liveTable(const LiveState &State, size_t Lines);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPORT_LIVEREPORT_H
