//===-- RunReport.h - What a report says of a run as a whole ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lines below the findings. The findings themselves are written by findings/formats.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPORT_RUNREPORT_H
#define TENSORLEAK_RUNTIME_REPORT_RUNREPORT_H

#include "findings/Finding.h"

#include <iosfwd>

namespace tensorleak {

/// What the report says about the run itself.
struct RunSummary {
  uint32_t Steps = 0;
  std::string Clock; ///< what a step was
  int64_t PeakBytes = 0;
  std::vector<std::string> Remarks; ///< blind spots, how the program ended
  std::vector<std::string> Peak;    ///< who held it, see PeakReport.h
  std::vector<std::string> Advice;  ///< what would lower the peak, if that was asked for
  bool OfTensors = true;            ///< the program uses LibTorch; else all memory is CUDA's
};

/// Remarks and advice, and one line that counts.
void printSummary(std::ostream &Out, const std::vector<Finding> &Findings,
                  const RunSummary &Summary);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPORT_RUNREPORT_H
