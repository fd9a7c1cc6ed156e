//===-- Reach.cpp - Was the place reached at all? -------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/verdicts/Verdicts.h"

namespace tensorleak {

Judgement inconclusive(std::string Reason) {
  Judgement J;
  J.TheEvidence.Reason = std::move(Reason);
  return J;
}

Judgement refuted(std::string Reason) {
  Judgement J = inconclusive(std::move(Reason));
  J.TheVerdict = Verdict::Refuted;
  return J;
}

Judgement confirmed(std::string Reason) {
  Judgement J = inconclusive(std::move(Reason));
  J.TheVerdict = Verdict::Confirmed;
  return J;
}

Judgement notReached(std::string Reason) {
  Judgement J = inconclusive(std::move(Reason));
  J.TheVerdict = Verdict::NotReached;
  J.TheEvidence.Steps = 0;
  return J;
}

Judgement refutedUnlessBlind(const RunFacts &Run, std::string Reason, BlindSpot::Scope RestsOn) {
  for (const BlindSpot &Spot : Run.BlindSpots)
    if (Spot.Hides >= RestsOn)
      return inconclusive(Reason + ", but " + Spot.Why);
  return refuted(std::move(Reason));
}

std::optional<Judgement> judgeReach(const Case &C) {
  const PointFacts &Where = C.Facts.Where;
  if (C.Facts.Changed)
    return inconclusive("the source changed since the finding was made; run 'tensorleak check' "
                        "again and build again");
  if (Where.IsPython && !Where.reached())
    return inconclusive("Python called LibTorch neither from this line nor from those that it "
                        "names: whether they ran is not known");
  if (Where.Planned == 0 && C.Facts.IsElsewhere)
    return notReached("neither the program nor one of its libraries was compiled from this source");
  if (Where.Planned == 0 && !C.Facts.NotLookedAt.empty())
    return inconclusive("the line is in none of the files that were looked at before the program "
                        "began; '" +
                        C.Facts.NotLookedAt + "' ran too: name it with --module");
  if (Where.Planned == 0 && C.Facts.HasNoCode)
    return inconclusive("the compiler left no code of its own for this line; build with less "
                        "optimization (-Og) to have it watched");
  if (Where.Planned == 0)
    return inconclusive("no debug information for this line in the program or its libraries; "
                        "compile it with -g");
  if (!Where.reached() && Where.IsCut)
    return inconclusive("the record ends before the program did, and this line had not run until "
                        "then");
  if (Where.Armed == 0)
    return inconclusive(
        std::string("no breakpoint could be set at this line: its module was not loaded, ") +
        (C.Run.JoinedLater ? "a thread of the program blocks SIGTRAP, " : "") +
        "or the system forbids writing code pages");
  if (!Where.reached())
    return notReached(C.Run.JoinedLater
                          ? "the program did not run this line while it was watched"
                          : "the program never ran this line; give it input that does");
  return std::nullopt;
}

} // namespace tensorleak
