//===-- Options.h - What an analysis is asked for, and what it counted ----===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_OPTIONS_H
#define TENSORLEAK_CHECKS_OPTIONS_H

#include "checks/Budgets.h"
#include "checks/project/ProjectFacts.h"
#include "findings/Finding.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace clang {
class FunctionDecl;
} // namespace clang

namespace tensorleak {

/// A rule of Checks.def.
struct RuleDescription {
  llvm::StringRef Name;
  Kind TheKind;     ///< of most of its findings
  int64_t MinBytes; ///< a peak below it is not reported, where its size is known
  llvm::StringRef Summary;
};
llvm::ArrayRef<RuleDescription> allRules();
const RuleDescription &describeRule(llvm::StringRef Name);

enum class Understanding : uint8_t {
  Whole,
  /// Names that no header declares are declared by stand-ins, or the file is half typed: what is
  /// found is a note.
  WithStandIns,
  /// Parts are missing. What such a function does is not known to its callers; what it keeps is a
  /// note, and what it does not free or reset is not said.
  InPart,
};

struct AnalyzerOptions {
  /// Whether a rule runs. Default: all of them.
  std::function<bool(llvm::StringRef Rule)> IsEnabled = [](llvm::StringRef) { return true; };
  /// Bounds that the user gave, by rule; the others have RuleDescription's.
  std::map<std::string, int64_t> MinBytes;
  int64_t minBytes(llvm::StringRef Rule) const;
  /// Instead of those of Budgets.def.
  BudgetLimits Limits;
  /// How much of a function the compiler's tree has.
  std::function<Understanding(const clang::FunctionDecl &)> Understood =
      [](const clang::FunctionDecl &) { return Understanding::Whole; };
  /// What the other files of the project say; null: there are none.
  ProjectView *Project = nullptr;
  /// Where to put what they want to know of this one; null: nobody does.
  FileFacts *Exports = nullptr;
};

/// A function that is not analysed, or not as a whole.
struct SkippedFunction {
  std::string Name;
  std::string Reason; ///< such as "compiler errors"
};

/// What one unit's analysis did, for `--stats`.
struct AnalyzerStats {
  unsigned FunctionsAnalyzed = 0;
  unsigned Parses = 0; ///< a unit that lacks headers is parsed again
  std::vector<SkippedFunction> Skipped;
  BudgetUse OverBudget;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_OPTIONS_H
