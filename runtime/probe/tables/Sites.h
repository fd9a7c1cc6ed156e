//===-- Sites.h - Where memory comes from ---------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers call stacks, operator names and sites (a site is both, and the
// device), writes each once, and counts what every site does.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_TABLES_SITES_H
#define TENSORLEAK_RUNTIME_PROBE_TABLES_SITES_H

#include "runtime/probe/core/Modules.h"
#include "runtime/probe/core/Record.h"
#include "runtime/probe/core/ThreadState.h"

#include <atomic>
#include <optional>
#include <string>
#include <unordered_map>

namespace tensorleak::probe {

/// A c10::Device as LibTorch passes it: type in the low byte, index in the high.
struct Device {
  uint8_t Type = 0;
  int8_t Index = -1;
  static Device fromRegister(uint16_t Bits) { return {uint8_t(Bits), int8_t(Bits >> 8)}; }
  bool isHost() const { return Type == 0; }
  bool isHeap() const { return Type == trace::ProgramHeap || Type == trace::SampledHeap; }
  friend bool operator==(Device A, Device B) { return A.Type == B.Type && A.Index == B.Index; }
};

/// One function of Python and the line at which it is.
struct PythonFrame {
  std::string Function, File;
  uint64_t Line = 0;
};

/// What one site did. Everything may be changed by several threads at once, but threads
/// rarely share a site: none shares a line of the cache with its neighbours.
struct alignas(64) SiteState {
  Device TheDevice;
  uint64_t Allocations, Frees, Bytes, MaxBytes, LiveBytes, PeakLiveBytes;
  uint64_t InPlaceCandidates, InPlaceBytes, NodesMade, NodesFreed;
  uint64_t BytesAtPeak;   ///< LiveBytes at the device's last peak snapshot
  uint64_t CountAtPeak;   ///< allocations that were alive then
  uint64_t WrittenEvents; ///< events() when the counters were written last
  uint64_t PulseMask;     ///< of Pulses: an allocation with such a number is noted
  uint32_t PulseAndOne;   ///< of Pulses; 0 if it has none

  /// Which of the site's allocations it is.
  uint64_t allocated(uint64_t Size);
  void freed(uint64_t Size);
  uint64_t events() const;
};

/// What distinguishes sites.
struct SiteKey {
  uint64_t Packed;
  uint32_t ForwardAndOne; ///< as in trace::Site
  uint32_t Python;        ///< as in trace::Site
  uint64_t hash() const;
  friend bool operator==(const SiteKey &A, const SiteKey &B) {
    return A.Packed == B.Packed && A.ForwardAndOne == B.ForwardAndOne && A.Python == B.Python;
  }
};
struct SiteKeyHash {
  size_t operator()(const SiteKey &Key) const { return size_t(Key.hash()); }
};

class SiteTable {
public:
  /// \p OnModule is called once for every file that is loaded.
  SiteTable(Recorder &Trace, void (*OnModule)(const LoadedModule &))
      : Trace(Trace), OnModule(OnModule) {}

  /// The site of what happens now on this thread, called by that stack of Python's.
  uint32_t current(ThreadState &Thread, ThreadTables &Tables, Device Where, bool MakesNodes,
                   uint32_t Python);
  /// A stack of Python's runs, after so many allocations: its number, if it has been
  /// numbered; 0 if no function of the user's is on it.
  std::optional<uint32_t> ranPython(uint64_t Hash, uint32_t Tick, uint32_t Generation,
                                    uint64_t Sequence);
  /// Code that a program makes anew again and again is not all worth keeping.
  bool hasRoomForPython();
  /// Numbers a new one.
  void internPython(uint64_t Hash, const std::vector<PythonFrame> &Frames);
  /// Writes of every stack of Python's when it ran.
  void writePython();
  SiteState &operator[](uint32_t Id) { return Chunks[Id / ChunkSize].load()[Id % ChunkSize]; }
  uint32_t count() const { return Count.load(std::memory_order_acquire); }
  /// Writes the counters of every site that did something since they were written.
  void writeCounters();
  uint32_t internName(const std::string &Name);
  /// Writes the files that were loaded since.
  void writeModules();

private:
  static constexpr uint32_t ChunkSize = 1024, MaxChunks = 512;
  static constexpr size_t MaxPythonStacks = 1 << 16, MaxPythonFrames = 8;

  struct PythonUse {
    trace::PythonLines Record;
    uint32_t NextGeneration = 0; ///< the first that is not counted yet
    void add(uint32_t Tick, uint32_t Generation, uint64_t Sequence);
  };

  bool isKnownStack(uint64_t Hash);
  /// New files are written before it, unless \p MayAskLoader forbids that.
  uint32_t internStack(const StackEntry &Stack, bool MayAskLoader);
  uint32_t nameId(ThreadTables &Tables, const char *Name);
  uint32_t internSite(const SiteKey &Key, const trace::Site &Site);
  uint32_t newSite(Device Where);
  bool isNewModule(const LoadedModule &M);
  uint64_t pythonAddress(const PythonFrame &Frame);

  Recorder &Trace;
  void (*const OnModule)(const LoadedModule &);
  std::mutex Mutex;
  std::atomic<uint64_t> KnownModules{~uint64_t(0)};
  std::unordered_map<uint64_t, bool> Modules;    ///< by address and path
  std::unordered_map<uint64_t, uint32_t> Stacks; ///< by the hash of their frames
  std::unordered_map<std::string, uint32_t> Names;
  std::unordered_map<SiteKey, uint32_t, SiteKeyHash> Sites;
  /// By PythonReader::stackHash; null without a function of the user's.
  std::unordered_map<uint64_t, PythonUse *> PythonStacks;
  std::unordered_map<std::string, uint64_t> PythonAddress; ///< by function and line
  std::unordered_map<uint32_t, PythonUse> PythonUses;      ///< by the number of the stack
  std::atomic<SiteState *> Chunks[MaxChunks] = {};
  std::atomic<uint32_t> Count{0};
};

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_TABLES_SITES_H
