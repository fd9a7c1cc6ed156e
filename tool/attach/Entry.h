//===-- Entry.h - Brings the probe into a running process -----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TOOL_ATTACH_ENTRY_H
#define TENSORLEAK_TOOL_ATTACH_ENTRY_H

#include "attach/RunningProcess.h"

namespace tensorleak {

/// Loads \p Probe into the process and starts it with the configuration in the file \p Config.
/// \throws UsageError that says why not; the process is then as it was.
void enterProcess(const RunningProcess &P, const std::string &Probe, const std::string &Config);

} // namespace tensorleak

#endif // TENSORLEAK_TOOL_ATTACH_ENTRY_H
