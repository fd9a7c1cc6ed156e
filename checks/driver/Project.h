//===-- Project.h - Checks the files that the user asked for ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The front end's door: what `tensorleak check` calls. Knows nothing of Clang, so
// that the tool does not either.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_DRIVER_PROJECT_H
#define TENSORLEAK_CHECKS_DRIVER_PROJECT_H

#include "checks/Budgets.h"
#include "checks/frontend/commands/CheckRequest.h"
#include "findings/FindingSet.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace tensorleak {

struct CheckReport {
  FindingSet Set;            ///< sorted as printed, without duplicates
  size_t Files = 0;          ///< checked
  size_t Analysed = 0;       ///< of these, by this process: the others were known
  bool Incomplete = false;   ///< Set.Notifications says why
  bool Crashed = false;      ///< on some file: what it held is still locked
  size_t BundledCuda = 0;    ///< files read with our declarations of CUDA, without a toolkit
  size_t BundledInstead = 0; ///< and those where a toolkit's headers gave more errors
  size_t WithoutPython = 0;  ///< files read with our declarations of pybind11
  unsigned Silenced = 0;     ///< by NOLINT comments
  unsigned FunctionsAnalyzed = 0;
  unsigned Parses = 0;
  std::string Dump; ///< what CheckRequest::Dump asks for, in the order of the files
  /// Functions that were not analysed, or not as a whole, by reason.
  std::map<std::string, std::set<std::string>> Skipped;
  BudgetUse OverBudget;
  std::string CacheTrouble; ///< why nothing can be kept for the next check; "" if it can
};

/// \throws RequestError
CheckReport checkProject(const CheckRequest &Request);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_DRIVER_PROJECT_H
