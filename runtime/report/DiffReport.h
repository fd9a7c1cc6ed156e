//===-- DiffReport.h - Two runs compared, as text -------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPORT_DIFFREPORT_H
#define TENSORLEAK_RUNTIME_REPORT_DIFFREPORT_H

#include "runtime/record/Diff.h"

#include <iosfwd>

namespace tensorleak {

/// One paragraph per place that changed, then the whole runs, then the verdict.
void printDiff(std::ostream &Out, const RunDiff &D);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPORT_DIFFREPORT_H
