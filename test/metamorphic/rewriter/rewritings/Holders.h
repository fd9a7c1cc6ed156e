//===-- Holders.h - Where something is put into a holder ----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TEST_METAMORPHIC_REWRITER_REWRITINGS_HOLDERS_H
#define TENSORLEAK_TEST_METAMORPHIC_REWRITER_REWRITINGS_HOLDERS_H

#include "test/metamorphic/rewriter/Unit.h"

namespace tensorleak::rewriter {

/// A statement that puts something into a container, a tensor or a pointer.
struct Store {
  const clang::Stmt *Statement;
  const clang::Expr *Holder;
  const clang::Expr *Value; ///< what is put there, where it is one expression
};

/// Stores that are statements of their own.
std::vector<Store> storesIn(const Unit &U, const clang::FunctionDecl &Function);

/// Whether reading \p E again changes nothing: a variable, a field.
bool isPlace(const clang::Expr *E);

} // namespace tensorleak::rewriter

#endif // TENSORLEAK_TEST_METAMORPHIC_REWRITER_REWRITINGS_HOLDERS_H
