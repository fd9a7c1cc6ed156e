//===-- UnkeptParameters.h - A pool that is full drops what it gets --------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. A function puts what it is given into a container that owns its elements. Where
// a limit is reached it does nothing with it, and its caller never hears of that:
// `if (free.size() < limit) free.push_back(p);`.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_LOSSES_UNKEPTPARAMETERS_H
#define TENSORLEAK_CHECKS_RESOURCES_LOSSES_UNKEPTPARAMETERS_H

#include "checks/resources/FileAnalyses.h"

namespace tensorleak {

struct UnkeptParameter {
  const clang::ParmVarDecl *Parameter;
  const clang::Expr *Limit;  ///< the condition that leaves it out
  const clang::Stmt *Stored; ///< where it is kept otherwise
  RecordKey Key;             ///< the container, or what its elements hold
  Family What;
};

/// In the order of the code.
std::vector<UnkeptParameter> findUnkeptParameters(FileAnalyses &File);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_LOSSES_UNKEPTPARAMETERS_H
