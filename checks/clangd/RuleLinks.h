//===-- RuleLinks.h - Where the editor finds a rule's page ----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clangd links the name of each clang-tidy check to LLVM's website, where there is no page
// of ours.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_CLANGD_RULELINKS_H
#define TENSORLEAK_CHECKS_CLANGD_RULELINKS_H

#include "llvm/Support/JSON.h"

namespace tensorleak {

/// Gives each diagnostic of one of our rules in \p Published, the parameters of a
/// textDocument/publishDiagnostics, the address of its page: below what --docs-url or, when
/// tensorleak was built, TENSORLEAK_DOCS_URL says; else the file that is installed with the
/// tool. Where there is neither, the link goes.
void linkRules(llvm::json::Value &Published);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_CLANGD_RULELINKS_H
