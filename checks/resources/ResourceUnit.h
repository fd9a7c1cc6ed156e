//===-- ResourceUnit.h - The resources of all functions of a file ---------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. Callees first, so that a call has the effects of what it
// calls.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_RESOURCEUNIT_H
#define TENSORLEAK_CHECKS_RESOURCES_RESOURCEUNIT_H

#include "checks/flow/Unit.h"
#include "checks/resources/ResourceFlow.h"
#include "checks/resources/facts/MemberWrites.h"

namespace tensorleak {

class ResourceUnit {
public:
  explicit ResourceUnit(Unit &U);

  /// Empty when nothing in the file touches a device or owns tensors through plain pointers.
  const std::vector<std::unique_ptr<FunctionResources>> &functions() const { return Functions; }
  /// Null where \p F has no body in this file, or it is not analysed.
  const FunctionResources *find(const clang::FunctionDecl &F) const {
    return ByFunction.lookup(F.getCanonicalDecl());
  }
  /// The function in this file that \p Use happens in, where that is one that is called there.
  const FunctionResources *calleeOf(const HolderUse &Use) const;
  const ResourceModel &model() const { return Model; }
  bool hasMain() const { return HasMain; }
  bool usesDevice() const { return !DeviceUsers.empty(); }
  /// The function calls what takes, gives back or uses device resources.
  bool usesDevice(const clang::FunctionDecl &F) const { return DeviceUsers.count(&F); }
  /// A method of the class or of one of its bases does.
  bool usesDevice(const clang::CXXRecordDecl &Class) const;

private:
  void addDeviceUser(const clang::FunctionDecl &F);

  ResourceModel Model;
  MemberWrites Writes;
  ResourceSummaries Summaries;
  std::vector<std::unique_ptr<FunctionResources>> Functions;
  llvm::DenseMap<const clang::FunctionDecl *, const FunctionResources *> ByFunction; ///< canonical
  llvm::DenseSet<const clang::FunctionDecl *> DeviceUsers;
  llvm::DenseSet<const clang::CXXRecordDecl *> DeviceClasses; ///< with methods among these
  bool HasMain = false;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_RESOURCEUNIT_H
