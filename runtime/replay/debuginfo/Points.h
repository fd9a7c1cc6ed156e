//===-- Points.h - Where a place in the source starts in the code ---------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The probe puts a one-shot breakpoint at these addresses to learn whether a
// finding's place was reached. The column decides: in
// `if (save) kept.push_back(t);` the line is reached in every step.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_DEBUGINFO_POINTS_H
#define TENSORLEAK_RUNTIME_REPLAY_DEBUGINFO_POINTS_H

#include "runtime/replay/debuginfo/DebugInfo.h"

namespace tensorleak {

/// The addresses at which the code of that line and column starts. Compilers
/// name an expression by different columns (its start, its operator, its
/// parenthesis), so without an exact match the next column on the line counts,
/// and without one the last before it. \p Rows are the file's. Rows that start a
/// statement are preferred: the others may be code that was moved out of it.
std::vector<uint64_t> addressesOf(const Location &Where, const std::vector<LineRow> &Rows);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_DEBUGINFO_POINTS_H
