//===-- ParameterGroups.cpp -----------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/retained-activation/ParameterGroups.h"

#include "checks/source/Expressions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

/// The optimizer of which \p Groups, by itself or by a reference, are the parameter groups.
static const ValueDecl *optimizerOf(const Expr &Groups) {
  const Expr *E = bare(&Groups);
  const ValueDecl *Named = variableOrMember(E);
  if (const Expr *Bound = Named ? boundTo(*Named) : nullptr)
    E = bare(Bound);
  const auto *Call = dyn_cast<CXXMemberCallExpr>(E);
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  return Method && Method->getIdentifier() && Method->getName() == "param_groups"
             ? variableOrMember(bare(Call->getImplicitObjectArgument()))
             : nullptr;
}

bool losesGroups(Unit &U, const ValueDecl *Optimizer) {
  auto Shrinks = [&](const Stmt &S) {
    const auto *Call = dyn_cast<CXXMemberCallExpr>(&S);
    const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
    const auto E = Method ? U.model().effectOf(*Method) : std::nullopt;
    return E && E->What == Does::Shrink &&
           optimizerOf(*Call->getImplicitObjectArgument()) == Optimizer;
  };
  return Optimizer && llvm::any_of(U.functions(), [&](const FunctionUnit &F) {
           return anyIn(*F.Facts->Function, Shrinks);
         });
}

} // namespace tensorleak
