//===-- Rules.h - Rules in a SARIF log ------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_FINDINGS_SARIF_RULES_H
#define TENSORLEAK_FINDINGS_SARIF_RULES_H

#include "findings/FindingSet.h"

#include <nlohmann/json.hpp>

namespace tensorleak {

/// With the page itself. \p DocsUrl is where docs/ stands on the web: there is a helpUri only
/// where there is one, or where the rule has its own.
nlohmann::json ruleToSarif(const RuleInfo &R, const std::string &DocsUrl);

RuleInfo ruleFromSarif(const nlohmann::json &R);

} // namespace tensorleak

#endif // TENSORLEAK_FINDINGS_SARIF_RULES_H
