//===-- OpFilter.cpp - Hooks: which operators are announced ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Announcing an operator costs LibTorch 100 to 200 ns, the name of a task of the
// engine more than a microsecond. Five operators of six run within another one, of
// which the probe has no need to hear. LibTorch asks at each whether anybody
// listens to its kind of scope (at::getStepCallbacks*, since 1.12); here it learns
// who listens to a kind that the probe does not. Whoever listens to all kinds, as
// PyTorch's profiler does, hears of everything; where the program has listeners of
// its own, nothing is kept from them.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/core/Modules.h"
#include "runtime/probe/session/Hooks.h"
#include "runtime/probe/session/Sources.h"
#include "runtime/probe/torch/Ops.h"
#include "runtime/probe/torch/RecordFunction.h"

using namespace tensorleak::probe;

namespace {

/// at::RecordScope.
enum Scope : uint8_t { FunctionScope = 0, BackwardScope = 1, KernelDtypeScope = 3 };

std::atomic<bool> ProgramListens{false}, FilterBinds{false};
std::atomic<uint32_t> CallbackChanges{0};

bool listensOnThisThread() {
  static SymbolOnce Symbol("_ZN2at23hasThreadLocalCallbacksEv");
  auto Ask = reinterpret_cast<bool (*)()>(Symbol.get());
  return Ask && Ask();
}

/// The kind of scope to ask for instead of \p Wanted.
uint8_t askedFor(uint8_t Wanted, bool IsNeeded) {
  if (IsNeeded || !opCallbacksInstalled() || ProgramListens.load(std::memory_order_relaxed) ||
      listensOnThisThread())
    return Wanted;
  return KernelDtypeScope;
}

/// Asks LibTorch for its callbacks, which takes its lock where they have changed.
void *callbacks(Hook &H, void *Result, uint8_t Kind) {
  using Fn = void *(*)(void *, uint8_t);
  auto Real = reinterpret_cast<Fn>(H.enter());
  const uint32_t Now = CallbackChanges.load(std::memory_order_acquire);
  if (TheThread.CallbacksSeen == Now)
    return Real(Result, Kind);
  ForkGate::enter();
  void *Out = Real(Result, Kind);
  ForkGate::leave();
  TheThread.CallbacksSeen = Now;
  return Out;
}

} // namespace

void tensorleak::probe::noteCallbacksChanged() { ++CallbackChanges; }

bool tensorleak::probe::opFilterBinds() { return FilterBinds.load(std::memory_order_relaxed); }

void tensorleak::probe::noteThatProgramListens() { ProgramListens = true; }

// std::optional<StepCallbacks> getStepCallbacksUnlessEmpty(RecordScope), for operators
// and backward functions. The result comes back through memory.
TENSORLEAK_HOOK(UnlessEmpty, "operator-callbacks",
                _ZN2at27getStepCallbacksUnlessEmptyENS_11RecordScopeE)
TENSORLEAK_EXPORT void *_ZN2at27getStepCallbacksUnlessEmptyENS_11RecordScopeE(void *Result,
                                                                              uint8_t Kind) {
  FilterBinds.store(true, std::memory_order_relaxed);
  OpenScopes &Open = TheThread.Scopes;
  dropAbandonedNodes(Open, reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
  bool IsNeeded = Kind == FunctionScope   ? needsOperator(Open)
                  : Kind == BackwardScope ? needsBackward(Open)
                                          : true;
  return callbacks(UnlessEmpty, Result, askedFor(Kind, IsNeeded));
}

// StepCallbacks getStepCallbacks(RecordScope), for RECORD_FUNCTION. As a function that is
// not an operator it is the engine's task or a helper within one.
TENSORLEAK_HOOK(StepCallbacks, "function-callbacks", _ZN2at16getStepCallbacksENS_11RecordScopeE)
TENSORLEAK_EXPORT void *_ZN2at16getStepCallbacksENS_11RecordScopeE(void *Result, uint8_t Kind) {
  return callbacks(StepCallbacks, Result, askedFor(Kind, Kind != FunctionScope));
}

TENSORLEAK_HOOK(AddCallback, "add-callback", _ZN2at17addGlobalCallbackENS_22RecordFunctionCallbackE)
TENSORLEAK_EXPORT uint64_t
_ZN2at17addGlobalCallbackENS_22RecordFunctionCallbackE(RecordFunctionCallback Callback) {
  noteThatProgramListens();
  auto Handle = callReal<uint64_t>(AddCallback, Callback);
  noteCallbacksChanged();
  return Handle;
}
