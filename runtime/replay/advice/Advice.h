//===-- Advice.h - What would lower the peak of a program without leaks ----===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each piece has a number that comes from what the run was seen to do, and what
// must hold for it. They do not add up: each is for the program as it was.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_ADVICE_ADVICE_H
#define TENSORLEAK_RUNTIME_REPLAY_ADVICE_ADVICE_H

#include "findings/Finding.h"
#include "runtime/replay/advice/PeakShares.h"
#include "runtime/replay/facts/Facts.h"

namespace tensorleak {

struct Advice {
  std::string What;    ///< "SGD without momentum instead of Adam"
  int64_t Bytes = 0;   ///< off the peak
  bool IsBound = true; ///< at most; else it was measured
  std::string Assumes; ///< "training converges with it"
};

/// Whether a second run with gradients off could lower the peak: graphs were built,
/// and no backward pass used one.
bool buildsUnusedGraphs(const Recording &R);

/// The largest first. What is below a hundredth of the peak is left out.
std::vector<Advice> adviseOn(const RunFacts &Run, const PeakShares &Shares,
                             const std::vector<Finding> &Judged);

/// "at most 2 MiB less: SGD without momentum instead of Adam, if training ..."
std::string describeAdvice(const Advice &A);

/// "1.2 GiB: 400 MiB from before the first step, ..."
std::string describeShares(const PeakShares &Shares);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_ADVICE_ADVICE_H
