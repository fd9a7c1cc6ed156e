//===-- TidyConfig.h - What a .clang-tidy file says of our rules -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage driver, before a unit's analysis. One configuration for editor, CI and tool:
// the nearest .clang-tidy above a file, over those above it where it says
// InheritParentConfig. clang-tidy's own code reads and merges them. Ours is that all
// rules are on unless a file names one (a project that lists other tools' checks after
// '-*' has said nothing about ours), and that a broken file ends the check: clang-tidy
// warns and goes on without it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_DRIVER_TIDYCONFIG_H
#define TENSORLEAK_CHECKS_DRIVER_TIDYCONFIG_H

#include "clang-tidy/ClangTidyOptions.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace tensorleak {

/// \throws RequestError when a .clang-tidy file cannot be read or parsed.
clang::tidy::ClangTidyOptions tidyConfigFor(llvm::StringRef File);

/// What one file says. \p Path is for the message. A key that this version of clang-tidy
/// does not know is skipped: the file may be written for another.
clang::tidy::ClangTidyOptions parseTidyConfig(llvm::StringRef Text, llvm::StringRef Path);

/// As clang-tidy reads a yes or no.
inline bool isTrue(llvm::StringRef Value) {
  return Value.equals_insensitive("true") || Value == "1";
}

/// The globs of `Checks` that name our rules, in their order: '*' and '-*' are about
/// other checks.
std::string globsOfOurRules(const clang::tidy::ClangTidyOptions &Config);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_DRIVER_TIDYCONFIG_H
