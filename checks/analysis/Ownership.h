//===-- Ownership.h - Raw memory that a path loses ------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A forward may-dataflow: which local pointers own memory here? Memory that is
// still owned where a path ends, or whose pointer is overwritten, is lost.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_ANALYSIS_OWNERSHIP_H
#define TENSORLEAK_CHECKS_ANALYSIS_OWNERSHIP_H

#include "checks/analysis/Facts.h"

namespace tensorleak {

struct LostMemory {
  ValueId Allocation;       ///< a New, Release or HostAlloc value
  PlaceId Owner;            ///< the pointer that owned it last
  bool Overwritten = false; ///< lost at an assignment, else at the end of a path
};

/// Each allocation at most once, in the order of the code. Only memory whose
/// pointer is a local variable; what escapes is not ours to judge.
std::vector<LostMemory> findLostMemory(const FunctionFacts &Facts);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_ANALYSIS_OWNERSHIP_H
