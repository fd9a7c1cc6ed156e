//===-- Mentions.h - What the compiler's tree lacks ------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_SOURCE_MENTIONS_H
#define TENSORLEAK_CHECKS_SOURCE_MENTIONS_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tensorleak {

/// The text of \p F mentions \p D more often than the compiler's tree, which lacks what it
/// has not understood.
bool lacksMentionsOf(const clang::ValueDecl &D, const clang::FunctionDecl &F);

/// Likewise of all that has a name that \p IsMeant, in \p F and its initializers.
bool lacksMentionsOf(llvm::function_ref<bool(llvm::StringRef)> IsMeant,
                     const clang::FunctionDecl &F);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_SOURCE_MENTIONS_H
