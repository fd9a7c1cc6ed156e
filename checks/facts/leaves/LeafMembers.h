//===-- LeafMembers.h - Members that are parameters by themselves ----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the constructors of a class make a leaf that requires grad, and nothing else changes, is
// one in all functions: `w = register_parameter("w", ...)`, `Tensor w = zeros(n, requires_grad())`.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FACTS_LEAVES_LEAFMEMBERS_H
#define TENSORLEAK_CHECKS_FACTS_LEAVES_LEAFMEMBERS_H

#include "checks/model/ApiModel.h"
#include "clang/AST/Expr.h"

namespace tensorleak {

/// Whether something in \p S is told to require grad (and not `requires_grad(false)`).
bool asksForGrad(const clang::Stmt &S, ApiModel &Model);

class LeafMembers {
public:
  /// \p Functions: those of the file that have a body.
  LeafMembers(ApiModel &Model, llvm::ArrayRef<const clang::FunctionDecl *> Functions)
      : Model(Model), Functions(Functions) {}

  bool isLeaf(const clang::FieldDecl &Member);

private:
  bool compute(const clang::FieldDecl &Member);
  bool beginsAsLeaf(const clang::FieldDecl &Member);
  bool isMadeLeafBy(const clang::CXXConstructorDecl &Made, const clang::FieldDecl &Member);
  bool isChanged(const clang::FieldDecl &Member);
  bool freezesSomething();

  ApiModel &Model;
  llvm::ArrayRef<const clang::FunctionDecl *> Functions;
  llvm::DenseMap<const clang::FieldDecl *, bool> Known;
  std::optional<bool> Freezes;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FACTS_LEAVES_LEAFMEMBERS_H
