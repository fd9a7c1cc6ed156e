//===-- Record.h - The writer of a trace -----------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Appends records to a file that is mapped shared: what is committed survives
// any death of the process. Totals are updated in place through the prelude.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_CORE_RECORD_H
#define TENSORLEAK_RUNTIME_PROBE_CORE_RECORD_H

#include "runtime/probe/core/TraceFile.h"
#include "runtime/trace/Codec.h"
#include "runtime/trace/Records.h"

#include <mutex>
#include <string>

namespace tensorleak::probe {

/// One more; returns the new value. Totals are shared by all threads.
inline uint64_t bump(uint64_t &Counter, uint64_t By = 1) {
  return __atomic_add_fetch(&Counter, By, __ATOMIC_RELAXED);
}
inline uint64_t look(const uint64_t &Counter) {
  return __atomic_load_n(&Counter, __ATOMIC_RELAXED);
}

class Recorder {
public:
  /// Creates the file; false if that is not possible (then nothing is recorded).
  bool open(const std::string &Path);

  template <typename R> void write(const R &Record) {
    std::lock_guard<std::mutex> Lock(Mutex);
    Frame.clear();
    trace::appendRecord(Frame, Record, Payload);
    append(Frame);
  }

  trace::Totals &totals() { return Head->Now; }
  void setFlag(trace::PreludeFlag Flag) { __atomic_or_fetch(&Head->Flags, Flag, __ATOMIC_RELAXED); }
  /// Gives back the room that was reserved for records to come.
  void trim();
  /// Gives up the file and the memory. Who comes late counts in vain and harms nobody.
  void close();

private:
  void append(const trace::Bytes &Bytes);
  bool reserve(size_t Bytes);

  std::mutex Mutex;
  trace::Prelude *Head = nullptr;
  uint8_t *Records = nullptr; ///< the mapping of what follows the prelude
  size_t Capacity = 0, Used = 0;
  size_t Mapped = 0; ///< bytes from Records on
  TraceFile File;
  trace::Bytes Frame, Payload;
};

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_CORE_RECORD_H
