//===-- Diff.h - Two runs compared by site --------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places are first matched exactly, then, for source that changed between the runs,
// by their functions and operators without lines, where that is unambiguous. The
// ranks of a job are added up.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_RECORD_DIFF_H
#define TENSORLEAK_RUNTIME_RECORD_DIFF_H

#include "runtime/record/Ranks.h"

namespace tensorleak {

/// What a place, or a whole run, holds.
struct Figures {
  int64_t BytesPerStep = 0, PeakBytes = 0, TotalBytes = 0;
};

enum class Change { Same, New, Gone, Grown, Shrunk };
std::string_view toString(Change C);

struct SiteChange {
  Change TheChange = Change::Same;
  RecordSite Site; ///< as it is after, or as it was if it is gone
  Figures Before, After;
};

struct RunDiff {
  std::vector<SiteChange> Sites;          ///< those that changed, the largest growth per step first
  Figures Before, After;                  ///< of the whole; TotalBytes is not used
  double NodesBefore = 0, NodesAfter = 0; ///< live autograd nodes gained per step
  uint32_t StepsBefore = 0, StepsAfter = 0;
  /// What leaks holds more in the longer of two runs: then only what is gained per step tells.
  bool SameLength = true;
  /// A place gains more per step, more nodes are gained, or the peak of a run of the same length
  /// is higher.
  bool Worse = false;
};

/// Differences up to \p Tolerance (0.05 is 5%) are none, nor are those of held or peak
/// bytes below MinBytes.
RunDiff compare(const Job &Before, const Job &After, double Tolerance);
inline constexpr int64_t MinBytes = 1024;

nlohmann::json toJson(const RunDiff &D);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_RECORD_DIFF_H
