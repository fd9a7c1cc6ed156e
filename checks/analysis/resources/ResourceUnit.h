//===-- ResourceUnit.h - The resources of all functions of a file ---------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. Callees first, so that a call has the effects of what it
// calls.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_ANALYSIS_RESOURCES_RESOURCEUNIT_H
#define TENSORLEAK_CHECKS_ANALYSIS_RESOURCES_RESOURCEUNIT_H

#include "checks/analysis/Unit.h"
#include "checks/analysis/resources/ResourceFlow.h"

namespace tensorleak {

class ResourceUnit {
public:
  explicit ResourceUnit(const Unit &U);

  /// Empty when nothing in the file touches a device.
  const std::vector<std::unique_ptr<FunctionResources>> &functions() const { return Functions; }
  const ResourceModel &model() const { return Model; }
  bool hasMain() const { return HasMain; }
  /// The function calls what takes, gives back or uses device resources.
  bool usesDevice(const clang::FunctionDecl &F) const { return DeviceUsers.count(&F); }

private:
  ResourceModel Model;
  ResourceSummaries Summaries;
  std::vector<std::unique_ptr<FunctionResources>> Functions;
  llvm::DenseSet<const clang::FunctionDecl *> DeviceUsers;
  bool HasMain = false;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_ANALYSIS_RESOURCES_RESOURCEUNIT_H
