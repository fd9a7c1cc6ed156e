//===-- Recording.h - A trace in memory -----------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first stage of replay: every record of a trace, by number, unjudged.
// Addresses are still addresses and time is still ticks.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_RECORDING_RECORDING_H
#define TENSORLEAK_RUNTIME_REPLAY_RECORDING_RECORDING_H

#include "runtime/trace/Reader.h"

#include <map>
#include <optional>
#include <set>

namespace tensorleak {

/// An object of the survivor log. Ticks, not steps.
struct RecordedObject {
  uint64_t SiteId = 0, Bytes = 0;
  uint64_t BirthTick = 0;
  std::optional<uint64_t> DeathTick;
  bool Expected = false; ///< the program declared that it may stay
  /// Allocations before it, itself counted; and before its free.
  uint64_t BirthSequence = 0, DeathSequence = 0;
  uint64_t FreedBy = 0; ///< the thread, by its kernel id
};

/// What a site held when a boundary had just begun that tick.
struct LiveSample {
  uint64_t Tick = 0;
  uint64_t Bytes = 0;
  uint64_t Largest = 0; ///< of what it allocated until then
};

struct Recording {
  trace::ReadResult Read;
  trace::Process TheProcess;
  std::vector<trace::Module> Modules;
  std::map<uint64_t, trace::Stack> Stacks;
  std::map<uint64_t, std::string> OpNames;
  std::map<uint64_t, trace::Site> Sites;
  std::map<uint64_t, trace::SiteCounters> Counters;
  std::map<uint64_t, trace::SitePulse> Pulses;             ///< by site
  std::map<uint64_t, std::vector<LiveSample>> LiveSamples; ///< by site
  std::map<uint64_t, RecordedObject> Objects;
  std::map<uint64_t, RecordedObject> Samples; ///< of the heap, each as large as what it stands for
  std::vector<trace::Boundary> Boundaries;
  std::vector<trace::HostHeap> Heap;
  std::vector<trace::Census> Censuses;
  /// The highest of each device, and all of them in their order.
  std::map<std::pair<uint8_t, int8_t>, trace::PeakSnapshot> Peaks;
  std::vector<trace::PeakSnapshot> AllPeaks;
  std::map<std::string, trace::HookState> Hooks;
  std::map<std::string, std::string> Settings;
  std::map<uint64_t, trace::PointState> Points;
  std::map<uint64_t, trace::PythonLines> PythonLines; ///< by stack
  std::map<uint64_t, trace::Optimizer> Optimizers;
  std::vector<trace::OutOfMemory> OutOfMemories;
  std::vector<trace::HolderPath> HolderPaths;
  std::vector<trace::Search> Searches;
  std::vector<trace::GraphCycles> Cycles;
  std::vector<trace::CycleSample> CycleSamples;
  std::vector<trace::DeviceMemory> DeviceMemory;
  std::vector<trace::LiveMemory> LiveMemory;
  std::set<uint64_t> Expected;  ///< objects that the program declared to stay
  uint64_t ExpectedUnknown = 0; ///< times that it declared something else
  std::map<uint64_t, trace::Assertion> Assertions;
  std::vector<trace::ThreadEnd> ThreadEnds;
  std::vector<trace::Symbol> Symbols; ///< of a trace that was kept
  std::optional<trace::End> End;
};

/// The stack of a recorded site, and that of the Python functions around it; null if it
/// has none.
const trace::Stack *stackOfSite(const Recording &R, uint64_t SiteId);
const trace::Stack *pythonStackOfSite(const Recording &R, uint64_t SiteId);

/// The operator or the function of CUDA that allocates at a site, as a program writes it
/// (CUPTI's "cudaMalloc_v3020" is cudaMalloc); empty if there is none.
std::string functionOfSite(const Recording &R, uint64_t SiteId);

/// The recording of a program that still runs.
class FollowedRecording {
public:
  explicit FollowedRecording(const std::string &Path) : Trace(Path) {}
  /// Takes in what was written since. False if there is nothing to read.
  bool update();
  const Recording &now() const { return R; }

private:
  trace::TraceFollower Trace;
  Recording R;
};

/// Reads a trace file. \throws std::runtime_error with one sentence if it is none.
Recording readRecording(const std::string &Path);

/// The same for a trace in memory.
Recording readRecording(const std::vector<uint8_t> &Contents, const std::string &Name);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_RECORDING_RECORDING_H
