//===-- Assertion.h - Does what the program asserts hold? -----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Judges one scope of a program that waits for the answer: by the trace as it is then, and by
// the same rules as the verdicts. The text is for whoever reads the failed test.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_ASSERTIONS_ASSERTION_H
#define TENSORLEAK_RUNTIME_REPLAY_ASSERTIONS_ASSERTION_H

#include "runtime/replay/recording/StepClock.h"
#include "runtime/replay/recording/Symbolizer.h"
#include "runtime/trace/Questions.h"

namespace tensorleak {

struct AssertionResult {
  trace::AssertionAnswer Answer = trace::AssertionAnswer::Holds;
  std::string Text; ///< lines; "" if it holds
};

/// Judges the scope with that number. Paths are relative to the folder that the program
/// began in.
AssertionResult judgeAssertion(Recording R, uint64_t Id, Symbolizer &Symbols);

/// The beginning of a scope and the ends of its rounds, or its end.
StepClock clockOfScope(const Recording &R, uint64_t Id);

/// What one kind of assertion needs.
struct AssertionCase {
  const Recording &R;
  const trace::Assertion &Said;
  const StepClock &Clock; ///< of the scope; at least two ticks
  Symbolizer &Symbols;
};
AssertionResult judgeNoGrowth(const AssertionCase &C);
AssertionResult judgePeakBelow(const AssertionCase &C);
AssertionResult judgeKeptBelow(const AssertionCase &C);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_ASSERTIONS_ASSERTION_H
