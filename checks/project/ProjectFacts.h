//===-- ProjectFacts.h - What files tell each other -----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One file's analysis exports what the others want to know of it: what its
// functions do, how it calls theirs, and where its shared variables end up. The
// values are JSON, and declarations go by their USR, so that they can cross files
// and be kept between runs.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_PROJECT_PROJECTFACTS_H
#define TENSORLEAK_CHECKS_PROJECT_PROJECTFACTS_H

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace tensorleak {

/// What one file exports. A key is what the value is about, and of what.
using FileFacts = std::map<std::string, nlohmann::json>;

// The kinds of facts: the first word of a key. The rest is a USR.
constexpr const char *FunctionFact = "function ";   ///< ImportedFunction
constexpr const char *ResourcesFact = "resources "; ///< ResourceSummary
constexpr const char *CallsFact = "calls ";         ///< CallContext
/// CallContext of a function that no other file has said anything of yet.
constexpr const char *UnseenCallsFact = "unseen calls ";
constexpr const char *RecordFact = "record ";     ///< see RecordElsewhere
constexpr const char *VariableFact = "variable "; ///< SharedState, as bits

/// What becomes of a field or a global, beyond Fate (Flow.h).
enum SharedState : unsigned { IsShrunk = 1u << 8, IsFrozen = 1u << 9 };

/// What one file is told of the others.
class ProjectView {
public:
  virtual ~ProjectView() = default;
  /// Null where no other file says anything, or where they contradict each other.
  virtual nlohmann::json ask(const std::string &Key) = 0;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_PROJECT_PROJECTFACTS_H
