//===-- Rules.h - The rules of the registry, as classes --------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One class per line of Checks.def. checks/rules/<name>/<Class>.cpp defines its check().
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RULES_RULES_H
#define TENSORLEAK_CHECKS_RULES_RULES_H

#include "checks/rules/Rule.h"

namespace tensorleak {

#define TENSORLEAK_CHECK(Class, RuleName, TheKind, MinBytes, Summary)                              \
  class Class : public Rule {                                                                      \
  public:                                                                                          \
    static constexpr llvm::StringLiteral Name = RuleName;                                          \
    void check(FileAnalyses &File, std::vector<Diagnosis> &Out) override;                          \
  };
#include "findings/Checks.def"

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RULES_RULES_H
