//===-- Progress.h - Says how a program is doing while it runs ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On a terminal only: one line, or with --top a table, once a second.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TOOL_LIVE_PROGRESS_H
#define TENSORLEAK_TOOL_LIVE_PROGRESS_H

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace tensorleak {

class Progress {
public:
  /// Names the trace to look at; "" as long as there is none.
  using TraceToShow = std::function<std::string()>;

  /// Shows nothing where the standard error is no terminal.
  Progress(TraceToShow Trace, bool AsTable);
  /// Takes back what it showed.
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

private:
  void run();
  /// False when it is time to end.
  bool sleep();

  TraceToShow Trace;
  bool AsTable;
  bool Ended = false;
  std::mutex Mutex;
  std::condition_variable End;
  std::thread Thread;
};

} // namespace tensorleak

#endif // TENSORLEAK_TOOL_LIVE_PROGRESS_H
