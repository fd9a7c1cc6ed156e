//===-- Growth.h - Does what a site keeps grow with the steps? ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The judgement under every retention verdict, as pure functions on plain
// data. A site grows if objects born in many different steps survive and their
// number keeps rising (generations), or if the bytes rise by a trend that a
// test of significance accepts and the low point of the end lies above the high
// point of the start (one object that is re-created ever larger). "Alive at the
// end" is no evidence, and neither is a slope: GrowthTest.cpp measures both.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_GROWTH_GROWTH_H
#define TENSORLEAK_RUNTIME_REPLAY_GROWTH_GROWTH_H

#include <cstdint>
#include <utility>
#include <vector>

namespace tensorleak {

/// An object that a site allocated. Steps count from 0.
struct Lifetime {
  static constexpr uint32_t Never = UINT32_MAX;
  uint32_t Birth = 0;
  uint32_t Death = Never; ///< the step in which it was freed
  int64_t Bytes = 0;
};

/// What a site held at the end of each step.
struct SiteSeries {
  std::vector<int64_t> Bytes;
  std::vector<int64_t> Generations;  ///< distinct birth steps among the survivors
  std::vector<uint32_t> BirthsAlive; ///< distinct birth steps alive at the end, ascending
  uint32_t steps() const { return static_cast<uint32_t>(Bytes.size()); }
};

/// The series of the objects of one site over \p Steps steps.
SiteSeries seriesOf(const std::vector<Lifetime> &Objects, uint32_t Steps);

enum class Growth {
  Bounded,  ///< does not grow
  Growing,  ///< grows and does not slow down
  Slowing,  ///< grows slower and slower, or has stopped: perhaps a cache that is filling
  TooShort, ///< too few steps to judge
};

/// Fewer steps than this decide nothing.
constexpr uint32_t MinStepsToJudge = 20;

/// Steps at the start that are not judged: allocators, caches and optimizers warm up.
uint32_t warmUpSteps(uint32_t Steps);

Growth judge(const SiteSeries &Series);

/// Survivors of at least two birth steps in each half after the warm-up, and
/// their number still rising.
bool generationsRise(const SiteSeries &Series);

/// The bytes rise by a significant trend, and the end's lowest is above the first half's
/// highest, by more than the first half goes up and down.
bool troughRises(const SiteSeries &Series);

/// Mann-Kendall statistic: above 2.33 a rising trend is significant at 1%.
double mannKendall(const std::vector<int64_t> &Values);

/// Theil-Sen slope: the median of all pairwise slopes. For the report only.
double theilSen(const std::vector<int64_t> &Values);

/// Bytes per step after the warm-up, for the report.
int64_t bytesPerStep(const std::vector<int64_t> &Bytes);

/// Whether a value, known at a few steps only (step and value), rises from each to the
/// next, and about as fast everywhere; with fewer than five samples, exactly as fast.
bool growsSteadily(const std::vector<std::pair<uint32_t, int64_t>> &Samples);

/// Bytes per step of one array that was replaced by a larger one whenever it was full, as a
/// vector's is: each lasts as much longer as it is larger, and the last one is not overdue. 0 if it
/// is none.
int64_t arrayBytesPerStep(const std::vector<Lifetime> &Objects, uint32_t Steps);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_GROWTH_GROWTH_H
