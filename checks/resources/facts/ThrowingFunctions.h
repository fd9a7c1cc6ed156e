//===-- ThrowingFunctions.h - Which functions an exception may leave -------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. A call of a function of the file that throws of its own accord is a way
// out of the caller. What throws because a call to the device failed, or because it is told
// to by a truth value, is a check, and no such way: it leaves with the failure.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_FACTS_THROWINGFUNCTIONS_H
#define TENSORLEAK_CHECKS_RESOURCES_FACTS_THROWINGFUNCTIONS_H

#include "checks/model/ResourceModel.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tensorleak {

/// No exception leaves \p F: it ends the program instead.
bool isNoexcept(const clang::FunctionDecl &F);

class ThrowingFunctions {
public:
  ThrowingFunctions(llvm::ArrayRef<const clang::FunctionDecl *> All, const ResourceModel &Model);

  /// Whether a call of \p Callee, or of what overrides it, may end in an exception.
  bool mayThrow(const clang::FunctionDecl &Callee) const {
    return Throwing.count(Callee.getCanonicalDecl());
  }
  /// Whether \p Callee is given the status of a call, and throws where that failed.
  bool isCheck(const clang::FunctionDecl &Callee) const {
    return Checks.count(Callee.getCanonicalDecl());
  }
  /// Some function of the file catches exceptions, so that the program goes on.
  bool areCaught() const { return AreCaught; }

private:
  void spread();

  /// By function: those that call it, or that it overrides.
  llvm::DenseMap<const clang::FunctionDecl *, std::vector<const clang::FunctionDecl *>> Reaches;
  llvm::DenseSet<const clang::FunctionDecl *> Throwing, Checks;
  bool AreCaught = false;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_FACTS_THROWINGFUNCTIONS_H
