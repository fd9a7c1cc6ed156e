//===-- Holders.cpp - Where something is put into a holder --------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/metamorphic/rewriter/rewritings/Holders.h"

using namespace clang;

namespace tensorleak::rewriter {
namespace {

bool isGrowing(StringRef Method) {
  return llvm::is_contained({"push_back", "push_front", "emplace_back", "emplace_front", "insert",
                             "insert_or_assign", "emplace", "push"},
                            Method);
}

std::optional<Store> storeByMethod(const CXXMemberCallExpr &Call) {
  const CXXMethodDecl *Method = Call.getMethodDecl();
  const Expr *Object = Call.getImplicitObjectArgument();
  if (!Method || !Method->getIdentifier() || !isGrowing(Method->getName()) ||
      !stdContainer(Object->getType()))
    return std::nullopt;
  return Store{&Call, Object, Call.getNumArgs() == 1 ? Call.getArg(0) : nullptr};
}

/// `total = total + x`, `total += x`, `map[k] = x`.
std::optional<Store> storeByOperator(const CXXOperatorCallExpr &Call) {
  if (!Call.isAssignmentOp() || Call.getNumArgs() != 2)
    return std::nullopt;
  const Expr *Left = Call.getArg(0)->IgnoreParenImpCasts();
  if (isTensor(Left->getType()) && isPlace(Left))
    return Store{&Call, Left, nullptr};
  const auto *Index = dyn_cast<CXXOperatorCallExpr>(Left);
  if (!Index || Index->getOperator() != OO_Subscript || !stdContainer(Index->getArg(0)->getType()))
    return std::nullopt;
  return Store{&Call, Index->getArg(0), nullptr};
}

/// `cudaMalloc(&p, n)`.
std::optional<Store> storeByAddress(const Unit &U, const CallExpr &Call) {
  for (const Expr *Argument : Call.arguments()) {
    const auto *Address = dyn_cast<UnaryOperator>(Argument->IgnoreParenCasts());
    const Expr *Place = Address && Address->getOpcode() == UO_AddrOf
                            ? Address->getSubExpr()->IgnoreParens()
                            : nullptr;
    if (Place && isPlace(Place) && Place->getType()->isPointerType() && U.isCuda())
      return Store{&Call, Place, nullptr};
  }
  return std::nullopt;
}

std::optional<Store> storeOf(const Unit &U, const CallExpr &Call) {
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call))
    return storeByMethod(*Member);
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(&Call))
    return storeByOperator(*Operator);
  return storeByAddress(U, Call);
}

} // namespace

bool isPlace(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    return isa<VarDecl, BindingDecl>(Ref->getDecl());
  const auto *Member = dyn_cast<MemberExpr>(E);
  if (!Member || !isa<FieldDecl, VarDecl>(Member->getMemberDecl()))
    return false;
  const Expr *Base = Member->getBase()->IgnoreParenImpCasts();
  return isa<CXXThisExpr>(Base) || isPlace(Base);
}

std::vector<Store> storesIn(const Unit &U, const FunctionDecl &Function) {
  std::vector<Store> Out;
  for (const auto *Call : U.all<CallExpr>(Function.getBody())) {
    std::optional<Store> Found = storeOf(U, *Call);
    if (!Found || !isPlace(Found->Holder) || !U.span(Found->Holder->getSourceRange()))
      continue;
    Found->Statement = U.enclosingStatement(Call);
    if (Found->Statement && !isa<IfStmt, ForStmt, WhileStmt, ReturnStmt>(Found->Statement))
      Out.push_back(*Found);
  }
  return Out;
}

} // namespace tensorleak::rewriter
