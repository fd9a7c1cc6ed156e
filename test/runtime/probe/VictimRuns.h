//===-- VictimRuns.h - Runs of Victim.cpp, and what holds of each -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TEST_RUNTIME_PROBE_VICTIMRUNS_H
#define TENSORLEAK_TEST_RUNTIME_PROBE_VICTIMRUNS_H

#include "RunVictim.h"

#include <gtest/gtest.h>

namespace tensorleak::test {

inline constexpr unsigned Steps = 48;

/// Runs the victim for that many steps.
inline VictimRun victim(const std::string &What, const std::vector<trace::LinePoint> &Points = {}) {
  return runUnderProbe({VICTIM, What, std::to_string(Steps)}, Points);
}

/// The one trace of a run that went well.
inline RecordedTrace traceOf(const std::string &What,
                             const std::vector<trace::LinePoint> &Points = {}) {
  VictimRun Run = victim(What, Points);
  EXPECT_EQ(Run.Status, 0);
  EXPECT_EQ(Run.Output, "done " + What + "\n");
  EXPECT_EQ(Run.Traces.size(), 1u);
  if (Run.Traces.empty())
    return {};
  EXPECT_TRUE(Run.Traces[0].Result.Complete) << Run.Traces[0].Result.Error;
  return Run.Traces[0];
}

/// Every allocation is freed or alive, in the totals and over the sites.
inline void expectBalance(const RecordedTrace &T) {
  uint64_t Allocations = 0, Frees = 0, LiveBytes = 0;
  for (auto &[Id, C] : T.Counters) {
    Allocations += C.Allocations;
    Frees += C.Frees;
    LiveBytes += C.LiveBytes;
  }
  EXPECT_EQ(Allocations, T.Result.Now.Allocations);
  EXPECT_EQ(Frees, T.Result.Now.Frees);
  EXPECT_EQ(Allocations, Frees + T.End.LiveObjects);
  EXPECT_EQ(LiveBytes, T.End.LiveBytes);
  EXPECT_EQ(T.Result.Now.UnknownFrees, 0u);
  EXPECT_EQ(T.Births.size(), T.Deaths.size() + T.End.LiveObjects);
}

} // namespace tensorleak::test

#endif // TENSORLEAK_TEST_RUNTIME_PROBE_VICTIMRUNS_H
