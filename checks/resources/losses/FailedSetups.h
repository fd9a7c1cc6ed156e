//===-- FailedSetups.h - What a function that fails leaves to a caller ------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_LOSSES_FAILEDSETUPS_H
#define TENSORLEAK_CHECKS_RESOURCES_LOSSES_FAILEDSETUPS_H

#include "checks/resources/FileAnalyses.h"

namespace tensorleak {

/// `if (!setUp(&all)) return; ... tearDown(&all);`: where setUp() says that it failed, its callers
/// give nothing back, and on one of these ways it has left something behind.
struct FailedSetup {
  const FunctionResources *In; ///< what fails
  const LeftResource *Left;
  const clang::Stmt *Caller; ///< the condition behind which a caller leaves
  bool Sure;                 ///< all callers are in view, and no call to the device need fail
};

/// In the order of the code.
std::vector<FailedSetup> findFailedSetups(FileAnalyses &File);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_LOSSES_FAILEDSETUPS_H
