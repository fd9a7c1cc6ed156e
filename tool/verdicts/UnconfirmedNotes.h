//===-- UnconfirmedNotes.h - Notes that the run does not confirm ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A note of the check speaks of what may be meant so, and was held back. The run decides: what
// it confirms is reported, and the rest is counted.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TOOL_VERDICTS_UNCONFIRMEDNOTES_H
#define TENSORLEAK_TOOL_VERDICTS_UNCONFIRMEDNOTES_H

#include "findings/Finding.h"

#include <string>
#include <vector>

namespace tensorleak {

/// Takes the held-back notes out of the judged \p Findings that are not confirmed, and says in \p
/// Remarks how many there were.
void leaveOutUnconfirmedNotes(std::vector<Finding> &Findings, std::vector<std::string> &Remarks);

} // namespace tensorleak

#endif // TENSORLEAK_TOOL_VERDICTS_UNCONFIRMEDNOTES_H
