//===-- TidyConfig.h - What a .clang-tidy file says of our rules -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage frontend, before a unit's analysis. One configuration for editor, CI and
// tool: the nearest .clang-tidy above a file, and those above it where it says
// InheritParentConfig. All rules are on unless it names one: a project that
// lists other tools' checks after '-*' has said nothing about ours.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_TIDYCONFIG_H
#define TENSORLEAK_CHECKS_FRONTEND_TIDYCONFIG_H

#include "llvm/ADT/StringRef.h"
#include <map>
#include <optional>
#include <string>

namespace tensorleak {

struct TidyConfig {
  /// The globs of `Checks` that name our rules, in their order.
  std::string Checks;
  /// CheckOptions of our rules: "tensor-out-of-place-op.MinBytes" to its value.
  std::map<std::string, std::string> Options;
  std::optional<std::string> HeaderFilter, ExcludeHeaderFilter;
  /// Globs of rules, others' too.
  std::string WarningsAsErrors;
};

/// \throws RequestError when a .clang-tidy file is not YAML.
TidyConfig tidyConfigFor(llvm::StringRef File);

/// What one file says, and whether it inherits. \p Path is for the message.
TidyConfig parseTidyConfig(llvm::StringRef Text, llvm::StringRef Path, bool &Inherits);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_TIDYCONFIG_H
