//===-- Correctness.cpp - Does the gradient of one step reach the next? ---===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A missing zero_grad makes wrong gradients, not growth: .grad is accumulated in
// place. So the evidence is what happened between two steps of the optimizer.
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/verdicts/Verdicts.h"

#include <algorithm>

namespace tensorleak {
namespace {

struct Mixing {
  unsigned Judged = 0;  ///< steps with a backward pass, the first left out
  unsigned Mixed = 0;   ///< of those, with gradients added onto old ones and no reset
  unsigned Longest = 0; ///< most of those in a row
  unsigned Reset = 0;   ///< with a reset
  unsigned Beside = 0;  ///< with one, and one backward pass that added to other gradients too
};

Mixing mixingOf(const OptimizerFacts &O) {
  Mixing M;
  unsigned Run = 0;
  for (size_t I = 1; I < O.Steps.size(); ++I) {
    const OptimizerStep &S = O.Steps[I];
    if (!S.Backwards)
      continue;
    ++M.Judged;
    M.Reset += S.Zeroed;
    M.Beside += S.Zeroed && S.Backwards == 1 && S.Accumulations > S.ZeroOps;
    bool Mixed = !S.Zeroed && S.Accumulations > 0;
    M.Mixed += Mixed;
    Run = Mixed ? Run + 1 : 0;
    M.Longest = std::max(M.Longest, Run);
  }
  return M;
}

/// The optimizer that stepped first after the place was first reached.
const OptimizerFacts *optimizerOf(const Case &C) {
  const OptimizerFacts *Best = nullptr;
  auto FirstAfter = [&C](const OptimizerFacts &O) {
    auto Step = std::find_if(O.Steps.begin(), O.Steps.end(), [&C](const OptimizerStep &S) {
      return S.Tick > C.Facts.Where.FirstTick;
    });
    return Step == O.Steps.end() ? UINT64_MAX : Step->Tick;
  };
  for (const OptimizerFacts &O : C.Run.Optimizers)
    if (!Best || FirstAfter(O) < FirstAfter(*Best))
      Best = &O;
  return Best;
}

std::string outOf(unsigned Part, unsigned Whole) {
  return std::to_string(Part) + " of " + std::to_string(Whole);
}

Judgement judgeMixing(const Case &C, const Mixing &M, const std::string &Step) {
  if (M.Longest >= 2)
    return confirmed("the gradient of one " + Step + " arrived in the next in " +
                     outOf(M.Mixed, M.Judged) +
                     " steps; memory does not grow: .grad is accumulated in place");
  if (M.Beside > 2 && 2 * M.Beside > M.Judged && C.Run.Optimizers.size() == 1)
    return confirmed("in " + outOf(M.Beside, M.Judged) + " steps a backward pass added to " +
                     "gradients that the optimizer does not reset: they pile up unused; their " +
                     "memory is constant");
  if (M.Judged < 2)
    return inconclusive("only " + std::to_string(M.Judged + 1) + " " + Step +
                        "s with a backward pass were seen; at least 3 are needed");
  if (M.Reset)
    return refutedUnlessBlind(C.Run,
                              "gradients were reset before " + outOf(M.Reset, M.Judged) + " steps",
                              BlindSpot::Everything);
  return refutedUnlessBlind(C.Run, "no gradient was added onto that of an earlier " + Step,
                            BlindSpot::Everything);
}

} // namespace

/// That the call frees no live tensor is known; the run shows that it is repeated, and
/// whether there was anything on a device at all.
static Judgement judgeEmptyCache(const Case &C) {
  std::string Times = std::to_string(C.Facts.Where.StepsHit) + " steps";
  bool OnDevice = std::any_of(C.Run.Sites.begin(), C.Run.Sites.end(),
                              [](const SourceSite &S) { return S.OnDevice && S.Allocations; });
  if (C.Facts.Where.StepsHit < 2)
    return refuted("the line ran in " + Times + ": it is not repeated");
  if (!OnDevice)
    return inconclusive("the line ran in " + Times + ", but no CUDA memory was used in this run");
  return confirmed("the line ran in " + Times +
                   "; what it gives back is asked for again, and no live tensor is freed");
}

Judgement judgeCorrectness(const Case &C) {
  if (C.TheFinding.Rule == rules::EmptyCacheInLoop)
    return judgeEmptyCache(C);
  const OptimizerFacts *Optimizer = optimizerOf(C);
  if (!Optimizer && C.Run.Backwards.Steps.empty())
    return inconclusive("neither an optimizer step nor a backward pass was seen");
  Judgement J = Optimizer ? judgeMixing(C, mixingOf(*Optimizer), Optimizer->Class + " step")
                          : judgeMixing(C, mixingOf(C.Run.Backwards), "backward pass");
  J.TheEvidence.Steps = static_cast<int64_t>(C.Facts.Where.StepsHit);
  if (J.TheVerdict == Verdict::Confirmed)
    J.TheEvidence.BytesPerStep = 0;
  return J;
}

} // namespace tensorleak
