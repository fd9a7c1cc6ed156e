//===-- Expressions.h - What stands inside an expression ------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_SOURCE_EXPRESSIONS_H
#define TENSORLEAK_CHECKS_SOURCE_EXPRESSIONS_H

#include "clang/AST/Expr.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace clang {
class LambdaExpr;
}

namespace tensorleak {

/// \p E without what does not change which tensor it is: parentheses, casts, temporaries, and
/// copies and moves of a handle. Not std::move itself, which empties what it is given.
const clang::Expr *strip(const clang::Expr *E);
/// Whether an expression in \p S is one that \p Is accepts.
bool mentions(const clang::Stmt *S, llvm::function_ref<bool(const clang::Expr &)> Is);

/// \p E without what does not change which address it is: parentheses, casts of any kind,
/// temporaries, std::move, braces around a scalar, and a lambda around it that is called at once.
/// Not copies: the copy of an object owns what the other does not.
const clang::Expr *bare(const clang::Expr *E);

/// The lambda that \p E makes and calls: `[&] { ... }()`.
const clang::LambdaExpr *lambdaCalledAtOnce(const clang::Expr &E);
/// `[&] { return x; }()`: x, evaluated where the call stands. Null for other expressions, and
/// where parts of x have effects on some ways only: these are the lambda's own to tell.
const clang::Expr *yieldedAtOnce(const clang::Expr &E);

/// `*p` and `p->` of an object that is like a pointer; `a * b` is neither.
bool followsPointer(const clang::CXXOperatorCallExpr &Op);

/// What a call is made on: its object, or its first argument; null for no call.
const clang::Expr *objectOrFirst(const clang::Expr *Call);

/// `all[key]`: an element of an array or of an object that is like one.
struct ElementNamed {
  const clang::Expr *Base = nullptr; ///< null where it is not an element
  const clang::Expr *Key = nullptr;
};
ElementNamed elementNamed(const clang::Stmt &S);

/// What tells the constant key of an entry or element from others.
struct ConstantKey {
  int64_t Number;       ///< of a text one that no other text has
  llvm::StringRef Text; ///< empty for a number
};
/// Nothing for a \p Key that is not constant.
std::optional<ConstantKey> constantKey(const clang::Expr *Key, const clang::ASTContext &Context);

/// A call of the function \p Name of the standard library, and of no method.
bool callsStd(const clang::CallExpr &Call, llvm::StringRef Name);

/// std::move, std::forward and their kin.
bool yieldsItsArgument(const clang::CallExpr &Call);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_SOURCE_EXPRESSIONS_H
