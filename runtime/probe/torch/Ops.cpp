//===-- Ops.cpp - The operators that LibTorch announces --------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Ops.h. The callbacks run for every operator: no allocation, no lock, and
// no field of a RecordFunction is ever read, only its exported name().
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/torch/Ops.h"
#include "runtime/probe/core/Modules.h"
#include "runtime/probe/session/Session.h"
#include "runtime/probe/torch/RecordFunction.h"

#include <cstring>
#include <utility>

namespace tensorleak::probe {
namespace {

constexpr char StepPrefix[] = "Optimizer.step#";
constexpr char ZeroGradPrefix[] = "Optimizer.zero_grad#";

/// One such op sets a whole list of tensors to zero.
constexpr uint64_t AnyNumber = 1 << 20;

std::atomic<const char *(*)(const void *)> NameOf{nullptr};
std::atomic<uint64_t (*)()> TorchThreadId{nullptr};

bool startsWith(const char *Text, const char *Prefix) {
  return !std::strncmp(Text, Prefix, std::strlen(Prefix));
}

/// "Optimizer.step#Adam.step" names the class Adam.
BoundarySource pythonOptimizer(const char *Name, const char *Prefix) {
  const char *Class = Name + std::strlen(Prefix);
  const char *End = std::strrchr(Class, '.');
  return {trace::BoundaryKind::PythonOptimizerStep, 0,
          End ? std::string(Class, size_t(End - Class)) : std::string(Class)};
}

const OpenScope *innermost(const OpenScopes &Scopes) {
  return Scopes.Depth && Scopes.Depth <= OpenScopes::Max ? &Scopes.Stack[Scopes.Depth - 1]
                                                         : nullptr;
}

OpenScope *innermost(OpenScopes &Scopes) {
  return const_cast<OpenScope *>(innermost(std::as_const(Scopes)));
}

constexpr char AccumulateGrad[] = "torch::autograd::AccumulateGrad";

bool isAccumulateGrad(const OpenScope &Scope) {
  return Scope.Name && !std::strcmp(Scope.Name, AccumulateGrad);
}

/// What the vtable pointer of an AccumulateGrad holds; 0 if unknown.
uintptr_t accumulateGradVtable() {
  constexpr uintptr_t FirstFunction = 2 * sizeof(void *);
  static SymbolOnce Symbol("_ZTVN5torch8autograd14AccumulateGradE");
  const auto Table = reinterpret_cast<uintptr_t>(Symbol.get());
  return Table ? Table + FirstFunction : 0;
}

/// Of operators that change what they are given.
bool isInPlace(const char *Name) { return Name[0] && Name[std::strlen(Name) - 1] == '_'; }

void noteZeroing(Session &S, const char *Name) {
  if (!std::strcmp(Name, "aten::zero_"))
    bump(S.TheSteps.Now.ZeroOps);
  else if (!std::strcmp(Name, "aten::_foreach_zero_"))
    bump(S.TheSteps.Now.ZeroOps, AnyNumber);
}

/// Gradient events that an operator is direct evidence of, before it is opened.
void noteGradientEvent(Session &S, OpenScopes &Scopes, const char *Name) {
  OpenScope *Outer = innermost(Scopes);
  if (Outer && Outer->Kind == ScopeKind::Backward) {
    // AccumulateGrad takes the gradient over when there is none, and adds otherwise.
    if (startsWith(Name, "aten::add") && isAccumulateGrad(*Outer))
      Outer->AddedGradient = true;
    return;
  }
  if (Scopes.Functions == 0 && isInPlace(Name))
    noteZeroing(S, Name);
}

void open(Session &S, OpenScopes &Scopes, const char *Name, ScopeKind Kind) {
  if (Kind == ScopeKind::Function)
    noteGradientEvent(S, Scopes, Name);
  if (Kind != ScopeKind::User && Scopes.Functions++ == 0) {
    Scopes.Current.Count = Scopes.Last.Count = 0;
    Scopes.StartNumber = Scopes.LastNumber;
  }
  Scopes.Backwards += Kind == ScopeKind::Backward;
  Scopes.OptimizerSteps += Kind == ScopeKind::User && startsWith(Name, StepPrefix);
  if (Scopes.Depth < OpenScopes::Max)
    Scopes.Stack[Scopes.Depth] = {Name, Kind, /*AddedGradient=*/false, /*Frame=*/0};
  ++Scopes.Depth;
}

void noteEndOfBackward(Session &S, const OpenScope &Scope) {
  if (isAccumulateGrad(Scope))
    bump(Scope.AddedGradient ? S.TheSteps.Now.Accumulations : S.TheSteps.Now.FreshGradients);
}

void noteEndOfUserScope(Session &S, OpenScopes &Scopes, const OpenScope &Scope) {
  if (startsWith(Scope.Name, StepPrefix)) {
    Scopes.OptimizerSteps -= Scopes.OptimizerSteps != 0;
    S.boundary(pythonOptimizer(Scope.Name, StepPrefix));
  } else if (startsWith(Scope.Name, ZeroGradPrefix))
    S.TheSteps.zeroGrad(pythonOptimizer(Scope.Name, ZeroGradPrefix));
}

void close(Session &S, OpenScopes &Scopes, ScopeKind Kind) {
  // A scope that was open when the probe began has no entry here.
  if (!Scopes.Depth)
    return;
  if (OpenScope *Scope = innermost(Scopes)) {
    if (Kind == ScopeKind::Backward)
      noteEndOfBackward(S, *Scope);
    else if (Kind == ScopeKind::User)
      noteEndOfUserScope(S, Scopes, *Scope);
  }
  --Scopes.Depth;
  Scopes.Backwards -= Kind == ScopeKind::Backward && Scopes.Backwards;
  if (Kind != ScopeKind::User && Scopes.Functions && --Scopes.Functions == 0)
    Scopes.Last = Scopes.Current;
}

/// std::unique_ptr<ObserverContext> comes back through memory that the caller owns.
template <ScopeKind Kind> void *start(void **Result, const void *Function) noexcept {
  *Result = nullptr;
  guarded([&](Session &S, ThreadState &Thread) {
    S.sawOperator(Thread);
    open(S, Thread.Scopes, NameOf.load(std::memory_order_relaxed)(Function), Kind);
  });
  return Result;
}

template <ScopeKind Kind> void end(const void *, void *) noexcept {
  guarded([&](Session &S, ThreadState &Thread) { close(S, Thread.Scopes, Kind); });
}

using AddCallback = uint64_t (*)(RecordFunctionCallback);

/// One callback per kind of scope, so that the kind need not be read.
template <ScopeKind Kind> uint64_t add(AddCallback Register, unsigned Scope) {
  RecordFunctionCallback Callback{};
  Callback.Start = reinterpret_cast<void *>(&start<Kind>);
  Callback.End = reinterpret_cast<void *>(&end<Kind>);
  Callback.SamplingProbability = 1.0;
  Callback.Scopes[Scope] = true;
  return Register(Callback);
}

template <typename F> F resolve(const char *Symbol) {
  return reinterpret_cast<F>(realSymbol(Symbol));
}

} // namespace

void dropAbandonedNodes(OpenScopes &Scopes, uintptr_t Frame) {
  for (OpenScope *Node; (Node = innermost(Scopes)) && Node->Frame && Node->Frame <= Frame;) {
    --Scopes.Depth;
    Scopes.Backwards -= Scopes.Backwards != 0;
    Scopes.Functions -= Scopes.Functions != 0;
  }
}

/// beginNode has opened an AccumulateGrad: by the address, for every operator asks.
static bool isAccumulating(const OpenScopes &Scopes) {
  const OpenScope *Inner = innermost(Scopes);
  return Inner && Inner->Name == AccumulateGrad;
}

bool needsOperator(const OpenScopes &Scopes) {
  return Scopes.Functions == 0 || isAccumulating(Scopes);
}

bool needsBackward(const OpenScopes &Scopes) { return !isAccumulating(Scopes); }

void beginNode(Session &S, OpenScopes &Scopes, uintptr_t Vtable, uintptr_t Frame) {
  if (!opFilterBinds())
    return;
  dropAbandonedNodes(Scopes, Frame);
  open(S, Scopes, Vtable == accumulateGradVtable() ? AccumulateGrad : nullptr, ScopeKind::Backward);
  if (OpenScope *Node = innermost(Scopes))
    Node->Frame = Frame;
}

void endNode(Session &S, OpenScopes &Scopes, uintptr_t Frame) {
  const OpenScope *Node = innermost(Scopes);
  if (Node ? Node->Frame == Frame : opFilterBinds())
    close(S, Scopes, ScopeKind::Backward);
}

namespace {

std::atomic<bool> Installed{false};
std::mutex InstallMutex;
uint64_t Handles[3]; ///< by which LibTorch knows the callbacks

/// Who listened before us, to the same scopes perhaps.
void lookForListeners() {
  auto Ask = resolve<bool (*)()>("_ZN2at18hasGlobalCallbacksEv");
  if (EntersRunningProgram && Ask && Ask())
    noteThatProgramListens();
}

void addCallbacks(AddCallback Register) {
  ForkGate Adds;
  Handles[0] = add<ScopeKind::Function>(Register, 0);
  Handles[1] = add<ScopeKind::Backward>(Register, 1);
  Handles[2] = add<ScopeKind::User>(Register, 7);
  noteCallbacksChanged();
}

} // namespace

bool opCallbacksInstalled() { return Installed.load(); }

/// Asked for at each allocation: of a program that has no LibTorch, or not yet, only what it has
/// loaded since is looked at.
void installOpCallbacks() {
  static std::atomic<uint64_t> WithoutTorch{~uint64_t(0)};
  const uint64_t Loaded = moduleGeneration();
  if (WithoutTorch.load(std::memory_order_relaxed) == Loaded)
    return;
  // Who comes second need not wait: what is looked up, and LibTorch, may wait for a lock that it
  // holds. In a child that was forked meanwhile nobody installs them any more.
  std::unique_lock<std::mutex> Lock(InstallMutex, std::try_to_lock);
  if (!Lock || opCallbacksInstalled())
    return;
  auto Register = resolve<AddCallback>("_ZN2at17addGlobalCallbackENS_22RecordFunctionCallbackE");
  auto Name = resolve<const char *(*)(const void *)>("_ZNK2at14RecordFunction4nameEv");
  TorchThreadId = resolve<uint64_t (*)()>("_ZN2at14RecordFunction15currentThreadIdEv");
  if (!Register || !Name) {
    WithoutTorch = Loaded;
    return;
  }
  NameOf = Name;
  lookForListeners();
  addCallbacks(Register);
  Installed = true;
}

void removeOpCallbacks() {
  std::lock_guard<std::mutex> Lock(InstallMutex);
  auto Remove = resolve<void (*)(uint64_t)>("_ZN2at14removeCallbackEm");
  if (!Remove || !Installed.exchange(false))
    return;
  for (uint64_t Handle : Handles)
    Remove(Handle);
}

uint64_t torchThreadId(ThreadState &Thread) {
  if (!Thread.TorchId)
    if (auto Ask = TorchThreadId.load(std::memory_order_relaxed))
      Thread.TorchId = Ask();
  return Thread.TorchId;
}

} // namespace tensorleak::probe
