//===-- SearchReport.h - What a search through a copy found ----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The copy of the process writes it, the process reads it: plain data in memory
// that both share. Names are not in it, vtables are; the process names them.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_SEARCH_SEARCHREPORT_H
#define TENSORLEAK_RUNTIME_PROBE_SEARCH_SEARCHREPORT_H

#include "runtime/trace/Records.h"

#include <atomic>
#include <cstdint>
#include <cstring>

namespace tensorleak::probe {

/// A block that holds a pointer to what stands before it on a path.
struct FoundHop {
  uintptr_t Vtable = 0;    ///< 0 if the block is of no class with one
  uint64_t Offset = 0;     ///< of the pointer in the block
  uint32_t SiteAndOne = 0; ///< site + 1 of an autograd node, 0 if unknown
  uint32_t Tick = 0;       ///< of that node's birth
};

/// The head of a path; Stored hops follow, from the target on.
struct FoundPath {
  enum PathKind : uint32_t { Holder = 1, Cycle = 2 };
  PathKind Kind = Holder;
  uint32_t Stored = 0;
  uint32_t Length = 0, Nodes = 0; ///< of the whole path; autograd nodes among them
  trace::SearchTarget Target;
  trace::RootKind Root = trace::RootKind::None;
  uintptr_t RootAddress = 0, Pc = 0;
  int64_t FromFrameEnd = 0, FromStackPointer = 0; ///< of a root on the stack
  uint32_t RegisterAndOne = 0;
  uint32_t Ticks = 0; ///< of a cycle: in how many its like was made
  static constexpr uint32_t FirstHops = trace::HolderPath::FirstHops, LastHops = 24,
                            MaxHops = FirstHops + LastHops;
};

/// Nodes in cycles, by the site that made them.
struct FoundCycleNodes {
  uint32_t SiteId, Nodes, Ticks, FirstTick, LastTick;
};

class SearchReport {
public:
  static constexpr size_t Bytes = size_t(1) << 20, MaxCycleSites = 256;

  std::atomic<uint32_t> Done;
  bool Partial, CyclesSearched, NoMalloc;
  uint64_t References, Microseconds, LiveNodes;
  uint32_t Targets, CycleSites;
  uint64_t CycleNodes;
  FoundCycleNodes CyclesBySite[MaxCycleSites];

  void add(const FoundPath &Path, const FoundHop *Hops) {
    size_t Size = sizeof(Path) + Path.Stored * sizeof(FoundHop);
    if (Used + Size > room()) {
      Partial = true;
      return;
    }
    std::memcpy(Data + Used, &Path, sizeof(Path));
    std::memcpy(Data + Used + sizeof(Path), Hops, Size - sizeof(Path));
    Used += Size;
  }
  /// Calls Visit(path, hops) for each.
  template <typename F> void forEach(F Visit) const {
    for (size_t At = 0; At + sizeof(FoundPath) <= Used;) {
      FoundPath Path;
      std::memcpy(&Path, Data + At, sizeof(Path));
      FoundHop Hops[FoundPath::MaxHops];
      std::memcpy(Hops, Data + At + sizeof(Path), Path.Stored * sizeof(FoundHop));
      At += sizeof(Path) + Path.Stored * sizeof(FoundHop);
      Visit(Path, Hops);
    }
  }

private:
  size_t room() const { return Bytes - size_t(Data - reinterpret_cast<const char *>(this)); }
  size_t Used;
  char Data[1];
};

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_SEARCH_SEARCHREPORT_H
