//===-- Expected.h - Growth that the program declared to expect -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tensorleak_expect_retained() named is in no figure of what stays alive; it
// is listed apart, so that nobody takes it for memory that was not seen.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_VERDICTS_EXPECTED_H
#define TENSORLEAK_RUNTIME_REPLAY_VERDICTS_EXPECTED_H

#include "runtime/replay/verdicts/Matcher.h"

namespace tensorleak {

/// What grows and was expected to, as findings of the rule ObservedGrowth that are
/// set aside.
std::vector<Finding> expectedGrowth(const RunFacts &Run);

/// Bytes still alive at the finding's places that were expected to stay.
int64_t expectedBytes(const Finding &F, const RunFacts &Run);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_VERDICTS_EXPECTED_H
