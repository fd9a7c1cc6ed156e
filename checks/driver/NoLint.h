//===-- NoLint.h - Findings that a comment in the source silences ----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage driver, after all units. NOLINT, NOLINTNEXTLINE and NOLINTBEGIN to
// NOLINTEND, each with an optional list of globs, mean what they mean to
// clang-tidy, so that a comment works in the editor, in CI and here.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_DRIVER_NOLINT_H
#define TENSORLEAK_CHECKS_DRIVER_NOLINT_H

#include "clang-tidy/GlobList.h"
#include "findings/Finding.h"
#include <memory>
#include <string>
#include <vector>

namespace tensorleak {

/// The NOLINT comments of one file.
class NoLintComments {
public:
  explicit NoLintComments(llvm::StringRef Text);

  /// Whether a comment silences \p Rule at \p Line.
  bool silence(llvm::StringRef Rule, unsigned Line) const;

private:
  /// The rules named in a comment; null: all of them.
  using RuleList = std::shared_ptr<const clang::tidy::GlobList>;
  struct Region {
    unsigned Begin, End; ///< lines, both included
    RuleList Rules;
  };
  struct OpenBlock {
    unsigned Line;
    std::string Globs;
  };

  void readLine(llvm::StringRef Line, unsigned Number);
  void closeBlock(llvm::StringRef Globs, const RuleList &Rules, unsigned Line);

  std::vector<Region> Regions;
  std::vector<OpenBlock> Open;
};

/// Removes what a comment in the finding's file silences; returns how many.
unsigned removeSilenced(std::vector<Finding> &Findings);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_DRIVER_NOLINT_H
