//===-- JudgedByHand.h - A finding judged by facts made by hand -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_VERDICTS_JUDGEDBYHAND_H
#define TENSORLEAK_RUNTIME_REPLAY_VERDICTS_JUDGEDBYHAND_H

#include "runtime/replay/facts/FactsByHand.h"
#include "runtime/replay/verdicts/Verdicts.h"

namespace tensorleak::test {

inline Finding judged(Finding F, const RunFacts &Run, const FindingFacts &Facts) {
  std::vector<Finding> All{std::move(F)};
  judgeAll(All, {Facts}, Run);
  return All.front();
}

inline Finding judged(Finding F, const RunFacts &Run) {
  return judged(std::move(F), Run, reached(Run));
}

} // namespace tensorleak::test

#endif // TENSORLEAK_RUNTIME_REPLAY_VERDICTS_JUDGEDBYHAND_H
