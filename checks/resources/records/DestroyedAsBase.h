//===-- DestroyedAsBase.h - Objects whose own destructor never runs --------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. Who deletes an object through a pointer to a base class that has no virtual
// destructor runs that of the base alone: what the object's own class holds stays.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_RECORDS_DESTROYEDASBASE_H
#define TENSORLEAK_CHECKS_RESOURCES_RECORDS_DESTROYEDASBASE_H

#include "checks/Diagnosis.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/SmallVector.h"

#include <string>
#include <vector>

namespace tensorleak {

class FileAnalyses;

struct DestroyedAsBase {
  const clang::CXXRecordDecl *Object, *Base;
  const clang::FieldDecl *Member; ///< of the object's class, and holds what is lost
  bool IsOfDevice = false;        ///< the destructor gives it back; else it holds tensors
  bool InMain = false;            ///< all of them
  /// Where the object gets its owner, or is deleted; in the order of the code.
  llvm::SmallVector<const clang::Stmt *, 2> At;
  /// What the rule of that name says of it.
  Diagnosis diagnosis(llvm::StringRef Rule) const;
};

/// One for each pair of classes. Rules ask FileAnalyses::destroyedAsBase().
std::vector<DestroyedAsBase> findDestroyedAsBase(FileAnalyses &File);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_RECORDS_DESTROYEDASBASE_H
