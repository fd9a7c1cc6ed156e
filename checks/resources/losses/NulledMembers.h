//===-- NulledMembers.h - Set to null, and not given back ------*- C++ -*-===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `void reset() { data_ = nullptr; size_ = 0; }` beside a destructor that gives back what is in
// `data_` at the end: what was there when it was reset is lost.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_LOSSES_NULLEDMEMBERS_H
#define TENSORLEAK_CHECKS_RESOURCES_LOSSES_NULLEDMEMBERS_H

#include "checks/resources/FileAnalyses.h"

namespace tensorleak {

struct NulledMember {
  const FunctionResources *In;
  const clang::Stmt *At; ///< where it is set
  RecordKey Key;
  llvm::ArrayRef<RecordTake> Takes; ///< what it may have held
  bool Sure;                        ///< all methods that may give it back are in view
};

/// In the order of the code.
std::vector<NulledMember> findNulledMembers(FileAnalyses &File);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_LOSSES_NULLEDMEMBERS_H
