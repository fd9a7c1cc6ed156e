//===-- ForkGate.cpp - What no fork may come between -----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ForkGate.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/core/locks/ForkGate.h"
#include "runtime/probe/core/ThreadState.h"

#include <atomic>
#include <unistd.h>

namespace tensorleak::probe {
namespace {

/// Milliseconds: many threads may come at once on a busy machine.
constexpr unsigned LongestWait = 1000;

std::atomic<unsigned> Inside{0}, Forks{0};

} // namespace

void ForkGate::enter() {
  // Its own thread is counted first, for a signal may come at any time.
  if (TheThread.InForkGate++) {
    Inside.fetch_add(1);
    return;
  }
  Inside.fetch_add(1);
  for (unsigned Waited = 0; Forks.load() && Waited < LongestWait; ++Waited) {
    Inside.fetch_sub(1);
    usleep(1000);
    Inside.fetch_add(1);
  }
}

void ForkGate::leave() {
  Inside.fetch_sub(1);
  --TheThread.InForkGate;
}

void ForkGate::beforeFork() {
  Forks.fetch_add(1);
  for (unsigned Waited = 0; Inside.load() > TheThread.InForkGate && Waited < LongestWait; ++Waited)
    usleep(1000);
  // What others do at a fork may ask, on this thread.
  ++TheThread.InForkGate;
  Inside.fetch_add(1);
}

void ForkGate::inParent() {
  leave();
  Forks.fetch_sub(1);
}

/// The other threads are not in this process.
void ForkGate::inChild() {
  Inside = --TheThread.InForkGate;
  Forks = 0;
}

} // namespace tensorleak::probe
