//===-- ProgramRecords.h - The records of what a program says itself -------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Those of Records.h that come of include/tensorleak.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_TRACE_PROGRAMRECORDS_H
#define TENSORLEAK_RUNTIME_TRACE_PROGRAMRECORDS_H

#include "runtime/trace/Format.h"

#include <string>

namespace tensorleak::trace {

/// The program declared that an object may stay alive. It may come before its Born record.
struct Expected {
  static constexpr RecordKind Kind = RecordKind::Expected;
  uint64_t Object = 0; ///< its number; 0 if no live memory starts at the declared address
  uint64_t Tick = 0;
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.Object, Self.Tick);
  }
};

/// What is asserted of a scope; the numbers are those of include/tensorleak/expect.h.
enum class AssertionKind : uint8_t {
  NoGrowth = 1,  ///< nothing grows with its rounds
  PeakBelow = 2, ///< no device rises further above what it held at the beginning
  KeptBelow = 3, ///< no place keeps more of what it allocated
};

/// The program asserts something of a part of itself, which begins. The boundaries of kind
/// Assertion with its number in PointGroup are its beginning, the ends of its rounds and, where
/// it has no rounds, its end.
struct Assertion {
  static constexpr RecordKind Kind = RecordKind::Assertion;
  uint64_t Id = 0;
  AssertionKind TheKind = AssertionKind::NoGrowth;
  uint64_t Limit = 0; ///< rounds, or bytes
  std::string File;   ///< where the assertion stands
  uint64_t Line = 0;
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.Id, Self.TheKind, Self.Limit, Self.File, Self.Line);
  }
};

/// A thread ended that freed recorded objects after it had allocated last: what it had kept for
/// itself is gone with it. Of a thread that frees less than can be rounds there is none.
struct ThreadEnd {
  static constexpr RecordKind Kind = RecordKind::ThreadEnd;
  uint64_t Thread = 0;         ///< its kernel id
  uint64_t Sequence = 0;       ///< allocations before its end
  uint64_t LastAllocation = 0; ///< the number of the last that it made
  uint64_t LastSite = 0;       ///< and its site
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.Thread, Self.Sequence, Self.LastAllocation, Self.LastSite);
  }
};

} // namespace tensorleak::trace

#endif // TENSORLEAK_RUNTIME_TRACE_PROGRAMRECORDS_H
