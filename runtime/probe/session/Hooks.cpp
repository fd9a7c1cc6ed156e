//===-- Hooks.cpp - The functions of LibTorch that are watched -------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Hooks.h. A hook with a present symbol and no calls, in a program that used
// LibTorch, did not bind; replay must then not conclude anything from silence.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/session/Hooks.h"
#include "runtime/probe/core/Modules.h"
#include "runtime/probe/core/StackMemo.h"
#include "runtime/probe/session/Sources.h"

namespace tensorleak::probe {
namespace {

/// Constant-initialized, so that it is there before any constructor runs.
KnownHook *FirstHook = nullptr;

} // namespace

KnownHook::KnownHook(Hook &H) : TheHook(H), Next(FirstHook) { FirstHook = this; }

void *Hook::find() {
  void *Found = realSymbol(Symbol);
  Real.store(Found, std::memory_order_relaxed);
  return Found;
}

void writeHooks(Recorder &Trace) {
  for (KnownHook *K = FirstHook; K; K = K->Next) {
    Hook &H = K->TheHook;
    bool Present = H.Real.load() || realSymbol(H.Symbol);
    Trace.write(trace::HookState{H.Name, H.Symbol, Present, look(H.Calls)});
  }
  Trace.write(trace::HookState{"stack-walks", "_Unwind_Backtrace", true, stackWalks()});
  Trace.write(trace::HookState{"operators", "at::addGlobalCallback", opCallbacksInstalled(),
                               look(Trace.totals().Ops)});
}

} // namespace tensorleak::probe
