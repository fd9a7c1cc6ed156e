//===-- CallOrder.h - Who calls a function, and what comes before ----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. Questions about the calls of a function that takes something out of a
// container: whether its caller comes there again, and with what it has done before.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_RECORDS_REMOVED_CALLORDER_H
#define TENSORLEAK_CHECKS_RESOURCES_RECORDS_REMOVED_CALLORDER_H

#include "clang/AST/Decl.h"

namespace tensorleak {

/// A loop of \p Caller calls \p Callee again and again, for one object where it is a method, and
/// does nothing between two calls that \p Undoes.
bool callsAgain(const clang::FunctionDecl &Caller, const clang::FunctionDecl &Callee,
                llvm::function_ref<bool(const clang::Stmt &)> Undoes);

/// \p Caller may come to \p Callee after \p Before, a part of it: by a call behind that, by one in
/// a loop around both, or by one that nobody sees.
bool mayCallAfter(const clang::FunctionDecl &Caller, const clang::FunctionDecl &Callee,
                  const clang::Stmt &Before);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_RECORDS_REMOVED_CALLORDER_H
