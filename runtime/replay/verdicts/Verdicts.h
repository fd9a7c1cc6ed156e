//===-- Verdicts.h - What a run proves of a finding -----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function per kind of finding, each in its own file: they need different
// proof. Pure functions on Facts; Judge.cpp calls them.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_VERDICTS_VERDICTS_H
#define TENSORLEAK_RUNTIME_REPLAY_VERDICTS_VERDICTS_H

#include "findings/RuleNames.h"
#include "runtime/replay/verdicts/Matcher.h"

namespace tensorleak {

struct Judgement {
  Verdict TheVerdict = Verdict::Inconclusive;
  Evidence TheEvidence;
};

/// One finding, and all that the run knows of it.
struct Case {
  const Finding &TheFinding;
  const FindingFacts &Facts;
  const RunFacts &Run;
  const std::vector<SiteGrowth> &Sites; ///< by Facts.Clock
};

/// Retention: live bytes, or autograd nodes and the host memory they take, grow
/// per step from the finding's lines.
Judgement judgeRetention(const Case &C);

/// Ownership: what the finding's lines allocate grows per call, or is alive when
/// main has returned and its variables are gone.
Judgement judgeOwnership(const Case &C);

/// Peak: memory above what the fixed program would need.
Judgement judgePeak(const Case &C);

/// Correctness: the gradient of one step arrives in the next.
Judgement judgeCorrectness(const Case &C);

/// A verdict that needs no look at the kind: the source changed, the place has
/// no code, it was never reached. Nothing if the kind must decide.
std::optional<Judgement> judgeReach(const Case &C);

/// Shorthands for the verdict functions.
Judgement inconclusive(std::string Reason);
Judgement refuted(std::string Reason);
Judgement confirmed(std::string Reason);
Judgement notReached(std::string Reason);

/// "inconclusive" instead of a refutation where the run could not see everything that
/// the verdict rests on: memory, or for gradients only what hides all.
Judgement refutedUnlessBlind(const RunFacts &Run, std::string Reason,
                             BlindSpot::Scope RestsOn = BlindSpot::Memory);

/// Growth by the program's clock that belongs to no finding, as findings of the
/// rule ObservedGrowth.
Finding observedGrowth(const SiteGrowth &G);
std::vector<Finding> unexplainedGrowth(const RunFacts &Run, const std::vector<Finding> &Known);

/// Growth in a loop that is over, of what stayed to the end: the rest of the program may need it.
/// A sentence that names where most of it is from; "" if there is none.
std::string keptForLater(const RunFacts &Run, const std::vector<Finding> &Known);

/// What the program asked CUDA for and had not given back when main had returned, by line,
/// with bytes and count: a note without a verdict of the rule ObservedUnfreed, for the driver
/// takes it back. What \p Known speaks of is left out, so also what grows.
std::vector<Finding> neverFreed(const RunFacts &Run, const std::vector<Finding> &Known);

/// One sentence on what grows at places without a frame of the program, as in a Python
/// program, and so is nobody's finding; "" if nothing does.
std::string growthWithoutPlace(const RunFacts &Run);

/// Which programs and libraries have no debug information, where something was allocated; "" if
/// all have.
std::string modulesWithoutLines(const RunFacts &Run);

/// Sentences on the host's memory beside tensors: what grows there at places that are not
/// known, what malloc keeps without need, and what of it could not be watched.
std::vector<std::string> hostMemoryRemarks(const RunFacts &Run);

/// Judges all findings. \p Facts belongs to \p Findings by position.
void judgeAll(std::vector<Finding> &Findings, const std::vector<FindingFacts> &Facts,
              const RunFacts &Run);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_VERDICTS_VERDICTS_H
