//===-- Reporting.h - What becomes of a program that was watched ----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options and the report that `run` and `attach` have in common.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TOOL_VERDICTS_REPORTING_H
#define TENSORLEAK_TOOL_VERDICTS_REPORTING_H

#include "Output.h"
#include "run/Verification.h"

namespace tensorleak {

struct ReportingOptions {
  OutputOptions Output;
  std::string KeepTrace, Record, Page;
  std::vector<std::string> FailOn;
  std::vector<std::string> Suppressions;        ///< files
  std::string Lowest{toString(Level::Warning)}; ///< the level from which on all is reported

  bool wantsNotes() const { return levelFromString(Lowest) == Level::Note; }
};

/// Adds what the options are set by.
void addReportingOptions(CLI::App &Command, ReportingOptions &Options);

/// Adds what Progress is given.
void addTopOption(CLI::App &Command, bool &Top);

/// The path of that probe. \throws UsageError
std::string requireProbe(const std::string &Name);

/// What can be wrong with the options is found before the work; \p Advice ends the sentence.
/// \throws UsageError
void prepareReporting(const ReportingOptions &Options, const std::string &Advice);
std::vector<SuppressionLine> suppressionsOf(const ReportingOptions &Options);

/// After V.judge(): prints and writes all that is asked for.
void report(const ReportingOptions &Options, Verification &V);

} // namespace tensorleak

#endif // TENSORLEAK_TOOL_VERDICTS_REPORTING_H
