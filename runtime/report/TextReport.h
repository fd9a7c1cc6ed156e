//===-- TextReport.h - Findings and verdicts as text ----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each finding as clang prints it, its verdict below, and one line that counts.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPORT_TEXTREPORT_H
#define TENSORLEAK_RUNTIME_REPORT_TEXTREPORT_H

#include "findings/Finding.h"

#include <iosfwd>

namespace tensorleak {

/// What the report says about the run itself.
struct RunSummary {
  uint32_t Steps = 0;
  std::string Clock; ///< what a step was
  int64_t PeakBytes = 0;
  std::vector<std::string> Remarks; ///< blind spots, how the program ended
  std::vector<std::string> Advice;  ///< what would lower the peak, if that was asked for
};

struct TextStyle {
  bool Colour = false;
};

/// \p Findings in the order in which they are to be printed.
void printReport(std::ostream &Out, const std::vector<Finding> &Findings, const RunSummary &Summary,
                 const TextStyle &Style);

/// The findings alone, those that the program expects last.
void printFindings(std::ostream &Out, const std::vector<Finding> &Findings, const TextStyle &Style);
/// "1 confirmed, 0 refuted, 2 not reached, 0 inconclusive".
std::string countsOf(const std::vector<Finding> &Findings);

/// "confirmed: 672 KiB per step, ..." for one finding.
std::string describeVerdict(const Finding &F);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPORT_TEXTREPORT_H
