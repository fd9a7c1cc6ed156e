//===-- CheckedSources.h - The findings of a program's own sources --------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TOOL_RUN_CHECKEDSOURCES_H
#define TENSORLEAK_TOOL_RUN_CHECKEDSOURCES_H

#include "findings/Sarif.h"

#include <string>

namespace tensorleak {

/// What 'tensorleak check -p BUILD' finds, its messages on stderr. \p SourceRoot as readSarifFile
/// wants it. \throws UsageError where the sources cannot be checked.
FindingSet checkSources(const std::string &Build, const std::string &SourceRoot);

/// Likewise, with the notes, and without what only a run can decide.
FindingSet checkProject(const std::string &Build, const std::string &SourceRoot);

} // namespace tensorleak

#endif // TENSORLEAK_TOOL_RUN_CHECKEDSOURCES_H
