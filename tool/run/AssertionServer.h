//===-- AssertionServer.h - Answers what the program asserts --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While the program runs, a thread of ours waits for the probes in it to ask whether an
// assertion holds (runtime/trace/Questions.h).
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TOOL_RUN_ASSERTIONSERVER_H
#define TENSORLEAK_TOOL_RUN_ASSERTIONSERVER_H

#include "runtime/replay/assertions/Assertion.h"

#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace tensorleak {

class AssertionServer {
public:
  /// Judges the scope with that number in the trace of that process.
  using Judge = std::function<AssertionResult(uint64_t Pid, uint64_t Id)>;

  /// Listens at \p Path. Where that is not possible, nobody is answered.
  AssertionServer(const std::string &Path, Judge TheJudge);
  /// Ends when the question that is asked now is answered.
  ~AssertionServer();
  AssertionServer(const AssertionServer &) = delete;
  AssertionServer &operator=(const AssertionServer &) = delete;

private:
  void serve();
  void answer(int Probe);

  Judge TheJudge;
  int Listening = -1;
  int WakeUp[2] = {-1, -1}; ///< a pipe
  std::thread Thread;
};

} // namespace tensorleak

#endif // TENSORLEAK_TOOL_RUN_ASSERTIONSERVER_H
