//===-- CallTargets.h - Which functions a call can mean -------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A virtual method, a std::function and a pointer to a function say only when the program runs
// what they call. A file sees what they can be: all of it, or a part where other files can
// derive a class, or put something to call into what it is called by.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_SOURCE_CALLTARGETS_H
#define TENSORLEAK_CHECKS_SOURCE_CALLTARGETS_H

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

namespace tensorleak {

class CallTargets {
public:
  explicit CallTargets(llvm::ArrayRef<clang::Decl *> Decls);

  /// What may be called, in the order of the file.
  template <class T> struct Several {
    llvm::SmallVector<const T *, 2> Known;
    bool AreAll = true; ///< nothing else can be
    const T *only() const { return AreAll && Known.size() == 1 ? Known.front() : nullptr; }
  };

  /// What a call of \p F runs: \p F itself, or the bodies that a virtual method can mean.
  Several<clang::FunctionDecl> bodiesOf(const clang::FunctionDecl &F) const;
  /// The only one; null where it may be another.
  const clang::FunctionDecl *bodyOf(const clang::FunctionDecl &F) const {
    return bodiesOf(F).only();
  }

  /// The lambdas, and names of functions, that are put into the variable, parameter or member
  /// \p D, or into the container.
  Several<clang::Expr> putInto(const clang::ValueDecl &D) const;

private:
  friend class TargetCollector;
  using Methods = llvm::SmallSetVector<const clang::FunctionDecl *, 4>;
  using Callables = llvm::SmallSetVector<const clang::Expr *, 4>;
  using Variables = llvm::SmallPtrSet<const clang::ValueDecl *, 8>;

  void addOverriders(const clang::CXXMethodDecl &Method, Methods &Found) const;
  bool collect(const clang::Expr *E, Callables &Found, Variables &Seen) const;
  bool collectAll(llvm::ArrayRef<const clang::Expr *> From, Callables &Found,
                  Variables &Seen) const;
  bool collectPutInto(const clang::ValueDecl &D, Callables &Found, Variables &Seen) const;

  llvm::DenseMap<const clang::CXXMethodDecl *, llvm::SmallVector<const clang::CXXMethodDecl *, 2>>
      Overriders; ///< by canonical declaration
  llvm::DenseMap<const clang::ValueDecl *, llvm::SmallVector<const clang::Expr *, 2>> Sources;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_SOURCE_CALLTARGETS_H
