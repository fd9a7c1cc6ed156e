//===-- Gate.h - Which findings count, in a pull request ------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TOOL_CI_GATE_H
#define TENSORLEAK_TOOL_CI_GATE_H

#include "Command.h"
#include "findings/FindingSet.h"
#include "findings/baseline/Baseline.h"
#include "findings/changes/Changes.h"

namespace tensorleak {

struct GateOptions {
  std::string Diff;      ///< a file, a revision, or "-"
  std::string Baseline;  ///< a file
  std::string FailLevel; ///< a level, "none", or "": that of --level
};

void addBaselineOption(CLI::App &Command, std::string &Baseline);
void addGateOptions(CLI::App &Command, GateOptions &Options);

/// The lowest level to report: what the command may fail on has to be seen.
Level lowestLevel(const GateOptions &Options, Level Asked);

/// Whether the findings that are not set aside fail the command.
bool fails(const GateOptions &Options, const FindingSet &Set);

/// Reads what the options name, before the analysis. \throws UsageError, std::runtime_error
class Gate {
public:
  Gate(const GateOptions &Options, const std::string &SourceRoot);

  /// Drops what the change did not touch, and sets aside what the baseline has. \p SeesAll:
  /// all of the project was checked by all rules, so that what is not found is gone.
  void apply(FindingSet &Set, bool SeesAll);

  /// "; 3 in the baseline; 12 not touched by the change", or "".
  std::string summary() const;
  /// What of the baseline is gone, in one sentence; or "".
  std::string staleSentence() const;

private:
  std::string BaselineFile, SourceRoot;
  std::optional<Changes> Change;
  std::optional<Baseline> Accepted;
  size_t Untouched = 0;
  BaselineUse Use;
};

} // namespace tensorleak

#endif // TENSORLEAK_TOOL_CI_GATE_H
