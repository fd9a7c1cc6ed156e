//===-- SourceText.h - Lines of the user's sources, for a report -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPORT_PAGE_SOURCETEXT_H
#define TENSORLEAK_RUNTIME_REPORT_PAGE_SOURCETEXT_H

#include "findings/FindingSet.h"
#include "findings/files/SourceLines.h"

namespace tensorleak {

/// Some lines that follow each other.
struct Excerpt {
  unsigned First = 0; ///< the number of the first; 0 if there are none
  std::vector<std::string> Lines;
};

/// What a fix makes of the lines that it touches.
struct AppliedFix {
  unsigned First = 0;
  std::vector<std::string> Before, After;
};

class SourceText {
public:
  explicit SourceText(SourceLines Sources = SourceLines()) : Sources(std::move(Sources)) {}

  /// The line, cut where it is very long; "" if it is not known.
  std::string line(const Location &Where);
  /// It and \p Around lines on either side.
  Excerpt excerpt(const Location &Where, unsigned Around);
  /// Nothing where a part of the fix lies outside of the file that is there now.
  std::optional<AppliedFix> apply(const std::vector<FixIt> &Fixes);

private:
  SourceLines Sources;
};

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPORT_PAGE_SOURCETEXT_H
