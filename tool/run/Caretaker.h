//===-- Caretaker.h - What is done when the tool is killed -----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process that is killed cannot clean up. Another one, which does nothing but wait,
// notices that and does what is left: the trace of an hour is written down, and
// nothing stays in temporary folders.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TOOL_CARETAKER_H
#define TENSORLEAK_TOOL_CARETAKER_H

#include <functional>
#include <sys/types.h>

namespace tensorleak {

class Caretaker {
public:
  /// \p WhatIsLeft runs in a process as this one is now, without its terminal, and must not throw.
  /// To be made while there is one thread.
  explicit Caretaker(const std::function<void()> &WhatIsLeft);
  /// Nothing is left.
  ~Caretaker();
  Caretaker(const Caretaker &) = delete;
  Caretaker &operator=(const Caretaker &) = delete;

private:
  pid_t Waiting = -1;
  int Alive = -1; ///< the end of a connection that closes when this process ends
};

} // namespace tensorleak

#endif // TENSORLEAK_TOOL_CARETAKER_H
