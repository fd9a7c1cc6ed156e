//===-- ReportPage.h - The report as a page for a browser ------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TOOL_PAGES_REPORTPAGE_H
#define TENSORLEAK_TOOL_PAGES_REPORTPAGE_H

#include "runtime/record/Ranks.h"

namespace tensorleak {

/// Whether a file is to be one: its name ends with .html or .htm.
bool isPageName(const std::string &File);

/// The findings of a job: one process as `run` reported it, several merged.
FindingSet findingsOf(const Job &J);

/// The run that a page compares with.
struct EarlierRun {
  std::string Name;
  Job TheJob;
};

/// Writes the page, and says on stderr where it is. \throws UsageError if it cannot be
/// written; the file is then as it was.
void writeReportPage(const Job &J, const FindingSet &Findings, const std::string &File,
                     const std::optional<EarlierRun> &Before = std::nullopt);

} // namespace tensorleak

#endif // TENSORLEAK_TOOL_PAGES_REPORTPAGE_H
