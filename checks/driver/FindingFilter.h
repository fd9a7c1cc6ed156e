//===-- FindingFilter.h - Which findings are reported, and as errors -------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage driver, after a unit's analysis: HeaderFilterRegex,
// ExcludeHeaderFilterRegex, WarningsAsErrors and the option Notes of .clang-tidy, as
// clang-tidy means them. Without a filter every header of the user's is reported on.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_DRIVER_FINDINGFILTER_H
#define TENSORLEAK_CHECKS_DRIVER_FINDINGFILTER_H

#include "clang-tidy/ClangTidyOptions.h"
#include "findings/Finding.h"
#include <optional>
#include <string>
#include <vector>

namespace tensorleak {

class FindingFilter {
public:
  /// \throws RequestError when a filter is no regular expression.
  explicit FindingFilter(const clang::tidy::ClangTidyOptions &Config);

  void apply(const std::string &MainFile, std::vector<Finding> &Findings) const;

private:
  bool isWanted(const std::string &File) const;
  bool showsNotesOf(llvm::StringRef Rule) const;

  std::optional<std::string> Headers, ExcludedHeaders;
  std::string AsErrors;
  clang::tidy::ClangTidyOptions::OptionMap Options;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_DRIVER_FINDINGFILTER_H
