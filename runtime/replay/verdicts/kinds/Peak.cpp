//===-- Peak.cpp - Memory above what the fixed program needs --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/verdicts/Verdicts.h"

#include <algorithm>
#include <map>

namespace tensorleak {
namespace {

/// What the finding's lines allocated.
struct Temporaries {
  uint64_t Allocations = 0, MaxBytes = 0;
  uint64_t Candidates = 0, CandidateBytes = 0;
  int64_t AtPeak = 0;
};

Temporaries temporariesOf(const Case &C) {
  Temporaries T;
  for (const SiteGrowth &G : C.Sites) {
    const SourceSite &S = *G.Site;
    if (match(C.TheFinding, S.Frames) != Match::Line)
      continue;
    T.Allocations += S.Allocations;
    T.MaxBytes = std::max(T.MaxBytes, S.MaxBytes);
    T.Candidates += S.InPlaceCandidates;
    T.CandidateBytes += S.InPlaceBytes;
    T.AtPeak += S.BytesAtPeak;
  }
  return T;
}

Judgement confirmedPeak(std::string Reason, int64_t Bytes) {
  Judgement J = confirmed(std::move(Reason));
  J.TheEvidence.PeakBytes = Bytes;
  return J;
}

/// Allocations of the round that starts with \p Next's predecessor.
uint64_t sinceRoundStart(const std::vector<uint64_t> &Rounds,
                         std::vector<uint64_t>::const_iterator Next, uint64_t Sequence) {
  return Next == Rounds.begin() ? 0 : Sequence - *std::prev(Next);
}

/// How many allocations of its round came before a line was reached.
uint64_t allocationsBefore(const std::vector<uint64_t> &Rounds, uint64_t Sequence) {
  return sinceRoundStart(Rounds, std::upper_bound(Rounds.begin(), Rounds.end(), Sequence),
                         Sequence);
}

/// Which allocation of its round an allocation is; the first of a round has the
/// number behind that of the round's start.
uint64_t numberInRound(const std::vector<uint64_t> &Rounds, uint64_t Sequence) {
  return sinceRoundStart(Rounds, std::lower_bound(Rounds.begin(), Rounds.end(), Sequence),
                         Sequence);
}

/// The tensor of every round has a last use of its own; the peak lies in one of
/// them. Rounds may differ, so the later of two last uses counts.
bool peakIsAfterLastUse(const Case &C) {
  const PointFacts &LastUse = C.Facts.LastUse;
  const std::vector<uint64_t> &Rounds = C.Facts.Rounds;
  uint64_t Peak = C.Run.Peak.Sequence;
  return Peak > LastUse.LastSequence ||
         numberInRound(Rounds, Peak) > std::max(allocationsBefore(Rounds, LastUse.FirstSequence),
                                                allocationsBefore(Rounds, LastUse.LastSequence));
}

/// The tensor is alive, unused, while the program is at its highest.
Judgement judgeLastUse(const Case &C, const Temporaries &T) {
  std::string Peak = "the highest " + formatBytes(C.Run.Peak.Bytes) + " of the run";
  if (!C.Facts.LastUse.reached())
    return inconclusive("the last use of the tensor was not seen");
  if (peakIsAfterLastUse(C) && T.AtPeak > 0)
    return confirmedPeak("after its last use the tensor still held " + formatBytes(T.AtPeak) +
                             " of " + Peak,
                         T.AtPeak);
  if (T.AtPeak > 0)
    return refutedUnlessBlind(C.Run, Peak + " came before the last use of the tensor: dropping it "
                                            "then would not lower the peak");
  return refutedUnlessBlind(C.Run, "the tensor was not alive at " + Peak);
}

Judgement judgeTemporary(const Case &C, const Temporaries &T) {
  std::optional<int64_t> Claimed = C.TheFinding.Bytes;
  if (T.Candidates) {
    int64_t Each = static_cast<int64_t>(T.CandidateBytes / T.Candidates);
    return confirmedPeak("the input was freed right after the operator in " +
                             std::to_string(T.Candidates) + " calls: until then " +
                             formatBytes(Each) + " are held twice",
                         Each);
  }
  if (T.Allocations == 0)
    return refutedUnlessBlind(C.Run, "the line ran and allocated no tensor memory");
  int64_t Largest = static_cast<int64_t>(T.MaxBytes);
  if (Claimed && Largest >= *Claimed)
    return confirmedPeak("the line allocates a tensor of " + formatBytes(Largest), Largest);
  if (Claimed)
    return refutedUnlessBlind(C.Run, "the largest allocation of the line was " +
                                         formatBytes(Largest) + ", less than the " +
                                         formatBytes(*Claimed) + " claimed");
  return inconclusive("the line allocates up to " + formatBytes(Largest) +
                      ", but its input was not freed right after it");
}

/// How many nodes the finding's places made.
uint64_t nodesMade(const Case &C) {
  uint64_t Made = 0;
  for (const NodeSite &S : C.Run.NodeSites)
    if (match(C.TheFinding, S.Frames) != Match::None)
      Made += S.Made;
  return Made;
}

/// Whether a backward pass ran between the first and the last round of the finding's
/// own loop.
bool isDifferentiated(const Case &C) {
  const std::vector<uint64_t> &Rounds = C.Facts.Clock.Ticks;
  return std::any_of(
      C.Run.Backwards.Steps.begin(), C.Run.Backwards.Steps.end(), [&](const OptimizerStep &S) {
        return Rounds.empty() || (S.Tick >= Rounds.front() && S.Tick <= Rounds.back());
      });
}

/// A graph that nothing differentiates: what it costs shows when it is not built.
Judgement judgeUnusedGraph(const Case &C) {
  uint64_t Made = nodesMade(C);
  if (!Made)
    return refutedUnlessBlind(C.Run, "the line ran and built no graph", BlindSpot::Everything);
  if (isDifferentiated(C))
    return inconclusive("a graph is built here, and backward passes ran in between: whether they "
                        "used it cannot be determined");
  std::string Built = std::to_string(Made) + " autograd nodes were made here, and no backward pass "
                                             "used them";
  if (!C.Run.PeakWithoutGrad)
    return confirmed(Built + "; --what-if measures what they cost");
  int64_t Saved = C.Run.Peak.Bytes - *C.Run.PeakWithoutGrad;
  if (Saved * 100 < C.Run.Peak.Bytes)
    return refuted(Built + ", but the highest " + formatBytes(C.Run.Peak.Bytes) +
                   " of the run stay the same with gradients off");
  return confirmedPeak(Built + "; with gradients off the highest " + formatBytes(C.Run.Peak.Bytes) +
                           " of the run become " + formatBytes(*C.Run.PeakWithoutGrad),
                       Saved);
}

/// What the loop's places held when a round began: the result of the round before, with
/// its graph. Nothing if that was not looked at in any round.
std::optional<int64_t> heldBetweenRounds(const Case &C) {
  std::map<uint64_t, int64_t> ByTick;
  for (const SiteGrowth &G : C.Sites)
    if (match(C.TheFinding, G.Site->Frames) != Match::None)
      for (const auto &[Tick, Bytes] : G.Site->LiveBytes)
        ByTick[Tick] += Bytes;
  const StepClock &Clock = C.Facts.Clock;
  std::optional<int64_t> Most;
  for (const auto &[Tick, Bytes] : ByTick)
    if (uint32_t Step = Clock.stepOf(Tick); Step >= 2 && Step <= Clock.steps())
      Most = std::max(Most.value_or(0), Bytes);
  return Most;
}

/// `out = net(x)` with an `out` from before the loop.
Judgement judgeReplaced(const Case &C) {
  std::optional<int64_t> Held = heldBetweenRounds(C);
  if (!Held)
    return inconclusive("no round of the loop was seen to begin");
  if (*Held == 0)
    return refutedUnlessBlind(C.Run, "nothing of a round was alive when the next one began");
  return confirmedPeak("the result of a round and its graph, " + formatBytes(*Held) +
                           ", were alive while the next one was computed",
                       *Held);
}

/// The same data moved again in every round.
Judgement judgeTransfer(const Case &C, const Temporaries &T) {
  if (T.Allocations == 0)
    return refutedUnlessBlind(C.Run, "the line copies nothing: the tensor is already there");
  if (T.Allocations < C.Facts.Where.StepsHit || T.Allocations < 2)
    return refutedUnlessBlind(C.Run, "the line made " + std::to_string(T.Allocations) +
                                         " copies in " + std::to_string(C.Facts.Where.StepsHit) +
                                         " steps");
  int64_t Each = static_cast<int64_t>(T.MaxBytes);
  return confirmedPeak("the line made a copy of " + formatBytes(Each) + " " +
                           std::to_string(T.Allocations) + " times",
                       Each);
}

} // namespace

Judgement judgePeak(const Case &C) {
  Temporaries T = temporariesOf(C);
  const Finding &F = C.TheFinding;
  bool IsReplaced = F.Rule == rules::UndeletedTensor && F.TheSubject.Graph;
  Judgement J = F.TheSubject.LastUse.isValid()      ? judgeLastUse(C, T)
                : IsReplaced                        ? judgeReplaced(C)
                : F.TheSubject.Graph                ? judgeUnusedGraph(C)
                : F.Rule == rules::RepeatedTransfer ? judgeTransfer(C, T)
                                                    : judgeTemporary(C, T);
  J.TheEvidence.Steps = static_cast<int64_t>(C.Facts.Where.StepsHit);
  return J;
}

} // namespace tensorleak
