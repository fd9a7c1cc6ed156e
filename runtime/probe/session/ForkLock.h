//===-- ForkLock.h - What a fork waits for ---------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LibTorch takes a lock of its own when a thread first looks at callbacks that were registered
// since. Without the probe there are none, and a child that is forked while another thread holds
// that lock would wait for it for ever. So ours is held meanwhile, and fork() waits for ours.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_SESSION_FORKLOCK_H
#define TENSORLEAK_RUNTIME_PROBE_SESSION_FORKLOCK_H

#include "runtime/probe/core/ThreadState.h"

#include <chrono>
#include <mutex>
#include <new>

namespace tensorleak::probe {

class ForkLock {
public:
  void lock() {
    Mutex.lock();
    TheThread.IsInForkLock = true;
  }
  void unlock() {
    TheThread.IsInForkLock = false;
    Mutex.unlock();
  }

  /// The handler of a signal may fork on the thread that holds it, which must not wait for itself;
  /// or on one that is just coming out of Mutex.lock(), which is not known, so the wait has an end.
  /// It is long since many threads may come first on a busy machine.
  void beforeFork() {
    TheThread.HoldsForkLock =
        !TheThread.IsInForkLock && Mutex.try_lock_for(std::chrono::seconds(5));
  }
  void inParent() {
    if (TheThread.HoldsForkLock)
      Mutex.unlock();
    TheThread.HoldsForkLock = false;
  }
  void inChild() {
    new (&Mutex) std::timed_mutex; // whoever held it is not in this process
    TheThread.HoldsForkLock = false;
  }

private:
  std::timed_mutex Mutex;
};

extern ForkLock TheForkLock;

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_SESSION_FORKLOCK_H
