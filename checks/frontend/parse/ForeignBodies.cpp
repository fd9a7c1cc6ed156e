//===-- ForeignBodies.cpp -------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/parse/ForeignBodies.h"

#include "clang/AST/Decl.h"

using namespace clang;

namespace tensorleak {

bool canSkipForeignBody(const Decl *D) {
  const FunctionDecl *Function = D->getAsFunction();
  bool IsAlgorithm = Function && Function->getDescribedFunctionTemplate() &&
                     Function->getDeclContext()->isFileContext() && D->isInStdNamespace();
  return !IsAlgorithm;
}

} // namespace tensorleak
