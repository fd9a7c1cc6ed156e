//===-- RulePages.h - The rules' pages, as text ----------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/rules/NAME.md of every rule of findings/Checks.def; cmake/RulePages.cmake
// makes the definitions.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TOOL_RULEPAGES_H
#define TENSORLEAK_TOOL_RULEPAGES_H

#include <string>
#include <string_view>
#include <vector>

namespace tensorleak {

struct RulePage {
  std::string_view Name;
  std::string_view Summary;
  std::string_view Text; ///< Markdown
};

/// In the order of the registry.
const std::vector<RulePage> &rulePages();

/// The paragraph below a page's title, on one line.
std::string descriptionOf(const RulePage &Page);

} // namespace tensorleak

#endif // TENSORLEAK_TOOL_RULEPAGES_H
