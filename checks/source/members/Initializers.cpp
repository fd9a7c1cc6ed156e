//===-- Initializers.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/source/members/Initializers.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

const Expr *beginOf(const CXXConstructorDecl &Constructor, const FieldDecl &Field) {
  const FunctionDecl *Body = nullptr;
  if (!Constructor.hasBody(Body))
    return nullptr;
  for (const CXXCtorInitializer *Init : cast<CXXConstructorDecl>(Body)->inits())
    if (Init->getMember() == &Field) {
      const auto *Default = dyn_cast<CXXDefaultInitExpr>(Init->getInit());
      return Default ? Default->getExpr() : Init->getInit();
    }
  return nullptr;
}

} // namespace tensorleak
