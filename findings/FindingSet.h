//===-- FindingSet.h - Findings, and the sources they were found in ---------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_FINDINGS_FINDINGSET_H
#define TENSORLEAK_FINDINGS_FINDINGSET_H

#include "findings/Finding.h"

#include <map>

namespace tensorleak {

/// What a report says of a rule.
struct RuleInfo {
  std::string Id;
  std::string Summary;
  std::string HelpUri;
  std::string Description;                    ///< one paragraph
  std::string Help;                           ///< the whole page as Markdown
  std::optional<Kind> TheKind = std::nullopt; ///< of most of its findings
  Level TheLevel = Level::Warning;            ///< of its findings, unless they say otherwise
};

/// Findings, and the state of the sources they were found in.
struct FindingSet {
  std::vector<Finding> Findings;
  std::vector<Finding> HeldBack; ///< notes that nobody asked for: only a run looks at them
  std::vector<RuleInfo> Rules;
  /// Absolute path to the SHA-256 of the file's content, in lower-case hex.
  std::map<std::string, std::string> SourceHashes;
  /// What the analysis could not see.
  std::vector<std::string> Notifications;
};

/// The same with what was held back among the findings, and marked so: for a run to judge.
FindingSet withHeldBack(FindingSet Set);

/// SHA-256 in lower-case hex.
std::string hashText(std::string_view Text);
/// The same of a file's content, or nothing if it cannot be read.
std::optional<std::string> hashFile(const std::string &Path);

/// The files whose content is not what it was when the findings were made.
std::vector<std::string> changedSources(const FindingSet &Set);

} // namespace tensorleak

#endif // TENSORLEAK_FINDINGS_FINDINGSET_H
