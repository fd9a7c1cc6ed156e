//===-- RepeatedKeys.h - Elements that callers name by a key ----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_LOSSES_KEYS_REPEATEDKEYS_H
#define TENSORLEAK_CHECKS_RESOURCES_LOSSES_KEYS_REPEATEDKEYS_H

#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/SmallVector.h"

namespace tensorleak {

/// \p S is an `if` that asks about \p Member.
bool asksAbout(const clang::Stmt &S, const clang::FieldDecl &Member);

/// An element of a map that a function names by what it is given.
struct GivenKey {
  const clang::Stmt *At = nullptr; ///< where it names the element; null for none
  /// What the key is made of; empty where it is made of something else too.
  llvm::SmallVector<const clang::ParmVarDecl *, 2> Parameters;
  unsigned Different = 0; ///< `step % 4`: so many keys there are at most; 0 where that is not known
};

/// Where \p F names an element of \p Map by what it is given, if that is all that it does to it.
GivenKey onlyKeyedIn(const clang::FunctionDecl &F, const clang::FieldDecl &Map);

/// \p Caller calls \p Method in each round of a loop for the same object, and gives the same for
/// the parameters of \p Key, or goes through the same keys, or there are more rounds than keys. It
/// may call other methods of which \p LeavesThem holds.
bool repeatsKey(const clang::FunctionDecl &Caller, const clang::CXXMethodDecl &Method,
                const GivenKey &Key,
                llvm::function_ref<bool(const clang::CXXMethodDecl &)> LeavesThem);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_LOSSES_KEYS_REPEATEDKEYS_H
