//===-- RemovedEntries.h - Taken out of a container, and not freed ---------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. A container that outlives the function owns what its elements point
// to: some function of the file gives that back. Another removes elements and does not.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_RECORDS_REMOVED_REMOVEDENTRIES_H
#define TENSORLEAK_CHECKS_RESOURCES_RECORDS_REMOVED_REMOVEDENTRIES_H

#include "checks/resources/FileAnalyses.h"

namespace tensorleak {

struct RemovedEntry {
  const FunctionResources *In;
  const clang::Stmt *At;
  RecordKey Key;
  llvm::ArrayRef<RecordTake> Takes; ///< what the container may have held
  bool Sure;                        ///< no element may be another owner's
  bool IsCutOff = false;            ///< the container becomes smaller there, if it does
  bool IsWhole = false;             ///< a record ends there, or is replaced by another one

  /// The container, or the variable or member that it is in.
  const clang::ValueDecl &holder() const {
    return *(Key.Chain.empty() ? llvm::cast<clang::ValueDecl>(Key.Owner) : Key.Chain.front());
  }
};

/// In the order of the code.
std::vector<RemovedEntry> findRemovedEntries(FileAnalyses &File);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_RECORDS_REMOVED_REMOVEDENTRIES_H
