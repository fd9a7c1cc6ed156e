//===-- Sarif.h - The exchange format: SARIF 2.1.0 ------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings travel as SARIF 2.1.0, in the way that GitHub's code scanning shows: paths relative
// to %SRCROOT%, the rest of what its documentation asks for, and no more than it takes.
// What SARIF has no field for sits in `result.properties`: `kind`, `level`, `bytes`,
// `bytesFormula`, `verdict`, `evidence` (`bytesPerStep`, `hostBytesPerStep`, `totalBytes`,
// `peakBytes`, `nodesPerStep`, `steps`, `per`, `holder`, `reason`) and `subject`, what the verifier
// needs to know of the source. After a run `result.level` and `message` tell the verdict, and
// `properties.level` and `message` what the finding said before. A rule's page is its `help`,
// as `tensorleak explain` prints it. Notes that were held back are results in the properties of
// the run (`heldBack`), where nobody but our own run looks for any. The files' SHA-256 go into
// `artifacts[].hashes`, so that a run can tell that the source has changed since.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_FINDINGS_SARIF_H
#define TENSORLEAK_FINDINGS_SARIF_H

#include "findings/FindingSet.h"

#include <nlohmann/json.hpp>

namespace tensorleak {

/// The name of our fingerprints among SARIF's partialFingerprints.
inline constexpr char SarifFingerprintKey[] = "tensorleak/v1";

/// What a run measured, as it stands in a result's properties.
nlohmann::json toJson(const Evidence &E);

/// What a log says beside its findings.
struct SarifContext {
  std::string SourceRoot = {}; ///< absolute; files below it are told relative to it
  std::string Category = {};   ///< of several logs of one commit
  std::string DocsUrl = {};    ///< where docs/ stands on the web: the rules' pages are below it
};

/// The page of \p Rule below \p DocsUrl, the address of docs/.
std::string rulePage(const std::string &DocsUrl, const std::string &Rule);

nlohmann::json toSarif(const FindingSet &Set, const SarifContext &Context = {});

/// Reads a SARIF log, ours or one that only has the standard fields. Files come back as
/// absolute paths; \p SourceRoot replaces the log's own %SRCROOT% unless it is empty.
/// \throws std::runtime_error with a sentence that says what is wrong and where.
FindingSet fromSarif(const nlohmann::json &Log, const std::string &SourceRoot = "");

/// Reads a file. \throws std::runtime_error with one clear sentence that names it.
FindingSet readSarifFile(const std::string &Path, const std::string &SourceRoot = "");

} // namespace tensorleak

#endif // TENSORLEAK_FINDINGS_SARIF_H
