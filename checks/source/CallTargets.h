//===-- CallTargets.h - Which function a call can only mean ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A virtual method, a std::function and a pointer to a function say only when the program runs
// what they call. Where a file sees all that they can be, and that is one body, the call means
// that body.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_SOURCE_CALLTARGETS_H
#define TENSORLEAK_CHECKS_SOURCE_CALLTARGETS_H

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

namespace tensorleak {

class CallTargets {
public:
  explicit CallTargets(llvm::ArrayRef<clang::Decl *> Decls);

  /// What a call of \p F runs: \p F itself, or the only body that a virtual method of a class
  /// of this file can mean; null where it may be another.
  const clang::FunctionDecl *bodyOf(const clang::FunctionDecl &F) const;

  /// The lambda, or the name of the function, that is ever put into the variable, parameter or
  /// member \p D, or into the container; null where there are several, or others may put more.
  const clang::Expr *putInto(const clang::ValueDecl &D) const;

private:
  friend class TargetCollector;
  using Methods = llvm::SmallPtrSet<const clang::FunctionDecl *, 4>;
  using Callables = llvm::SmallPtrSet<const clang::Expr *, 4>;
  using Variables = llvm::SmallPtrSet<const clang::ValueDecl *, 8>;

  void addOverriders(const clang::CXXMethodDecl &Method, Methods &Found) const;
  bool collect(const clang::Expr *E, Callables &Found, Variables &Seen) const;
  bool collectPutInto(const clang::ValueDecl &D, Callables &Found, Variables &Seen) const;

  llvm::DenseMap<const clang::CXXMethodDecl *, llvm::SmallVector<const clang::CXXMethodDecl *, 2>>
      Overriders; ///< by canonical declaration
  llvm::DenseMap<const clang::ValueDecl *, llvm::SmallVector<const clang::Expr *, 2>> Sources;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_SOURCE_CALLTARGETS_H
