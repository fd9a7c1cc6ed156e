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

/// Names of names are followed so far.
static constexpr unsigned MostNames = 8;

static bool speaksOf(const FunctionFacts &Facts, const Stmt &S, const ValueDecl &Tensor,
                     unsigned Names);

static bool isNameOf(const FunctionFacts &Facts, const ValueDecl &Named, const ValueDecl &Tensor,
                     unsigned Names) {
  if (&Named == &Tensor || Names == 0)
    return &Named == &Tensor;
  const auto *V = dyn_cast<VarDecl>(&Named);
  if (const auto *Param = dyn_cast_or_null<ParmVarDecl>(V))
    return llvm::any_of(Facts.Splices, [&](const Splice &S) {
      const Expr *Given = S.given(*Param);
      return Given && speaksOf(Facts, *Given, Tensor, Names - 1);
    });
  return V && V->hasInit() && (V->getType()->isReferenceType() || V->getType()->isPointerType()) &&
         speaksOf(Facts, *V->getInit(), Tensor, Names - 1);
}

static bool speaksOf(const FunctionFacts &Facts, const Stmt &S, const ValueDecl &Tensor,
                     unsigned Names) {
  return mentions(&S, [&](const Expr &Part) {
    const ValueDecl *Named = variableOrMember(&Part);
    return Named && isNameOf(Facts, *Named, Tensor, Names);
  });
}

bool speaksOf(const FunctionFacts &Facts, const Stmt &E, const ValueDecl &Tensor) {
  return speaksOf(Facts, E, Tensor, MostNames);
}

bool givesMemoryOf(const FunctionFacts &Facts, const ValueDecl &Tensor, ApiModel &Model) {
  return llvm::any_of(Facts.bodies(), [&](const Stmt *Body) {
    return mentions(Body, [&](const Expr &E) {
      const auto *Call = dyn_cast<CXXMemberCallExpr>(&E);
      return Call && givesMemory(*Call, Model) &&
             speaksOf(Facts, *Call->getImplicitObjectArgument(), Tensor);
    });
  });
}

} // namespace tensorleak
