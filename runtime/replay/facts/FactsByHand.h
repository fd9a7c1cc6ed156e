//===-- FactsByHand.h - Facts for tests of verdicts -----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As the ledger would have made them from a run: 60 steps, everything freed.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_FACTS_FACTSBYHAND_H
#define TENSORLEAK_RUNTIME_REPLAY_FACTS_FACTSBYHAND_H

#include "runtime/replay/facts/Facts.h"

namespace tensorleak::test {

inline constexpr const char *File = "/p/train.cpp";
inline constexpr uint64_t Steps = 60;

inline Location line(unsigned Number) { return {File, Number, 5}; }

inline StepClock clockOf(uint64_t Count) {
  StepClock Clock{"step of SGD", {}, false};
  for (uint64_t Tick = 1; Tick <= Count; ++Tick)
    Clock.Ticks.push_back(Tick);
  return Clock;
}

/// A site at that line; it allocates and frees as the functions below set it.
inline SourceSite siteAt(unsigned Line) {
  SourceSite S;
  S.Frames = {{"train", line(Line)}};
  return S;
}

/// Keeps one object per step.
inline SourceSite growingSite(unsigned Line, uint64_t Bytes) {
  SourceSite S = siteAt(Line);
  for (uint64_t Tick = 0; Tick < Steps; ++Tick)
    S.Objects.push_back({0, Bytes, Tick, std::nullopt, false});
  S.Allocations = Steps;
  S.BytesAtEnd = static_cast<int64_t>(Steps * Bytes);
  return S;
}

inline NodeCount census(uint64_t Tick, int64_t NodesPerStep, unsigned Line) {
  NodeCount C;
  C.Tick = Tick;
  C.Nodes = NodesPerStep * static_cast<int64_t>(Tick);
  C.Trusted = true;
  C.Groups = {{{{"train", line(Line)}}, C.Nodes}};
  return C;
}

/// Three objects of the site were looked for, and no variable leads to them.
inline HeldSite unheld(uint64_t SiteId) {
  HeldSite Out;
  Out.SiteId = SiteId;
  Out.Targets = Out.Unheld = 3;
  return Out;
}

/// Nodes of graphs do.
inline HeldSite heldByNodes(uint64_t SiteId) {
  HeldSite Out = unheld(SiteId);
  Out.HeldByNodes = true;
  return Out;
}

inline Finding findingAt(unsigned Line, Kind TheKind = Kind::Retention) {
  Finding F;
  F.TheKind = TheKind;
  F.Where = line(Line);
  return F;
}

/// A finding that keeps a graph, in the loop of lines 10 to 20.
inline Finding graphFindingAt(unsigned Line, unsigned Producer) {
  Finding F = findingAt(Line);
  F.TheSubject.Graph = true;
  F.TheSubject.Loop = {File, 10, 20};
  F.TheSubject.Producers = {line(Producer)};
  return F;
}

inline RunFacts cleanRun() {
  RunFacts Run;
  Run.Clock = clockOf(Steps);
  Run.Censuses = {census(16, 0, 15), census(32, 0, 15), census(48, 0, 15)};
  Run.Allocations = 1000;
  Run.MainReturned = true;
  return Run;
}

inline FindingFacts reached(const RunFacts &Run) {
  FindingFacts F;
  F.Where = {1, 1, Steps, Steps, 1, 0, 500};
  F.Clock = Run.Clock;
  F.Rounds = {0};
  return F;
}

inline OptimizerFacts optimizer(bool Zeroes, uint64_t Accumulations) {
  OptimizerFacts O{"SGD", {}};
  for (uint64_t Tick = 1; Tick <= 5; ++Tick)
    O.Steps.push_back({Tick, Zeroes, 1, Accumulations, Zeroes ? Accumulations : 0});
  return O;
}

} // namespace tensorleak::test

#endif // TENSORLEAK_RUNTIME_REPLAY_FACTS_FACTSBYHAND_H
