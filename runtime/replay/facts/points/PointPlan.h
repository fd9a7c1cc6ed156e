//===-- PointPlan.h - Which lines the probe watches -----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before the run: from the findings and the program's debug information to the
// addresses that get a breakpoint. After it: from the breakpoints' counts back to
// the findings.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_FACTS_POINTPLAN_H
#define TENSORLEAK_RUNTIME_REPLAY_FACTS_POINTPLAN_H

#include "runtime/replay/facts/Facts.h"
#include "runtime/replay/recording/Symbolizer.h"
#include "runtime/trace/ProbeConfig.h"

namespace tensorleak {

/// The numbers of the points that belong to one finding.
struct FindingPoints {
  std::vector<uint64_t> Where; ///< of its producers if its own line has no code
  std::vector<uint64_t> LastUse;
  bool IsElsewhere = false; ///< all modules have debug information, and none knows its source
  bool HasNoCode = false;   ///< a module knows other lines of its source
  uint64_t ClockGroup = 0;  ///< of its loop's head, or of its own line; 0 if none
};

struct PointPlan {
  std::vector<trace::LinePoint> Points;
  std::vector<FindingPoints> ByFinding;
  std::vector<std::string> Modules; ///< in which they were looked for
};

/// \p Modules are the files that may hold the findings' code.
PointPlan planPoints(const std::vector<Finding> &Findings, const std::vector<std::string> &Modules,
                     DebugFiles &Files);

/// What the run showed of each finding's places. Call after buildFacts.
std::vector<FindingFacts> findingFacts(const Recording &R, const PointPlan &Plan,
                                       const StepClock &Program);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_FACTS_POINTPLAN_H
