//===-- MissingRelease.h - Writes the call that frees ----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fix-it for device memory that a function takes and never frees: the call, at the
// function's only way out.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RULES_UNFREED_DEVICE_MEMORY_MISSINGRELEASE_H
#define TENSORLEAK_CHECKS_RULES_UNFREED_DEVICE_MEMORY_MISSINGRELEASE_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/Diagnostic.h"
#include <optional>
#include <vector>

namespace tensorleak {

/// Memory that `Take` stores in `Holder`, and `Release` frees.
struct Unreleased {
  const clang::VarDecl *Holder;
  const clang::Expr *Take;
  llvm::StringRef Release;
};

/// Whether a call at the end of \p Function frees it and changes nothing else: the
/// function has one way out, which uses no pointer, takes the memory whatever happens,
/// and never changes the variable.
bool canRelease(const clang::FunctionDecl &Function, const Unreleased &What);

/// Frees all of these, in their order, at the end of \p Function.
std::optional<clang::FixItHint> releaseAtEnd(const clang::FunctionDecl &Function,
                                             const std::vector<Unreleased> &All);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RULES_UNFREED_DEVICE_MEMORY_MISSINGRELEASE_H
