//===-- EndGuards.h - Objects that are told to do nothing at their end -----===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `ScopeExit guard([&] { cudaFree(p); }); ...; guard.dismiss();`: from there on the destructor
// gives back nothing. The flag that says so is a member of the guard.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_FACTS_OBJECTS_ENDGUARDS_H
#define TENSORLEAK_CHECKS_RESOURCES_FACTS_OBJECTS_ENDGUARDS_H

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/Analysis/CFG.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tensorleak {

class EndGuards {
public:
  EndGuards() = default;
  EndGuards(const clang::FunctionDecl &F, const clang::CFG &Cfg);

  /// The guard that \p Call tells to do nothing at its end; null for other calls.
  const clang::VarDecl *disarmedBy(const clang::CallExpr &Call) const;
  /// The lambda that \p V was made with; null for none, and for what is no guard.
  const clang::CXXMethodDecl *runBy(const clang::VarDecl &V) const;
  /// On all ways to \p Block the guard \p V has been disarmed.
  bool isDisarmedAt(const clang::VarDecl &V, unsigned Block) const;

private:
  struct Guard {
    const clang::CXXMethodDecl *Lambda = nullptr;
    llvm::SmallVector<const clang::CallExpr *, 1> Disarms;
    llvm::DenseSet<unsigned> Armed; ///< blocks to which a way comes that has not disarmed it
  };
  void collect(const clang::FunctionDecl &F);
  bool findArmed(Guard &G, const clang::CFG &Cfg) const;

  llvm::DenseMap<const clang::VarDecl *, Guard> Guards;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_FACTS_OBJECTS_ENDGUARDS_H
