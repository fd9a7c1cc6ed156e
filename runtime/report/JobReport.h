//===-- JobReport.h - The report of a job of several processes ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPORT_JOBREPORT_H
#define TENSORLEAK_RUNTIME_REPORT_JOBREPORT_H

#include "runtime/record/Ranks.h"
#include "runtime/report/RunReport.h"

namespace tensorleak {

/// The part of a report that is about the run itself, with paths below \p Folder relative to it.
RunSummary summaryOf(const RunRecord &R, const std::string &Folder);

/// The places that hold most after the end.
void printLargest(std::ostream &Out, const RunRecord &R);

/// The places that grow with what each part of the job gains there, and one line per part.
void printJobSummary(std::ostream &Out, const Job &J, const FindingSet &Merged);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPORT_JOBREPORT_H
