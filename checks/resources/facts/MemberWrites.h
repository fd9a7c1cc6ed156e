//===-- MemberWrites.h - Which members a call may change ------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. Of members and global variables: which of them a function, and what it
// calls, may write to, of whatever object. What is not seen may write to all of them.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_FACTS_MEMBERWRITES_H
#define TENSORLEAK_CHECKS_RESOURCES_FACTS_MEMBERWRITES_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tensorleak {

/// What one body does by itself.
struct BodyWrites {
  llvm::DenseSet<const clang::ValueDecl *> Written;    ///< canonical
  llvm::DenseSet<const clang::FunctionDecl *> Callees; ///< of the user's, canonical
  bool IsAnything = false;                             ///< it calls what is not seen
};

class MemberWrites {
public:
  /// Whether a call of \p Callee may change \p Member.
  bool mayWrite(const clang::FunctionDecl &Callee, const clang::ValueDecl &Member) const;
  /// Whether the body of \p Callee, or of a function that it comes to, writes \p Member by name.
  bool namesToWrite(const clang::FunctionDecl &Callee, const clang::ValueDecl &Member) const;

private:
  const BodyWrites &bodyOf(const clang::FunctionDecl &F) const;
  const BodyWrites &allOf(const clang::FunctionDecl &F) const;

  mutable llvm::DenseMap<const clang::FunctionDecl *, std::unique_ptr<BodyWrites>> Own, All;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_FACTS_MEMBERWRITES_H
