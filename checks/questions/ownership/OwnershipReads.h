//===-- OwnershipReads.h - What an expression says of objects ---------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_QUESTIONS_OWNERSHIP_OWNERSHIPREADS_H
#define TENSORLEAK_CHECKS_QUESTIONS_OWNERSHIP_OWNERSHIPREADS_H

#include "clang/AST/ExprCXX.h"

namespace tensorleak {

/// Of the object whose member \p M is.
clang::QualType classAround(const clang::MemberExpr &M);
/// Not for an expression without a type, as in code that does not compile.
bool isPointerToObject(clang::QualType T);
/// Nothing: also what a method like clear() leaves.
bool isNull(const clang::Expr *Value);
/// `new`, or std::make_shared.
bool isNew(const clang::Expr *Made);
/// \p F returns what \p D names.
bool returnsVariable(const clang::FunctionDecl &F, const clang::Decl *D);

/// A std::function, or a container of such.
bool holdsFunctions(clang::QualType T);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_QUESTIONS_OWNERSHIP_OWNERSHIPREADS_H
