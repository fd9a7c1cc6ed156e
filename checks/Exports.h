//===-- Exports.h - What this file tells the others -----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_EXPORTS_H
#define TENSORLEAK_CHECKS_EXPORTS_H

#include "checks/project/ProjectFacts.h"
#include "checks/resources/FileAnalyses.h"

namespace tensorleak {

FileFacts exportFacts(FileAnalyses &File);

/// Whether a fact of this key is of the kind.
bool isAbout(const std::string &Key, const char *Kind);

/// Two files' word on the same key, as one; null where they contradict each other.
nlohmann::json mergeFacts(const std::string &Key, const nlohmann::json &A, const nlohmann::json &B);

/// Says \p Value of \p Key in \p To, beside what is said there already.
void addFact(FileFacts &To, const std::string &Key, const nlohmann::json &Value);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_EXPORTS_H
