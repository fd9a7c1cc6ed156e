//===-- Portable.h - Summaries that cross files ---------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One list of fields per struct writes and reads it. The list takes the struct
// apart by structured binding: a new field that is not in the list does not
// compile.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_PROJECT_PORTABLE_H
#define TENSORLEAK_CHECKS_PROJECT_PORTABLE_H

#include "checks/facts/Summary.h"
#include "checks/project/DeclNames.h"
#include "checks/resources/facts/ResourceFacts.h"
#include <nlohmann/json.hpp>

namespace tensorleak {

nlohmann::json toJson(const Summary &S);
nlohmann::json toJson(const ResourceSummary &S);

/// An effect on what this file cannot see becomes an escape of what it is given.
/// \throws std::exception where it is no summary.
Summary summaryFrom(const nlohmann::json &J, const DeclIndex &Index);
/// What happens to what this file cannot see is left out; what goes there escapes.
/// \throws std::exception where it is no summary.
ResourceSummary resourceSummaryFrom(const nlohmann::json &J, const DeclIndex &Index);

/// Whether all parameters that it speaks of are among the first \p Count.
bool isOfParameters(const Summary &S, unsigned Count);
bool isOfParameters(const ResourceSummary &S, unsigned Count);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_PROJECT_PORTABLE_H
