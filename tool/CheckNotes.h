//===-- CheckNotes.h - What a check could not see, for people ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TOOL_CHECKNOTES_H
#define TENSORLEAK_TOOL_CHECKNOTES_H

#include "checks/driver/Project.h"

namespace tensorleak {

/// Names the functions that were over a budget: what was not looked at is not clean.
void printCutFunctions(const CheckReport &Report);

/// What `--stats` asks for: how many functions were analysed, which were not, and what was cut.
void printStats(const CheckReport &Report);

/// Whose declarations stood in for headers that are not at hand.
void sayWhoseHeaders(const CheckReport &Report);

} // namespace tensorleak

#endif // TENSORLEAK_TOOL_CHECKNOTES_H
