//===-- Summary.h - What a run is to say beside its findings ----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TOOL_VERDICTS_SUMMARY_H
#define TENSORLEAK_TOOL_VERDICTS_SUMMARY_H

#include "runtime/replay/facts/Facts.h"
#include "runtime/replay/recording/Symbolizer.h"
#include "runtime/report/RunReport.h"

namespace tensorleak {

/// By what the run was judged, how much memory it took, and what could not be seen.
RunSummary summaryOf(const Recording &R, const RunFacts &Run, Symbolizer &Symbols);

/// What would lower the peak, a line each; empty if no tensor was seen.
std::vector<std::string> adviceFor(const Recording &R, const RunFacts &Run,
                                   const std::vector<Finding> &Judged);

} // namespace tensorleak

#endif // TENSORLEAK_TOOL_VERDICTS_SUMMARY_H
