//===-- OwnershipLinks.h - Which object keeps which alive -----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function does to objects that are owned through shared pointers: which one a member,
// a container, a registration or a lambda of another keeps from now on, and which it lets go.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_QUESTIONS_OWNERSHIP_OWNERSHIPLINKS_H
#define TENSORLEAK_CHECKS_QUESTIONS_OWNERSHIP_OWNERSHIPLINKS_H

#include "checks/flow/Unit.h"
#include "llvm/ADT/PointerUnion.h"

namespace tensorleak {

/// What names an object: a variable, a member of this, the method itself for this, or the
/// expression that makes it. Null where it is not known.
using ObjectName = llvm::PointerUnion<const clang::Decl *, const clang::Expr *>;

struct OwnershipStep {
  enum StepKind : uint8_t {
    Links,   ///< Owner keeps Owned
    Unlinks, ///< Owner lets go of what Member keeps
    Renames, ///< Owner is another object from here on
  } What;
  clang::SourceLocation At;
  ObjectName Owner = {}, Owned = {};
  const clang::ValueDecl *Member = nullptr; ///< of Owner; null for a registration
  clang::QualType OwnerType = {}, OwnedType = {};
  bool IsOld = false;  ///< Links: it was there before
  bool IsMade = false; ///< Renames: an object that is made here
  bool IsCut = false;  ///< Unlinks: and nothing takes its place
  const clang::CFGBlock *Block = nullptr;
};

/// In the order of the control-flow graph.
using OwnershipSteps = std::vector<OwnershipStep>;
using OwnershipMap = llvm::DenseMap<const clang::FunctionDecl *, OwnershipSteps>;

/// What \p F does; \p Known has the functions that it calls.
OwnershipSteps ownershipSteps(Unit &U, const FunctionUnit &F, const OwnershipMap &Known);

/// Of the steps \p All of \p F: whether \p Step is about an object that \p F has made itself.
bool isOfNewObject(llvm::ArrayRef<OwnershipStep> All, unsigned Step, const clang::FunctionDecl &F);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_QUESTIONS_OWNERSHIP_OWNERSHIPLINKS_H
