//===-- References.h - Variables that are second names ---------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_SOURCE_REFERENCES_H
#define TENSORLEAK_CHECKS_SOURCE_REFERENCES_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseSet.h"

namespace tensorleak {

using Variables = llvm::DenseSet<const clang::ValueDecl *>;

/// What a reference was bound to; null for other variables, and where it keeps a temporary alive.
const clang::Expr *boundTo(const clang::ValueDecl &D);

/// The address that a pointer begins with, `&x`; null for other variables.
const clang::Expr *pointedTo(const clang::ValueDecl &D);

/// The local pointers below \p Body that begin with an address, and that nothing is ever done with
/// but to go where they point: `x` by another name.
Variables pointersThatAreNames(const clang::Stmt &Body);

/// The variable or parameter of the function's own that \p E reads, where all below \p Body only
/// read it; null for none.
const clang::VarDecl *unchangedVariable(const clang::Expr &E, const clang::Stmt &Body);

/// The variable of the function's own that \p E reads, which nothing below \p Body gives another
/// value than it begins with; null for none.
const clang::VarDecl *constantName(const clang::Expr &E, const clang::Stmt &Body);

/// The variable that \p E names, by itself or as one of its structured bindings; null for others.
const clang::VarDecl *variableRead(const clang::Expr &E);

/// The variable or member that \p E names; null for other expressions. \p E may be null.
const clang::ValueDecl *variableOrMember(const clang::Expr *E);

/// The member of `this` that \p E names; null for other expressions. \p E may be null.
const clang::FieldDecl *memberOfThis(const clang::Expr *E);

/// What \p F does nothing but return a name of: `static Table all; return all;`, `return rows_;`.
/// A variable that outlives the call, or a member of `this`; null for others, and where another
/// function may be the one that runs.
const clang::ValueDecl *returnedPlace(const clang::FunctionDecl &F);

/// All that \p F returns is a reference to its own object: `return *this;`.
bool returnsItself(const clang::FunctionDecl &F);

/// The one variable, of a function's own or a parameter, on which \p E depends; null for none, for
/// several, and where that is not seen: of members, globals, and calls that are given nothing.
const clang::VarDecl *onlyVariable(const clang::Expr &E);

/// Adds to \p Names what the references among them were bound to, and what the pointers began
/// with: whoever names one of these names that.
void addReferents(Variables &Names);

/// \p Named is \p Variable, or a reference or structured binding of it or of a part of it.
bool isNameOf(const clang::ValueDecl &Named, const clang::ValueDecl &Variable);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_SOURCE_REFERENCES_H
