//===-- Handlers.h - What runs after an exception ---------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_SOURCE_HANDLERS_H
#define TENSORLEAK_CHECKS_SOURCE_HANDLERS_H

#include "clang/AST/Decl.h"
#include "clang/AST/StmtCXX.h"

namespace tensorleak {

/// Whether what runs in \p F after an exception in the block of \p Try names \p Variable: a
/// handler, what comes after it, or another round of a loop around all of it.
bool mayBeNamedAfterThrow(const clang::ValueDecl &Variable, const clang::CXXTryStmt &Try,
                          const clang::FunctionDecl &F);

/// Whether each `throw` in the block of \p Try goes on in one of its handlers.
bool catchesAllThrown(const clang::CXXTryStmt &Try);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_SOURCE_HANDLERS_H
