//===-- Reader.h - Reads a trace ------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way from a trace file into replay: derive from TraceVisitor, override what
// is of interest, call readTrace. A torn tail is no error; ReadResult reports it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_TRACE_READER_H
#define TENSORLEAK_RUNTIME_TRACE_READER_H

#include "runtime/trace/Records.h"

#include <string>
#include <vector>

namespace tensorleak::trace {

/// Receives every record in file order.
class TraceVisitor {
public:
  virtual ~TraceVisitor() = default;
  virtual void visit(const Process &) {}
  virtual void visit(const Module &) {}
  virtual void visit(const Stack &) {}
  virtual void visit(const OpName &) {}
  virtual void visit(const Site &) {}
  virtual void visit(const Born &) {}
  virtual void visit(const Died &) {}
  virtual void visit(const SiteCounters &) {}
  virtual void visit(const SitePulse &) {}
  virtual void visit(const Boundary &) {}
  virtual void visit(const HostHeap &) {}
  virtual void visit(const PeakSnapshot &) {}
  virtual void visit(const HookState &) {}
  virtual void visit(const PointState &) {}
  virtual void visit(const NodeClass &) {}
  virtual void visit(const Census &) {}
  virtual void visit(const OutOfMemory &) {}
  virtual void visit(const Optimizer &) {}
  virtual void visit(const End &) {}
  virtual void visit(const Setting &) {}
  virtual void visit(const HolderPath &) {}
  virtual void visit(const Search &) {}
  virtual void visit(const GraphCycles &) {}
  virtual void visit(const CycleSample &) {}
  virtual void visit(const PythonLines &) {}
  virtual void visit(const DeviceMemory &) {}
  virtual void visit(const Symbol &) {}
  virtual void visit(const LiveMemory &) {}
  virtual void visit(const Expected &) {}
  virtual void visit(const Assertion &) {}
  virtual void visit(const ThreadEnd &) {}
};

/// How reading went.
struct ReadResult {
  std::string Error; ///< "" if the file is a trace; else one sentence
  uint32_t Pid = 0;
  uint32_t Flags = 0;    ///< PreludeFlag bits
  Totals Now;            ///< the totals when the process ended
  uint64_t Records = 0;  ///< records visited, unknown kinds not counted
  bool Torn = false;     ///< the tail could not be read; all before it was visited
  bool Complete = false; ///< the trace has its End record
  explicit operator bool() const { return Error.empty(); }
};

/// Reads a trace that is still being written, and each time only what is new.
class TraceFollower {
public:
  explicit TraceFollower(std::string Path) : Path(std::move(Path)) {}
  /// Hands every record that was added to \p Visitor; the result counts these.
  ReadResult readMore(TraceVisitor &Visitor);

private:
  std::string Path;
  uint64_t Read = 0; ///< bytes of records
};

/// What the trace at \p Path says of itself in its first bytes, without a record.
ReadResult readTotals(const std::string &Path);

/// Reads the trace at \p Path and hands every whole record to \p Visitor.
ReadResult readTrace(const std::string &Path, TraceVisitor &Visitor);

/// The same for a trace that is in memory; \p Name is used in error messages.
ReadResult readTrace(const std::vector<uint8_t> &Contents, const std::string &Name,
                     TraceVisitor &Visitor);

} // namespace tensorleak::trace

#endif // TENSORLEAK_RUNTIME_TRACE_READER_H
