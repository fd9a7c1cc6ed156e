//===-- TraceByHand.h - Traces as a probe would have written them ---------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_RECORDING_TRACEBYHAND_H
#define TENSORLEAK_RUNTIME_REPLAY_RECORDING_TRACEBYHAND_H

#include "runtime/replay/recording/Recording.h"
#include "runtime/trace/Codec.h"

#include <algorithm>
#include <cstring>

namespace tensorleak::test {

/// Writes a trace in memory and reads it.
class Tape {
public:
  template <typename R> Tape &add(const R &Record) {
    trace::appendRecord(Records, Record);
    return *this;
  }

  Tape &boundary(trace::BoundaryKind Kind, uint64_t Source = 0) {
    trace::Boundary B;
    B.Tick = ++Tick;
    B.TheKind = Kind;
    B.Acting = true;
    (Kind == trace::BoundaryKind::LineClock ? B.PointGroup : B.OptimizerId) = Source;
    return add(B);
  }

  /// What the file of the trace would hold.
  trace::Bytes contents() const {
    trace::Prelude Head{};
    std::memcpy(Head.Magic, trace::Magic, sizeof Head.Magic);
    Head.Version = trace::Version;
    Head.Committed = Records.size();
    Head.Now.Allocations = 1;
    trace::Bytes File(trace::PreludeSize + Records.size());
    std::memcpy(File.data(), &Head, sizeof Head);
    std::copy(Records.begin(), Records.end(), File.begin() + trace::PreludeSize);
    return File;
  }

  Recording read() const { return readRecording(contents(), "tape"); }

  uint64_t Tick = 0;

private:
  trace::Bytes Records;
};

} // namespace tensorleak::test

#endif // TENSORLEAK_RUNTIME_REPLAY_RECORDING_TRACEBYHAND_H
