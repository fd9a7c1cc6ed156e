//===-- Fixes.h - Writes the fix-its of findings into the sources ----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_DRIVER_FIXES_H
#define TENSORLEAK_CHECKS_DRIVER_FIXES_H

#include "findings/Finding.h"
#include <set>
#include <string>
#include <vector>

namespace tensorleak {

struct FixReport {
  unsigned Fixed = 0;   ///< findings all of whose edits were made
  unsigned Skipped = 0; ///< findings whose edits overlap another's
  std::set<std::string> Files;
};

/// Makes the edits of all findings that have some. The edits of one finding are made
/// together or not at all; the same edit of two findings is made once. A file that
/// cannot be written keeps what it had; the exception says which.
FixReport applyFixes(const std::vector<Finding> &Findings);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_DRIVER_FIXES_H
