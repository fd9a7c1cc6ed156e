//===-- CheckNotes.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CheckNotes.h"

#include "Command.h"
#include <iostream>
#include <set>

namespace tensorleak {
namespace {

/// "'f', 'g' and 3 others".
std::string listed(const std::set<std::string> &Names) {
  constexpr size_t Most = 5;
  std::string Out;
  size_t Shown = 0;
  for (const std::string &Name : Names) {
    if (Shown == Most)
      return Out + " and " + counted(Names.size() - Shown, "other");
    Out += (Shown++ ? ", '" : "'") + Name + "'";
  }
  return Out;
}

void printBudgets(const CheckReport &Report) {
  for (const auto &[Over, Functions] : Report.OverBudget) {
    std::cerr << "over the budget " << nameOf(Over) << " (" << describe(Over) << "):\n";
    for (const std::string &Function : Functions)
      std::cerr << "  " << (Function.empty() ? "(outside of functions)" : Function) << '\n';
  }
}

} // namespace

void printCutFunctions(const CheckReport &Report) {
  for (const auto &[Over, Functions] : Report.OverBudget)
    if (cutsFunction(Over))
      std::cerr << "tensorleak: " << counted(Functions.size(), "function")
                << (Functions.size() == 1 ? " was" : " were")
                << " not analysed: " << listed(Functions) << " (" << describe(Over) << ")\n";
}

void printStats(const CheckReport &Report) {
  std::cerr << counted(Report.FunctionsAnalyzed, "function") << " analysed, "
            << counted(Report.Silenced, "finding") << " silenced by NOLINT, "
            << counted(Report.Set.Notifications.size(), "file") << " parsed in part, "
            << counted(Report.Parses, "parse") << " in all\n";
  for (const auto &[Reason, Functions] : Report.Skipped) {
    std::cerr << counted(Functions.size(), "function") << " not analysed (" << Reason << "):\n";
    for (const std::string &Function : Functions)
      std::cerr << "  " << Function << '\n';
  }
  printBudgets(Report);
}

void sayWhoseHeaders(const CheckReport &Report) {
  if (Report.WithoutPython)
    std::cerr << "tensorleak: no Python.h found; bundled declarations of pybind11 are used\n";
  if (Report.BundledCuda)
    std::cerr << "tensorleak: no CUDA toolkit found; bundled declarations are used\n";
  if (Report.BundledInstead)
    std::cerr << "tensorleak: " << counted(Report.BundledInstead, "file")
              << " read with bundled declarations of CUDA: the toolkit's give more errors\n";
}

} // namespace tensorleak
