//===-- MemoryRecords.h - The records that say how much is alive -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Those of Records.h that are about a whole device at one moment.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_TRACE_MEMORYRECORDS_H
#define TENSORLEAK_RUNTIME_TRACE_MEMORYRECORDS_H

#include "runtime/trace/Format.h"

#include <vector>

namespace tensorleak::trace {

/// Tensor storage of one device.
struct DeviceBytes {
  uint8_t DeviceType = 0;
  int8_t DeviceIndex = 0;
  uint64_t Live = 0;
  uint64_t High = 0; ///< the most since the boundary before
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.DeviceType, Self.DeviceIndex, Self.Live, Self.High);
  }
};

/// What was alive at a boundary, and at most since the one before. One more is written at
/// the end, of the tick that the End record has.
struct LiveMemory {
  static constexpr RecordKind Kind = RecordKind::LiveMemory;
  uint64_t Tick = 0;         ///< of the time that begins here
  uint64_t Microseconds = 0; ///< on the clock of End
  std::vector<DeviceBytes> Devices;
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.Tick, Self.Microseconds, Self.Devices);
  }
};

/// Bytes of one site at a peak.
struct SiteBytes {
  uint64_t SiteId = 0, Bytes = 0;
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.SiteId, Self.Bytes);
  }
};

/// The highest live bytes of one device so far (within 1%), site by site; or, where scopes
/// begin and end, since the last time that one did.
struct PeakSnapshot {
  static constexpr RecordKind Kind = RecordKind::PeakSnapshot;
  uint8_t DeviceType = 0;
  int8_t DeviceIndex = 0;
  uint64_t Tick = 0, Sequence = 0, TotalBytes = 0;
  std::vector<SiteBytes> Sites;
  std::vector<uint64_t> Counts; ///< allocations alive then, by the index of Sites
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.DeviceType, Self.DeviceIndex, Self.Tick, Self.Sequence, Self.TotalBytes,
            Self.Sites, Self.Counts);
  }
};

/// What LibTorch's caching allocator holds of one device, at log-spaced generations and at
/// the end.
struct DeviceMemory {
  static constexpr RecordKind Kind = RecordKind::DeviceMemory;
  uint64_t Tick = 0, Generation = 0;
  uint8_t DeviceType = 0;
  int8_t DeviceIndex = 0;
  uint64_t Allocated = 0, Reserved = 0; ///< live blocks; all segments
  uint64_t MostReserved = 0, AllocatedThen = 0;
  bool SegmentsKnown = false; ///< else what follows is not
  uint64_t SegmentsInUse = 0; ///< with a live block
  uint64_t Between = 0;       ///< free in those, so that it cannot be given back
  uint64_t LargestBetween = 0;
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.Tick, Self.Generation, Self.DeviceType, Self.DeviceIndex, Self.Allocated,
            Self.Reserved, Self.MostReserved, Self.AllocatedThen, Self.SegmentsKnown,
            Self.SegmentsInUse, Self.Between, Self.LargestBetween);
  }
};

/// An allocator reported that it ran out of memory.
struct OutOfMemory {
  static constexpr RecordKind Kind = RecordKind::OutOfMemory;
  uint64_t Tick = 0, Sequence = 0, Bytes = 0;
  uint8_t DeviceType = 0;
  int8_t DeviceIndex = 0;
  std::vector<SiteBytes> Sites; ///< what was alive on that device
  DeviceMemory Pool;            ///< of the caching allocator; zero if it was not that
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.Tick, Self.Sequence, Self.Bytes, Self.DeviceType, Self.DeviceIndex, Self.Sites,
            Self.Pool);
  }
};

/// What malloc has handed out (mallinfo2: uordblks + hblkhd), at log-spaced
/// generations. Tensor storage in host memory is part of it: Bytes - TensorBytes is
/// what graphs and containers take.
struct HostHeap {
  static constexpr RecordKind Kind = RecordKind::HostHeap;
  uint64_t Tick = 0, Generation = 0, Bytes = 0;
  uint64_t TensorBytes = 0; ///< HostLiveBytes at the same moment
  /// What malloc has from the system, handed out or not (arena + hblkhd); 0 in old traces.
  uint64_t FromSystem = 0;
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.Tick, Self.Generation, Self.Bytes, Self.TensorBytes, Self.FromSystem);
  }
};

} // namespace tensorleak::trace

#endif // TENSORLEAK_RUNTIME_TRACE_MEMORYRECORDS_H
