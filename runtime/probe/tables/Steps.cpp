//===-- Steps.cpp - Boundaries and generations -----------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Steps.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/tables/Steps.h"

#include <algorithm>

namespace tensorleak::probe {
namespace {

using trace::BoundaryKind;

/// A boundary that the program declares beats one that is guessed.
unsigned strengthOf(BoundaryKind Kind) {
  switch (Kind) {
  case BoundaryKind::Age:
  case BoundaryKind::Assertion:
    return 0;
  case BoundaryKind::Backward:
    return 1;
  case BoundaryKind::LineClock:
    return 2;
  case BoundaryKind::OptimizerStep:
  case BoundaryKind::PythonOptimizerStep:
    return 3;
  case BoundaryKind::UserMarker:
    return 4;
  }
  return 0;
}

/// So many boundaries without a stronger one in between mean that the loop that made
/// the stronger ones is over (an evaluation after the training).
constexpr uint64_t AloneEnough = 32;

bool isOptimizer(BoundaryKind Kind) {
  return Kind == BoundaryKind::OptimizerStep || Kind == BoundaryKind::PythonOptimizerStep;
}

GradientEvents lookAtAll(const GradientEvents &E) {
  return {look(E.ModuleZeroGrads), look(E.ZeroOps),    look(E.Backwards),   look(E.Accumulations),
          look(E.FreshGradients),  look(E.KeepGraphs), look(E.CreateGraphs)};
}

void fillSince(trace::Boundary &Record, const GradientEvents &Then, const GradientEvents &Now) {
  Record.ModuleZeroGradsSince = Now.ModuleZeroGrads - Then.ModuleZeroGrads;
  Record.ZeroOpsSince = Now.ZeroOps - Then.ZeroOps;
  Record.BackwardsSince = Now.Backwards - Then.Backwards;
  Record.AccumulationsSince = Now.Accumulations - Then.Accumulations;
  Record.FreshGradientsSince = Now.FreshGradients - Then.FreshGradients;
  Record.KeepGraphSince = Now.KeepGraphs - Then.KeepGraphs;
  Record.CreateGraphSince = Now.CreateGraphs - Then.CreateGraphs;
}

} // namespace

/// A Python optimizer is known by its class only, a C++ one by its address.
Steps::Source &Steps::sourceOf(const BoundarySource &From) {
  bool ByClass = From.Kind == BoundaryKind::PythonOptimizerStep;
  Source &S = Sources[{From.Kind, From.Address + From.Group, ByClass ? From.Class : ""}];
  if (isOptimizer(From.Kind) && !S.OptimizerId) {
    S.OptimizerId = ++OptimizerCount;
  }
  return S;
}

void Steps::zeroGrad(const BoundarySource &Optimizer) {
  std::lock_guard<std::mutex> Lock(Mutex);
  ++sourceOf(Optimizer).ZeroGrads;
}

bool Steps::acts(Source &S, const BoundarySource &From) {
  if (From.Kind == BoundaryKind::Assertion)
    return From.EndsRound;
  if (From.Kind == BoundaryKind::Age) // that a pause has gone on for long enough, AgeMarks knows
    return look(ScopesWithRounds) == 0;
  unsigned Strength = strengthOf(From.Kind);
  ++ByStrength[Strength];
  uint64_t Stronger = 0;
  for (unsigned I = Strength + 1; I < Strengths; ++I)
    Stronger += ByStrength[I];
  if (Stronger != S.StrongerSeen)
    S.Alone = 0;
  S.StrongerSeen = Stronger;
  ++S.Alone;
  return look(ScopesWithRounds) == 0 && (Stronger == 0 || S.Alone > AloneEnough);
}

void Steps::noteStep(const trace::Boundary &Record) {
  if (!FirstStep)
    __atomic_store_n(&FirstStep, Record.Generation, __ATOMIC_RELAXED);
  if (!Record.Acting)
    return;
  __atomic_store_n(&LastStep, Record.Generation, __ATOMIC_RELAXED);
  __atomic_store_n(&AgesAtStep, Ages, __ATOMIC_RELAXED);
}

/// A value that moves to the middle one of those that it meets.
static uint64_t towards(uint64_t Middle, uint64_t Value) {
  uint64_t Pace = std::max<uint64_t>(1, Middle / 8);
  if (!Middle || Middle == Value)
    return Value;
  return Value > Middle ? Middle + Pace : Middle - Pace;
}

void AgeMarks::stepped(uint64_t Allocations) {
  uint64_t Before = LastStep.exchange(Allocations, std::memory_order_relaxed);
  uint64_t Pause = Before && Before < Allocations ? Allocations - Before : 0;
  uint64_t Longest = std::max(LongestPause.load(std::memory_order_relaxed), Pause);
  LongestPause.store(Longest, std::memory_order_relaxed);
  uint64_t Typical = towards(TypicalPause.load(std::memory_order_relaxed), Pause);
  TypicalPause.store(Typical, std::memory_order_relaxed);
  uint64_t Wait = std::max(ShortestPause, Typical ? std::min(2 * Longest, 4 * Typical) : 0);
  Next.store(Allocations + Wait, std::memory_order_relaxed);
}

void Steps::begin(const BoundarySource &From, trace::Boundary &Record) {
  std::lock_guard<std::mutex> Lock(Mutex);
  Source &S = sourceOf(From);
  if (S.OptimizerId && !S.Seen)
    Trace.write(trace::Optimizer{S.OptimizerId, From.Address, From.Class});
  S.Seen = true;
  trace::Totals &Totals = Trace.totals();
  Record.TheKind = From.Kind;
  Record.Acting = acts(S, From);
  bool IsAge = From.Kind == BoundaryKind::Age;
  if (IsAge && !Record.Acting)
    return;
  bump(Ages, IsAge);
  Record.Tick = bump(Totals.Tick);
  Record.Generation = bump(Totals.Generation, Record.Acting);
  __atomic_store_n(&Clock.Tick, Record.Tick, __ATOMIC_RELAXED);
  __atomic_store_n(&Clock.Generation, Record.Generation, __ATOMIC_RELAXED);
  if (!IsAge && From.Kind != BoundaryKind::Assertion)
    noteStep(Record);
  Record.OptimizerId = S.OptimizerId;
  Record.PointGroup = From.Group;
  Record.Sequence = look(Totals.Allocations);
  Record.NodesMade = look(Totals.NodesMade);
  Record.NodesFreed = look(Totals.NodesFreed);
  GradientEvents Current = lookAtAll(Now);
  fillSince(Record, S.Last, Current);
  Record.ZeroGradsSince = S.ZeroGrads;
  S.Last = Current;
  S.ZeroGrads = 0;
}

bool Schedule::isDue(uint64_t Generation) {
  if (Generation < Next)
    return false;
  uint64_t Octave = 1;
  while (Octave * 2 <= Generation)
    Octave *= 2;
  uint64_t Spacing = std::max<uint64_t>(8, Octave / 4);
  Next = Octave < 8 ? Octave * 2 : (Generation / Spacing + 1) * Spacing;
  return true;
}

} // namespace tensorleak::probe
