//===-- Format.h - What a trace file is, and its rules --------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A probe inside the program writes one trace per process; replay reads it
// afterwards. The rules:
//
//  1. A trace is a Prelude of PreludeSize bytes and then records. The prelude is
//     updated in place through a shared mapping, the records are only appended:
//     whatever kills the process, the file holds what was known until then.
//  2. A record is: kind (1 byte), payload length (varint), payload. A reader skips
//     kinds that it does not know, and ignores payload bytes behind the fields
//     that it knows; so records may grow at their end without a new version.
//  3. Prelude::Committed counts the bytes of whole records. What lies behind it is
//     torn and not read. A file cut short of Committed is read up to its last
//     whole record.
//  4. Numbers are LEB128 varints, signed ones zigzag coded. A string is a length
//     and bytes, a list is a length and elements.
//  5. What is named by a number (module, stack, op, site, optimizer, node class)
//     is defined by a record that comes before its first use.
//  6. Time is counted in ticks: the number of boundaries (of any kind) so far. A
//     boundary of a weak kind between strong ones still counts a tick; which kind
//     is "the step" is for replay to decide. A generation is the probe's own idea
//     of a step: it only decides what is worth writing down.
//  7. It is a survivor log, not an event log. An allocation is written (Born) once
//     it has outlived two generations, or at the end if it is alive; its free is
//     written (Died) only then. Shorter lives are only counted, per site.
//     After the End record only those of CUDA's objects follow that were freed when main
//     had returned.
//  8. Values that replace earlier ones (SiteCounters, PointState, HookState,
//     PythonLines, Setting, SitePulse) are absolute: the last record counts. Of the
//     PeakSnapshots of a device the highest does.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_TRACE_FORMAT_H
#define TENSORLEAK_RUNTIME_TRACE_FORMAT_H

#include <cstddef>
#include <cstdint>

namespace tensorleak::trace {

constexpr char Magic[8] = {'T', 'L', 'T', 'R', 'A', 'C', 'E', '\0'};
constexpr uint32_t Version = 1;
constexpr size_t PreludeSize = 4096;

/// Totals that the probe updates in place: they are never stale.
struct Totals {
  uint64_t Tick = 0;        ///< boundaries so far
  uint64_t Generation = 0;  ///< boundaries that acted as a step
  uint64_t Allocations = 0; ///< also the last object number, and the sequence clock
  uint64_t Frees = 0; ///< of allocations that the probe saw; running threads report 64 at once
  uint64_t UnknownFrees = 0; ///< of allocations that it did not see
  uint64_t Ops = 0;          ///< operators at every depth; running threads report 64 at once
  uint64_t NodesMade = 0;    ///< autograd nodes that took a sequence number
  uint64_t NodesFreed = 0;   ///< autograd nodes that passed deleteNode
};

/// Bits of Prelude::Flags.
enum PreludeFlag : uint32_t {
  TraceFull = 1,    ///< disk or size bound: later records are missing
  EndWritten = 2,   ///< the End record was written
  CensusPartial = 4 ///< a census left memory out (its budget, or an unreadable range)
};

/// The first bytes of the file, in the byte order of the machine (x86-64).
struct Prelude {
  char Magic[8];
  uint32_t Version;
  uint32_t Pid;
  uint32_t Flags;
  uint32_t Reserved;
  uint64_t Committed; ///< bytes of whole records behind the prelude
  Totals Now;
};
static_assert(sizeof(Prelude) <= PreludeSize);

/// Numbers are part of the format: never reuse one.
enum class RecordKind : uint8_t {
  Process = 1,
  Module = 2,
  Stack = 3,
  OpName = 4,
  Site = 5,
  Born = 6,
  Died = 7,
  SiteCounters = 8,
  Boundary = 9,
  HostHeap = 10,
  PeakSnapshot = 11,
  HookState = 12,
  PointState = 13,
  NodeClass = 14,
  Census = 15,
  OutOfMemory = 16,
  Optimizer = 17,
  End = 18,
  Setting = 19,
  HolderPath = 20,
  Search = 21,
  GraphCycles = 22,
  CycleSample = 23,
  Expected = 24,
  PythonLines = 27,
  DeviceMemory = 28,
  Symbol = 29,
  SitePulse = 30,
  LiveMemory = 31,
  Assertion = 34,
  ThreadEnd = 35,
};

} // namespace tensorleak::trace

#endif // TENSORLEAK_RUNTIME_TRACE_FORMAT_H
