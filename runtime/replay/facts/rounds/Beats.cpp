//===-- Beats.cpp ---------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/facts/rounds/Beats.h"
#include "runtime/replay/growth/Growth.h"

#include <algorithm>

namespace tensorleak {
namespace {

void addBeat(const Recording &R, const SourceSite &Site, uint64_t Id, std::vector<Beat> &All) {
  auto Pulse = R.Pulses.find(Id);
  auto Counted = R.Counters.find(Id);
  if (Pulse == R.Pulses.end() || Counted == R.Counters.end())
    return;
  const trace::SitePulse &P = Pulse->second;
  Beat B{&Site, Id, {}, P.Stride, Counted->second.Allocations, {}};
  for (uint64_t At : P.Sequences)
    if (At)
      B.At.push_back(At);
  std::sort(B.At.begin(), B.At.end());
  B.Micros[0] = P.FirstMicroseconds;
  B.Micros[1] = P.LastMicroseconds;
  if (B.At.size() >= 2)
    All.push_back(std::move(B));
}

/// Libraries set themselves up in the first rounds, which may take longer than all that follow.
constexpr size_t RoundsOfSetUp = 3;

/// Where it goes round as it does to the end: from the second round on, or the third.
size_t firstUsualRound(const Beat &B) {
  return B.At.size() > 4 * RoundsOfSetUp ? RoundsOfSetUp : 0;
}

uint64_t usualSpan(const Beat &B) { return B.At.back() - B.At[firstUsualRound(B)]; }

/// As far as it is known when each site allocated: of a program that was killed, until this was
/// last written.
uint64_t allocationsKnown(const Recording &R) {
  if (R.End)
    return R.Read.Now.Allocations;
  uint64_t Last = 0;
  for (const auto &[Site, Pulse] : R.Pulses)
    if (!Pulse.Sequences.empty())
      Last = std::max(Last, *std::max_element(Pulse.Sequences.begin(), Pulse.Sequences.end()));
  return Last;
}

/// Whether it lasts for one of so many parts of the run, in allocations or in time.
bool isPartOfTheRun(const Beat &B, const Recording &R, uint64_t Parts) {
  return Parts * B.span() >= allocationsKnown(R) ||
         (R.End && Parts * (B.Micros[1] - B.Micros[0]) >= R.End->Microseconds);
}

bool goesRoundUntilTheEnd(const Beat &B, const Recording &R) {
  return reachesTheEnd(B, R) && 4 * largestGap(B) <= usualSpan(B);
}

} // namespace

uint64_t largestGap(const Beat &B) {
  uint64_t Most = 0;
  for (size_t I = firstUsualRound(B) + 1; I < B.At.size(); ++I)
    Most = std::max(Most, B.At[I] - B.At[I - 1]);
  return Most;
}

uint64_t horizonOf(const Recording &R) {
  std::vector<uint64_t> Generations;
  for (const trace::Boundary &B : R.Boundaries)
    if (B.Acting || B.TheKind == trace::BoundaryKind::Age)
      Generations.push_back(B.Sequence);
  return Generations.size() < 2 ? 0 : Generations[Generations.size() - 2];
}

std::vector<Beat> beatsOf(const Recording &R, const RunFacts &Facts) {
  std::vector<Beat> All;
  for (const SourceSite &Site : Facts.Sites)
    for (uint64_t Id : Site.Ids)
      addBeat(R, Site, Id, All);
  return All;
}

bool reachesEndInTime(const Beat &B, const Recording &R) {
  constexpr uint64_t Instant = 20000; // for which any program may be kept waiting
  return !R.End ||
         R.End->Microseconds - B.Micros[1] <= std::max(B.Micros[1] - B.Micros[0], Instant);
}

bool reachesTheEnd(const Beat &B, const Recording &R) {
  uint64_t Known = allocationsKnown(R), Rest = Known - std::min(Known, B.At.back());
  return Rest <= std::max(2 * largestGap(B), usualSpan(B) / 8) && reachesEndInTime(B, R);
}

bool runsThrough(const Beat &B, const Recording &R) {
  constexpr uint64_t Halves = 2;
  return isPartOfTheRun(B, R, Halves) && goesRoundUntilTheEnd(B, R);
}

bool isLastPart(const Beat &B, const Recording &R) {
  constexpr uint64_t Eighths = 8;
  return B.Executions >= 2 * MinStepsToJudge && isPartOfTheRun(B, R, Eighths) &&
         goesRoundUntilTheEnd(B, R);
}

} // namespace tensorleak
