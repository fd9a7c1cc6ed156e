//===-- Statements.h - Looks below a statement ----------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_SOURCE_STATEMENTS_H
#define TENSORLEAK_CHECKS_SOURCE_STATEMENTS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tensorleak {

/// Whether \p S, or a statement below it, is one that \p Wanted accepts. \p S may be null.
bool anyBelow(const clang::Stmt *S, llvm::function_ref<bool(const clang::Stmt &)> Wanted);

/// The same of the body of \p F and of a constructor's initializers.
bool anyIn(const clang::FunctionDecl &F, llvm::function_ref<bool(const clang::Stmt &)> Wanted);

/// Whether \p S may run its body again: `do { } while (0)` does not, which macros stand in.
bool isLoop(const clang::Stmt &S);

/// The innermost loop in \p Body around \p Part; null for none.
const clang::Stmt *loopAround(const clang::Stmt *Body, const clang::Stmt &Part);

/// What `for` and `while` repeat; null for other statements, `do` too.
const clang::Stmt *loopBody(const clang::Stmt &Loop);

/// Whether \p S gives a variable that stands below it no chance to change: it reads the value,
/// or goes on with a reference that nothing can be written through.
bool onlyReads(const clang::Stmt &S);

/// `return`, `break`, `throw` and the like, or a block that ends with one: what stands behind does
/// not run. \p S may be null.
bool endsByLeaving(const clang::Stmt *S);

/// Whether \p Part is \p S or below it.
bool contains(const clang::Stmt *S, const clang::Stmt *Part);

/// Calls \p Visit for \p S, and before that for the parts of what a lambda yields that it calls
/// at once (yieldedAtOnce), in the order in which they are evaluated.
void forEachEvaluated(const clang::Stmt &S, llvm::function_ref<void(const clang::Stmt &)> Visit);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_SOURCE_STATEMENTS_H
