//===-- ChromeTrace.h - Memory over time for trace viewers -----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Trace Event Format that Perfetto (ui.perfetto.dev) and chrome://tracing open: a track of
// steps and counters of memory for each device of each process.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPORT_CHROMETRACE_H
#define TENSORLEAK_RUNTIME_REPORT_CHROMETRACE_H

#include "runtime/record/Ranks.h"

#include <nlohmann/json_fwd.hpp>

namespace tensorleak {

/// Records of older builds know no times: then a step lasts a millisecond.
nlohmann::json chromeTrace(const Job &J);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPORT_CHROMETRACE_H
