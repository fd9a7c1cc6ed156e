//===-- RuleNames.h - The rules' names as constants ------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For those who ask which rule a finding is of. No other file spells a rule's name.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_FINDINGS_RULENAMES_H
#define TENSORLEAK_FINDINGS_RULENAMES_H

#include <string_view>

namespace tensorleak {

/// What the name of each rule begins with.
inline constexpr char RulePrefix[] = "tensor-";

namespace rules {
#define TENSORLEAK_CHECK(Class, Name, TheKind, MinBytes, Summary)                                  \
  inline constexpr char Class[] = Name;
#include "findings/Checks.def"

/// Growth that a run saw and that no finding speaks of. No check looks for it.
inline constexpr char ObservedGrowth[] = "tensor-observed-growth";
/// What a run saw the program ask CUDA for, and never give back. No check looks for it.
inline constexpr char ObservedUnfreed[] = "tensor-observed-unfreed";

/// Whether a run finds these, and no check.
inline bool isOfRuns(std::string_view Rule) {
  return Rule == ObservedGrowth || Rule == ObservedUnfreed;
}
} // namespace rules
} // namespace tensorleak

#endif // TENSORLEAK_FINDINGS_RULENAMES_H
