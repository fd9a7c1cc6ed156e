//===-- Sarif.h - The exchange format: SARIF 2.1.0 ------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings travel as SARIF 2.1.0. What SARIF has no field for sits in
// `result.properties`: `kind`, `level`, `bytes`, `bytesFormula`, `verdict`, `evidence`
// (`bytesPerStep`, `hostBytesPerStep`, `totalBytes`, `peakBytes`,
// `nodesPerStep`, `steps`, `holder`, `reason`) and `subject`, what the verifier needs to know of
// the source. A rule's page is its `help`, as `tensorleak explain` prints it; `helpUri` is left
// out, since the pages have no address that holds everywhere. The files' SHA-256 go into
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

nlohmann::json toSarif(const FindingSet &Set);

/// Reads a SARIF log, ours or one that only has the standard fields.
/// \throws std::runtime_error with a sentence that says what is wrong and where.
FindingSet fromSarif(const nlohmann::json &Log);

/// Reads a file. \throws std::runtime_error with one clear sentence that names it.
FindingSet readSarifFile(const std::string &Path);

} // namespace tensorleak

#endif // TENSORLEAK_FINDINGS_SARIF_H
