//===-- ForgetfulOverrides.h - Methods that stand in for a release ----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_LOSSES_FORGETFULOVERRIDES_H
#define TENSORLEAK_CHECKS_RESOURCES_LOSSES_FORGETFULOVERRIDES_H

#include "checks/resources/FileAnalyses.h"

namespace tensorleak {

/// A virtual method is all that gives back a member of its class, and one that overrides it does
/// not call it: objects of the derived class keep what the member holds.
struct ForgetfulOverride {
  RecordKey Key;
  RecordTake Take;
  const clang::CXXMethodDecl *Gives, *Forgets;
  bool Sure; ///< each object has it from the start
};

/// In the order of the code.
std::vector<ForgetfulOverride> findForgetfulOverrides(FileAnalyses &File);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_LOSSES_FORGETFULOVERRIDES_H
