//===-- ShortLock.h - A lock for a few instructions ------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every allocation and every free takes one, nearly always without meeting another thread: a mutex
// of the C library takes twice as long, for it also notes its owner and gives way at the end.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_CORE_LOCKS_SHORTLOCK_H
#define TENSORLEAK_RUNTIME_PROBE_CORE_LOCKS_SHORTLOCK_H

#include <atomic>
#include <time.h>

namespace tensorleak::probe {

class ShortLock {
public:
  void lock() {
    if (Held.exchange(true, std::memory_order_acquire))
      wait();
  }
  void unlock() { Held.store(false, std::memory_order_release); }

private:
  /// Who holds it may have lost the processor, or writes what survived: then it takes a while.
  __attribute__((noinline)) void wait() {
    constexpr unsigned Often = 100;
    while (Held.exchange(true, std::memory_order_acquire)) {
      for (unsigned Tries = 0; Tries < Often && Held.load(std::memory_order_relaxed); ++Tries)
        __builtin_ia32_pause();
      if (!Held.load(std::memory_order_relaxed))
        continue;
      timespec Pause{0, 20000};
      nanosleep(&Pause, nullptr);
    }
  }

  std::atomic<bool> Held{false};
};

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_CORE_LOCKS_SHORTLOCK_H
