//===-- CountedLoops.h - Loops that count their rounds ------------*- C++ -*-===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. `for (int i = 0; i < n; ++i)`, and the same in other words: the counter
// begins in the statement before the loop, or runs on at the end of its body.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_FACTS_LOOPS_COUNTEDLOOPS_H
#define TENSORLEAK_CHECKS_RESOURCES_FACTS_LOOPS_COUNTEDLOOPS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include <optional>

namespace tensorleak {

struct CountedLoop {
  const clang::ValueDecl *Counter = nullptr;
  const clang::Expr *First = nullptr; ///< what the counter begins with
  const clang::Stmt *Begin = nullptr; ///< where
  const clang::Expr *Limit = nullptr;
  int64_t Ahead = 0;         ///< `i + 1 < n`
  bool ReachesLimit = false; ///< `i <= n`
  const clang::Stmt *Body = nullptr;
};

/// What \p Loop, in the function body \p Whole, counts; nothing where it does not count up by one.
std::optional<CountedLoop> countedLoop(const clang::Stmt &Loop, const clang::Stmt *Whole,
                                       const clang::ASTContext &Context);
/// How often it runs, ManyElements where that is not known.
unsigned roundsOf(const CountedLoop &Loop, const clang::ASTContext &Context);
/// `for (int i = n - 1; i >= 0; --i)`, `while (--i > 0)`.
struct CountedDown {
  const clang::ValueDecl *Counter = nullptr;
  const clang::Expr *Top = nullptr; ///< what the counter begins with
  const clang::Stmt *Begin = nullptr;
  const clang::Stmt *Body = nullptr;
  int64_t Last = 0;     ///< the lowest number that the body sees
  bool SeesTop = false; ///< the body sees Top itself, and not only what is below
};

/// As countedLoop, of a loop that counts down by one to a number that is known.
std::optional<CountedDown> countedDown(const clang::Stmt &Loop, const clang::Stmt *Whole,
                                       const clang::ASTContext &Context);

/// What a `for` or a `while` asks before each round; null for other loops, and where it asks
/// nothing.
const clang::Expr *conditionOf(const clang::Stmt &Loop);
/// The variable that \p E is.
const clang::ValueDecl *namedBy(const clang::Expr *E);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_FACTS_LOOPS_COUNTEDLOOPS_H
