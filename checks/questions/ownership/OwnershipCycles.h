//===-- OwnershipCycles.h - Objects that own each other -------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_QUESTIONS_OWNERSHIP_OWNERSHIPCYCLES_H
#define TENSORLEAK_CHECKS_QUESTIONS_OWNERSHIP_OWNERSHIPCYCLES_H

#include "checks/flow/Unit.h"

namespace tensorleak {

/// A link by which objects come to own each other, and that nothing unties.
struct OwnershipCycle {
  clang::SourceLocation At;
  const clang::ValueDecl *Member; ///< null for a registration
  const clang::ValueDecl *Back;   ///< Member, or the one pointer back to what has that container
  bool AreModules, ByLambda, IsSelf;

  /// What is to be said; \p What else stays with the objects, as "tensors".
  std::string message(llvm::StringRef What) const;
};

/// Whether objects of a class, or what a pointer or container points to, hold what must not stay.
using KeepsMemory = llvm::function_ref<bool(clang::QualType)>;

/// Cycles of objects of which one \p Keeps something, in the order of the code.
std::vector<OwnershipCycle> findOwnershipCycles(Unit &U, KeepsMemory Keeps);

/// Of the class itself, its members, or what it points to.
bool keepsTensors(ApiModel &Model, clang::QualType T);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_QUESTIONS_OWNERSHIP_OWNERSHIPCYCLES_H
