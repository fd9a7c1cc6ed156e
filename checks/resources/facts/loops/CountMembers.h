//===-- CountMembers.h - Members that say how many elements there are -------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. `for (int i = 0; i < ring->count; ++i)` in two functions goes over the same
// elements where nothing but the first of them gives `count` a value.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_FACTS_LOOPS_COUNTMEMBERS_H
#define TENSORLEAK_CHECKS_RESOURCES_FACTS_LOOPS_COUNTMEMBERS_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

namespace tensorleak {

class CountMembers {
public:
  /// Of all functions of a file; reads them at the first question.
  explicit CountMembers(llvm::ArrayRef<const clang::FunctionDecl *> All) : All(All) {}
  /// An object that holds anything has one value in \p Member, which one place in the file gives
  /// it, or the constructors do. Zero says that it holds nothing.
  bool isGivenOnce(const clang::FieldDecl &Member) const;

private:
  struct Uses {
    unsigned Named = 0, Read = 0;
    unsigned Given = 0;  ///< by assignments
    unsigned Zeroed = 0; ///< by others
    bool IsBegun = false;
  };
  void read() const;
  void read(const clang::Stmt &S) const;

  llvm::ArrayRef<const clang::FunctionDecl *> All;
  mutable bool IsRead = false;
  mutable llvm::DenseMap<const clang::FieldDecl *, Uses> Of;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_FACTS_LOOPS_COUNTMEMBERS_H
