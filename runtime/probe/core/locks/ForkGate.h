//===-- ForkGate.h - What no fork may come between -------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some of what the probe asks of the loader and of LibTorch takes locks of theirs. A child that is
// forked while another thread holds one would wait for it for ever, as it would not without the
// probe: glibc leaves the loader's lock as it is in a child, and LibTorch takes one when a thread
// first looks at callbacks that were registered since. So a fork waits until no thread is within
// such a question, and who wants to ask waits for the fork.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_CORE_LOCKS_FORKGATE_H
#define TENSORLEAK_RUNTIME_PROBE_CORE_LOCKS_FORKGATE_H

namespace tensorleak::probe {

/// While one of these lives, no other thread forks. Both waits have an end: the loader itself may
/// have called the program that comes by here (as dl_iterate_phdr does), and a signal may have
/// interrupted a thread that is just about to enter.
class ForkGate {
public:
  ForkGate() { enter(); }
  ~ForkGate() { leave(); }
  ForkGate(const ForkGate &) = delete;
  ForkGate &operator=(const ForkGate &) = delete;

  /// The same for what exceptions of the program may pass through.
  static void enter();
  static void leave();

  /// The handler of a signal may fork on a thread that is within: it does not wait for itself.
  static void beforeFork();
  static void inParent();
  static void inChild();
};

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_CORE_LOCKS_FORKGATE_H
