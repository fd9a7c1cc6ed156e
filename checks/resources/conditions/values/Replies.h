//===-- Replies.h - What a function returns for zero and for others --------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_CONDITIONS_VALUES_REPLIES_H
#define TENSORLEAK_CHECKS_RESOURCES_CONDITIONS_VALUES_REPLIES_H

#include "clang/AST/Expr.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tensorleak {

/// What a function returns as far as one argument decides it.
struct Reply {
  enum Kind { Unknown, Constant, TheArgument, Nothing };
  Kind Is = Unknown; ///< Nothing: it throws, or ends the program
  int64_t Value = 0; ///< of a constant

  bool isKnown() const { return Is == Constant || Is == TheArgument; }
  bool operator==(const Reply &Other) const { return Is == Other.Is && Value == Other.Value; }
};

/// `bool succeeded(cudaError_t e) { if (e == cudaSuccess) return true; log(e); return false; }`.
struct Replies {
  Reply OnZero, OnOther;

  /// Whether the result tells which of the two the argument was.
  bool tellApart() const { return OnZero.isKnown() && OnOther.isKnown() && !(OnZero == OnOther); }
};

/// By the \p Body of the function whose parameter \p Argument is, where it says so whatever else
/// there is.
Replies repliesTo(const clang::ParmVarDecl &Argument, const clang::Stmt &Body);

using GivenVisitor = llvm::function_ref<void(const clang::ParmVarDecl &, const clang::Expr &Value,
                                             const clang::Stmt &Body)>;
/// What \p Call gives to each parameter, where it is seen which body runs.
void forEachGiven(const clang::CallExpr &Call, GivenVisitor Visit);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_CONDITIONS_VALUES_REPLIES_H
