//===-- PeakReport.h - Who held the peak, as text --------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPORT_PEAKREPORT_H
#define TENSORLEAK_RUNTIME_REPORT_PEAKREPORT_H

#include "runtime/record/Record.h"

namespace tensorleak {

/// A line for each of the ten places that held most of it, but none for less than a
/// hundredth of it; a line above them. Nothing for a peak of which no place is known. Files below
/// \p Folder are told relative to it.
std::vector<std::string> describePeak(const RunRecord &R, const std::string &Folder);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPORT_PEAKREPORT_H
