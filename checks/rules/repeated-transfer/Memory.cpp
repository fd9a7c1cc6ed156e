//===-- Memory.cpp --------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/repeated-transfer/Memory.h"

#include "checks/source/Expressions.h"
#include "checks/source/References.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

static bool givesMemory(const CXXMemberCallExpr &Call, ApiModel &Model) {
  const CXXMethodDecl *Method = Call.getMethodDecl();
  if (!Method || !Model.isTensor(Call.getObjectType()))
    return false;
  QualType T = Call.getType();
  if (T->isPointerType())
    return !T->getPointeeType().isConstQualified();
  auto Known = Model.effectOf(*Method);
  return Known && Known->What == Does::View && !Model.holdsTensors(T);
}

/// Whether \p View speaks of \p Tensor, or of a name for it: `x[0].view(n)`, `*box`, and
/// `auto &name = x; name`.
static bool isViewOf(const Expr &View, const ValueDecl &Tensor) {
  return mentions(&View, [&](const Expr &Part) {
    const ValueDecl *Named = variableOrMember(&Part);
    const auto *V = dyn_cast_or_null<VarDecl>(Named);
    const bool IsName = V && V->hasInit() && !isa<ParmVarDecl>(V) &&
                        (V->getType()->isReferenceType() || V->getType()->isPointerType());
    return Named == &Tensor || (IsName && mentions(V->getInit(), [&](const Expr &Of) {
                                  return variableOrMember(&Of) == &Tensor;
                                }));
  });
}

bool givesMemoryOf(const ValueDecl &Tensor, const Stmt &Body, ApiModel &Model) {
  return mentions(&Body, [&](const Expr &E) {
    const auto *Call = dyn_cast<CXXMemberCallExpr>(&E);
    return Call && givesMemory(*Call, Model) &&
           isViewOf(*Call->getImplicitObjectArgument(), Tensor);
  });
}

} // namespace tensorleak
