//===-- EmptiedFirst.h - Loops that find nothing to give back ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. `buffers.clear(); for (float *b : buffers) cudaFree(b);`, `count = 0;` before
// the loop up to `count`: what was held is lost, and the loop has no rounds.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_LOSSES_EMPTIEDFIRST_H
#define TENSORLEAK_CHECKS_RESOURCES_LOSSES_EMPTIEDFIRST_H

#include "checks/resources/ResourceUnit.h"

namespace tensorleak {

struct EmptiedFirst {
  const FunctionResources *In;
  const clang::Stmt *Emptied;
  const clang::ValueDecl *Place; ///< the container, or the number of its elements
  const clang::Stmt *Release;    ///< in the loop that has no rounds
  Family What;
};

/// In the order of the functions.
std::vector<EmptiedFirst> findEmptiedFirst(const ResourceUnit &Unit);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_LOSSES_EMPTIEDFIRST_H
