//===-- PeakShares.h - What the highest moment of a run consisted of -------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_ADVICE_PEAKSHARES_H
#define TENSORLEAK_RUNTIME_REPLAY_ADVICE_PEAKSHARES_H

#include "runtime/replay/recording/StepClock.h"

namespace tensorleak {

/// What a storage that outlived two steps is for.
enum class Share { Standing, Gradients, OptimizerState, Kept };

class ShareOf {
public:
  /// With a clock that has rounds, what stands was made before its first one had ended.
  explicit ShareOf(const Recording &R, const StepClock *Clock = nullptr);
  Share operator()(const RecordedObject &O) const;

private:
  bool standsBeforeTheSteps(const RecordedObject &O) const;
  const Recording &R;
  const StepClock *Clock;
  uint64_t FirstStep;
};

/// Whether it was alive at the peak.
bool wasAlive(uint64_t Number, const RecordedObject &O, const trace::PeakSnapshot &Peak);

/// In bytes, of the device that used most. Whether a storage was alive then is known
/// for those that outlived two steps; the others are of the step.
struct PeakShares {
  int64_t Total = 0;
  bool StepsSeen = false; ///< without steps nothing but the total is known
  int64_t Standing = 0;   ///< from before the first step to the end: parameters, data
  int64_t Gradients = 0;  ///< of an earlier step: set to zero, or added up
  int64_t OptimizerState = 0;
  int64_t Kept = 0; ///< everything else that outlived two steps
  /// Activations and temporaries of the step in which the peak was reached.
  int64_t ofTheStep() const { return Total - Standing - Gradients - OptimizerState - Kept; }
};

PeakShares peakShares(const Recording &R);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_ADVICE_PEAKSHARES_H
