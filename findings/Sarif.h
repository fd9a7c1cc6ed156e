//===-- Sarif.h - The exchange format: SARIF 2.1.0 ------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings travel as SARIF 2.1.0. What SARIF has no field for sits in
// `result.properties`: `kind`, `level`, `bytes`, `bytesFormula`, `verdict`, `evidence`
// (`bytesPerStep`, `hostBytesPerStep`, `totalBytes`, `peakBytes`,
// `nodesPerStep`, `steps`, `holder`, `reason`) and `subject`, what the verifier needs to know of the
// source. A rule's page is its `help`, as `tensorleak explain` prints it; `helpUri` is left
// out, since the pages have no address that holds everywhere. The files' SHA-256 go into `artifacts[].hashes`, so that a run can
// tell that the source has changed since.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_FINDINGS_SARIF_H
#define TENSORLEAK_FINDINGS_SARIF_H

#include "findings/Finding.h"

#include <iosfwd>
#include <map>
#include <nlohmann/json.hpp>

namespace tensorleak {

/// A rule as SARIF's tool.driver.rules lists it.
struct RuleInfo {
  std::string Id;
  std::string Summary;
  std::string HelpUri;
  std::string Description; ///< one paragraph; fullDescription
  std::string Help;        ///< the whole page as Markdown; help
};

/// One SARIF log: findings, and the state of the sources they were found in.
struct FindingSet {
  std::vector<Finding> Findings;
  std::vector<RuleInfo> Rules;
  /// Absolute path to the SHA-256 of the file's content, in lower-case hex.
  std::map<std::string, std::string> SourceHashes;
  /// What the analysis could not see; SARIF toolExecutionNotifications.
  std::vector<std::string> Notifications;
};

nlohmann::json toSarif(const FindingSet &Set);

/// Reads a SARIF log, ours or one that only has the standard fields.
/// \throws std::runtime_error with a sentence that says what is wrong and where.
FindingSet fromSarif(const nlohmann::json &Log);

/// Reads and writes files. \throws std::runtime_error with one clear sentence
/// that names the file.
FindingSet readSarifFile(const std::string &Path);
void writeSarifFile(const FindingSet &Set, const std::string &Path);

/// SHA-256 of a file's content in hex, or nothing if it cannot be read.
std::optional<std::string> hashFile(const std::string &Path);

/// The files whose content is not what it was when the findings were made.
std::vector<std::string> changedSources(const FindingSet &Set);

} // namespace tensorleak

#endif // TENSORLEAK_FINDINGS_SARIF_H
