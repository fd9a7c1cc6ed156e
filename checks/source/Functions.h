//===-- Functions.h - The functions of a file, callees first --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_SOURCE_FUNCTIONS_H
#define TENSORLEAK_CHECKS_SOURCE_FUNCTIONS_H

#include "checks/source/CallTargets.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace tensorleak {

/// Code for the GPU alone. The analyses are about the host's.
bool isDeviceCode(const clang::FunctionDecl &F);

/// Whether \p S is a call of \p Callee by its name.
bool isCallOf(const clang::Stmt &S, const clang::FunctionDecl &Callee);

/// Whether the body of \p Caller, or of a lambda in it, has such a call.
bool calls(const clang::FunctionDecl &Caller, const clang::FunctionDecl &Callee);

/// At any distance.
bool overrides(const clang::CXXMethodDecl &Method, const clang::CXXMethodDecl &Of);

/// Every function with a body below \p Decls that is not dependent: plain
/// functions, methods, lambdas and instantiations; no device code. A function comes after the
/// ones it calls, also as \p Targets knows, and after the lambdas in its body; a recursion is
/// cut anywhere. Destructors and constructors, which the library may call, come first.
std::vector<const clang::FunctionDecl *> functionsCalleesFirst(llvm::ArrayRef<clang::Decl *> Decls,
                                                               const CallTargets &Targets);

/// The functions that something below \p Decls names other than to call them, canonical:
/// whoever is given the name may call them.
llvm::DenseSet<const clang::FunctionDecl *> functionsNamed(llvm::ArrayRef<clang::Decl *> Decls);

/// The one constructor of \p R, no copy and no move, that takes \p Given arguments and \p Fits;
/// null for none or several.
const clang::CXXConstructorDecl *constructorFor(
    const clang::CXXRecordDecl &R, unsigned Given,
    llvm::function_ref<bool(const clang::CXXConstructorDecl &)> Fits =
        [](const clang::CXXConstructorDecl &) { return true; });

/// All that \p Method does is seen in this file: it has a body here, or needs none.
bool isSeenHere(const clang::CXXMethodDecl &Method);

/// \p From is \p To, or calls it, or what does.
bool isOrComesTo(const clang::FunctionDecl &From, const clang::FunctionDecl &To);

/// What a function that is not analysed can reach of the rest of the file.
struct Reach {
  std::vector<const clang::ValueDecl *> Shared;   ///< fields, and variables that are not local
  std::vector<const clang::FunctionDecl *> Calls; ///< canonical
};
Reach reachOf(const clang::FunctionDecl &F);

/// The branches and loops, outer ones first, in which \p Part stands.
llvm::SmallVector<const clang::Stmt *, 4> waysTo(const clang::Stmt &Part, const clang::Stmt *Body);

/// Calls \p Visit for the conditions of each `if` without whose answer control does not come to
/// \p Part: of those around it, and of those before it in a block around it that leave.
void forEachConditionAhead(
    const clang::Stmt &Part, const clang::Stmt *Body,
    llvm::function_ref<void(const clang::Expr &Condition, bool Answer)> Visit);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_SOURCE_FUNCTIONS_H
