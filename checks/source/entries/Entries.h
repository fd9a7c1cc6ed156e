//===-- Entries.h - Which entry is filled, and whether it was there ---------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read off the words: `it = all.find(key); if (it == all.end()) all[key] = p;`.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_SOURCE_ENTRIES_ENTRIES_H
#define TENSORLEAK_CHECKS_SOURCE_ENTRIES_ENTRIES_H

#include "checks/source/Expressions.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallVector.h"

namespace tensorleak {

/// Where \p Store puts something: what it assigns to, or the arguments of a call that may fill it.
llvm::SmallVector<const clang::Expr *, 2> targetsOf(const clang::Stmt &Store);

/// What \p E asks, where it is the name of a condition: `const bool isThere = ...; if (isThere)`.
const clang::Expr *behindName(const clang::Expr *E, const clang::Stmt &Body);

struct Comparison {
  const clang::Expr *Left = nullptr, *Right = nullptr;
  bool IsEqual = false; ///< for equality
};
/// `a == b` or `a != b`; nothing for other expressions.
Comparison equalityOf(const clang::Expr &E);

/// The name of the method of a container of the library that \p Call calls; empty for others.
llvm::StringRef methodOfLibrary(const clang::CXXMemberCallExpr &Call);

/// `all[key]`, `all.at(key)`.
ElementNamed entryNamed(const clang::Expr &E);

/// The entry that \p Store puts something into, or into a part of it.
ElementNamed entryFilledBy(const clang::Stmt &Store);

/// What asks whether one entry of a container is there. \p Body is where names stand for what they
/// begin with.
class KeySearch {
public:
  KeySearch(const ElementNamed &Entry, const clang::Stmt &Body, const clang::ASTContext &Context)
      : Entry(Entry), Body(Body), Context(Context) {}

  bool isOfContainer(const clang::Expr *Base) const { return isSame(Base, Entry.Base); }
  bool names(const ElementNamed &Other) const {
    return isOfContainer(Other.Base) && isSame(Other.Key, Entry.Key);
  }
  /// `all.find(key)`.
  bool isSearch(const clang::Expr *E) const;
  /// The iterator that such a search gave, where \p E names it.
  const clang::VarDecl *iterator(const clang::Expr *E) const;
  /// What \p E says if the entry is there: `it != all.end()`, `all.count(key)`; nothing for another
  /// question.
  std::optional<bool> answerIfFound(const clang::Expr *E) const;

private:
  bool isSame(const clang::Expr *A, const clang::Expr *B) const;
  std::optional<bool> answerOfCall(const clang::CXXMemberCallExpr &Call) const;
  std::optional<bool> answerOfNumber(const clang::BinaryOperator &B) const;

  ElementNamed Entry;
  const clang::Stmt &Body;
  const clang::ASTContext &Context;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_SOURCE_ENTRIES_ENTRIES_H
