//===-- GivenFindings.h - The findings that a run is to judge -------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TOOL_VERDICTS_GIVENFINDINGS_H
#define TENSORLEAK_TOOL_VERDICTS_GIVENFINDINGS_H

#include "Command.h"
#include "findings/Sarif.h"

#include <string>
#include <vector>

namespace tensorleak {

struct GivenFindings {
  std::string File;              ///< SARIF; "" if none are given
  std::vector<std::string> Maps; ///< FROM=TO
};

/// Adds --findings, which it returns, and --source-map.
CLI::Option *addFindingsOptions(CLI::App &Command, GivenFindings &Given);

/// \p SourceRoot as readSarifFile wants it. \throws UsageError
FindingSet readFindings(const GivenFindings &Given, const std::string &SourceRoot);

} // namespace tensorleak

#endif // TENSORLEAK_TOOL_VERDICTS_GIVENFINDINGS_H
