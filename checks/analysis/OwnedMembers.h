//===-- OwnedMembers.h - What a member points to and nobody deletes -------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tensor, module or optimizer that a method makes with `new` for a member that is a
// plain pointer.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_ANALYSIS_OWNEDMEMBERS_H
#define TENSORLEAK_CHECKS_ANALYSIS_OWNEDMEMBERS_H

#include "checks/analysis/Unit.h"
#include "clang/AST/ExprCXX.h"

namespace tensorleak {

struct LostMember {
  enum Reason : uint8_t {
    NeverDeleted, ///< all methods of the class are seen, and none deletes it
    Overwritten,  ///< the destructor deletes the last one; the one before it is lost
  };
  Reason Why;
  const clang::CXXNewExpr *New;             ///< makes the object
  const clang::FieldDecl *Member;
  const clang::Stmt *CalledAgain = nullptr; ///< Overwritten: a call after the constructor's
};

/// What the method \p F stores in members of its object and loses.
std::vector<LostMember> findLostMembers(Unit &U, const FunctionUnit &F);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_ANALYSIS_OWNEDMEMBERS_H
