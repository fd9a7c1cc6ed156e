//===-- OwnershipCycles.h - Objects that own each other -------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RULES_UNDELETED_TENSOR_OWNERSHIPCYCLES_H
#define TENSORLEAK_CHECKS_RULES_UNDELETED_TENSOR_OWNERSHIPCYCLES_H

#include "checks/flow/Unit.h"

namespace tensorleak {

/// A link by which objects that hold tensors come to own each other, and that nothing unties.
struct OwnershipCycle {
  clang::SourceLocation At;
  const clang::ValueDecl *Member; ///< null for a registration
  bool AreModules, ByLambda, IsSelf;
};

std::vector<OwnershipCycle> findOwnershipCycles(Unit &U);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RULES_UNDELETED_TENSOR_OWNERSHIPCYCLES_H
