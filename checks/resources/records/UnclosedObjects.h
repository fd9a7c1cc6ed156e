//===-- UnclosedObjects.h - What only an uncalled close() gives back --------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. A method gives back what an object holds, the destructor leaves that to it,
// and nobody calls it: neither itself nor through the interface that it implements.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_RECORDS_UNCLOSEDOBJECTS_H
#define TENSORLEAK_CHECKS_RESOURCES_RECORDS_UNCLOSEDOBJECTS_H

#include "checks/resources/FileAnalyses.h"

namespace tensorleak {

struct UnclosedObject {
  RecordKey Key;
  const RecordTake *Take;
  llvm::SmallVector<std::pair<RecordKey, const RecordTake *>, 2> Also; ///< by the same method
  const clang::FunctionDecl *Closer;
  const clang::Stmt *Made; ///< an object that nobody here closes
  bool Sure;               ///< it ends with the function that makes it, which is not main
};

/// One for each class, at what its constructors or methods take first.
std::vector<UnclosedObject> findUnclosedObjects(FileAnalyses &File);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_RECORDS_UNCLOSEDOBJECTS_H
