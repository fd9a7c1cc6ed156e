//===-- QuietThread.h - A thread that no signal reaches -------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TOOL_LIVE_QUIETTHREAD_H
#define TENSORLEAK_TOOL_LIVE_QUIETTHREAD_H

#include <csignal>
#include <thread>

namespace tensorleak {

/// Signals are for the thread that waits for the program.
template <class Body> std::thread quietThread(Body Run) {
  sigset_t All, Before;
  sigfillset(&All);
  pthread_sigmask(SIG_BLOCK, &All, &Before);
  std::thread Made(Run);
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  return Made;
}

} // namespace tensorleak

#endif // TENSORLEAK_TOOL_LIVE_QUIETTHREAD_H
