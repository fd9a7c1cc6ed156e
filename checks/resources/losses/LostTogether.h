//===-- LostTogether.h - What one way out of a function loses --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. One `throw` or early `return` that loses several resources is one
// mistake. Each resource is counted to one of the ways out where it does most harm, so
// that few ways out explain all.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_LOSSES_LOSTTOGETHER_H
#define TENSORLEAK_CHECKS_RESOURCES_LOSSES_LOSTTOGETHER_H

#include "checks/resources/ResourceFlow.h"

namespace tensorleak {

struct LostTogether {
  ResourceExit Exit;
  After When = After::Anything;
  /// Nobody catches what a failed call throws, as a rule, except around constructors.
  bool Unhandled = false;
  llvm::SmallVector<const LostResource *, 2> Lost; ///< in the order of the source
};

/// Those of \p Lost that some ways out lose. Resources that the caller wants to speak of
/// in one breath come in one call.
std::vector<LostTogether> lostTogether(const FunctionResources &F,
                                       llvm::ArrayRef<const LostResource *> Lost);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_LOSSES_LOSTTOGETHER_H
