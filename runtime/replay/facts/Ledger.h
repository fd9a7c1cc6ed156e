//===-- Ledger.h - From a recording to facts ------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names the places behind the recorded sites and puts together what belongs to
// the same place in the source. Judges nothing.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_FACTS_LEDGER_H
#define TENSORLEAK_RUNTIME_REPLAY_FACTS_LEDGER_H

#include "runtime/replay/facts/Facts.h"
#include "runtime/replay/recording/Symbolizer.h"

namespace tensorleak {

RunFacts buildFacts(const Recording &R, Symbolizer &Symbols);
/// The same by the steps of that clock.
RunFacts buildFacts(const Recording &R, Symbolizer &Symbols, StepClock Clock);

/// What stays alive, by the place in the source that allocates it.
std::vector<SourceSite> sourceSites(const Recording &R, Symbolizer &Symbols);

/// "train.cpp:31 (aten::relu)": the innermost place of the user's, and the operator.
std::string describeSite(const Recording &R, uint64_t SiteId, Symbolizer &Symbols);

/// The peak of the device that used most.
PeakFacts highestPeak(const Recording &R);

/// What the breakpoints with these numbers saw together.
PointFacts pointFacts(const Recording &R, const std::vector<uint64_t> &Points);

/// Why this recording may not show everything.
std::vector<BlindSpot> blindSpots(const Recording &R);
/// Why no search for holders succeeded, where some were due; "" otherwise. Hides no growth.
std::string whyNotSearched(const Recording &R);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_FACTS_LEDGER_H
