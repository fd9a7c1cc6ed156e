//===-- ElementKeys.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/model/boxes/ElementKeys.h"

#include "checks/source/Expressions.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

const Expr *keyOfElement(const Expr &Element, ApiModel &Model) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(&Element);
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  const auto Effect = Method ? Model.effectOf(*Method) : std::nullopt;
  const bool IsLookup = Effect && Effect->What == Does::Element && Call->getNumArgs() == 1;
  return IsLookup ? Call->getArg(0) : elementNamed(Element).Key;
}

} // namespace tensorleak
