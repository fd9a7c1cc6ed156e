//===-- Baseline.h - Findings that a team has accepted --------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file in the repository: what is in it is set aside, what is new is reported. A finding is
// known by its rule, file, function, and what it says or the text of its line, and by how many
// of them there are; line numbers play no part.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_FINDINGS_BASELINE_BASELINE_H
#define TENSORLEAK_FINDINGS_BASELINE_BASELINE_H

#include "findings/FindingSet.h"

namespace tensorleak {

/// Equal findings.
struct BaselineEntry {
  std::string Rule, File; ///< File is relative to the top of the sources
  std::string Function;
  std::string Message; ///< without numbers
  std::string Line;    ///< a hash of its text; "" where it could not be read
  std::string Reason;  ///< why it is accepted, where somebody wrote that
  unsigned Count = 1;
};

/// What somebody accepts by hand. Each is a glob; empty is anything.
struct AcceptedByHand {
  std::string Rule, File, Function;
  std::string Reason; ///< always there
};

struct Baseline {
  std::vector<AcceptedByHand> ByHand;
  std::vector<BaselineEntry> Entries;

  /// \throws std::runtime_error with one sentence that names the file.
  static Baseline read(const std::string &Path);
  /// \throws std::system_error
  void write(const std::string &Path) const;
};

/// What a finding is known by, below \p Root.
std::vector<BaselineEntry> entriesOf(const std::vector<Finding> &Findings, const std::string &Root);

/// What became of a baseline when it was held against findings.
struct BaselineUse {
  size_t Known = 0;                 ///< findings that are in it
  std::vector<BaselineEntry> Stale; ///< entries without a finding, or with fewer than they count
};

/// Sets aside what the baseline has: Finding::Suppressed says why. An entry of a file that is
/// gone also speaks of the same in another file: it was moved.
BaselineUse apply(const Baseline &B, const std::string &Root, std::vector<Finding> &Findings);

/// A baseline of exactly these findings, but for those that are set aside or refuted. It keeps
/// what was accepted by hand, and the reasons; from a log of a check, also what only runs find.
Baseline updated(const Baseline &Old, const std::string &Root, FindingSet Now);

/// Without the entries that have no finding; what only runs find is left to a log of a run.
Baseline pruned(const Baseline &Old, const std::string &Root, FindingSet Now);

/// "2 of tensor-x in src/a.cpp (train)".
std::string describe(const BaselineEntry &E);

} // namespace tensorleak

#endif // TENSORLEAK_FINDINGS_BASELINE_BASELINE_H
