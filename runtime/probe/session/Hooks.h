//===-- Hooks.h - The functions of LibTorch that are watched ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of interposed functions: what each is called, how often it was, and
// where the real one is.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_SESSION_HOOKS_H
#define TENSORLEAK_RUNTIME_PROBE_SESSION_HOOKS_H

#include "runtime/probe/core/Record.h"

#include <atomic>

namespace tensorleak::probe {

/// One interposed function.
struct Hook {
  const char *Name, *Symbol;
  static constexpr uint64_t EnoughCalls = 1 << 16;
  std::atomic<void *> Real{nullptr};
  uint64_t Calls = 0; ///< exact up to EnoughCalls

  /// Counts a call and finds the function that it was meant for.
  void *enter() {
    // A counter that every thread writes is dear, and only "a few" and "none" matter.
    if (look(Calls) < EnoughCalls)
      bump(Calls);
    void *Found = Real.load(std::memory_order_relaxed);
    return Found ? Found : find();
  }

private:
  void *find();
};

/// Makes a hook known to writeHooks.
struct KnownHook {
  explicit KnownHook(Hook &H);
  Hook &TheHook;
  KnownHook *Next;
};

/// Writes the state of every hook, and of the operator callbacks.
void writeHooks(Recorder &Trace);

/// Calls the real function. No object with a destructor may live across this call:
/// exceptions of the program pass through it.
template <typename R, typename... As> R callReal(Hook &H, As... Arguments) {
  return reinterpret_cast<R (*)(As...)>(H.enter())(Arguments...);
}

} // namespace tensorleak::probe

/// Exports \p Symbol as C++ code of LibTorch and of the program calls it.
#define TENSORLEAK_EXPORT extern "C" __attribute__((visibility("default")))

/// Declares `ID`, the hook of \p Symbol.
#define TENSORLEAK_HOOK(ID, NAME, SYMBOL)                                                          \
  static tensorleak::probe::Hook ID{NAME, #SYMBOL};                                                \
  static tensorleak::probe::KnownHook ID##Known(ID);

#endif // TENSORLEAK_RUNTIME_PROBE_SESSION_HOOKS_H
