//===-- Suppressions.h - Leaks that are known and not to be reported ------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The syntax is LeakSanitizer's: one `leak:PATTERN` per line, '#' starts a comment. A
// pattern is a part of a name; '*' stands for anything, '^' and '$' for the name's ends.
// Names are the functions, files and modules on the stacks that allocated.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_SUPPRESSIONS_SUPPRESSIONS_H
#define TENSORLEAK_RUNTIME_REPLAY_SUPPRESSIONS_SUPPRESSIONS_H

#include "runtime/replay/facts/Facts.h"

namespace tensorleak {

/// One line of a file of suppressions, and what it did.
struct SuppressionLine {
  std::string Pattern;
  std::string Place; ///< "file:line"
  unsigned Findings = 0;
  int64_t BytesPerStep = 0;
};

/// \throws std::runtime_error with one sentence that names the file and the line.
std::vector<SuppressionLine> readSuppressions(const std::string &File);

/// Whether \p Name is one that \p Pattern speaks of.
bool matchesPattern(std::string_view Pattern, std::string_view Name);

/// Sets aside the confirmed leaks (not the findings of other kinds) all of whose memory
/// comes from stacks that a line speaks of, and counts them there.
void suppress(std::vector<Finding> &Findings, const RunFacts &Run,
              std::vector<SuppressionLine> &Lines);

/// One sentence per line: what it suppressed, or that it matched nothing.
std::vector<std::string> describe(const std::vector<SuppressionLine> &Lines);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_SUPPRESSIONS_SUPPRESSIONS_H
