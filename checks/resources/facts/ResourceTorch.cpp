//===-- ResourceTorch.cpp - Calls of LibTorch that take or hand out memory --===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/ResourceGenerator.h"

#include "checks/model/ClassNames.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

static bool isCallable(QualType T) {
  const auto *R = T->getAsCXXRecordDecl();
  return T->isFunctionType() || T->isFunctionPointerType() ||
         (R && (R->isLambda() ||
                (R->isInStdNamespace() && R->getIdentifier() && R->getName() == "function")));
}

/// Of from_blob: what frees the memory when the tensor dies.
static bool hasDeleter(const CallExpr &Call) {
  return llvm::any_of(Call.arguments(), [](const Expr *Arg) {
    return isCallable(strip(Arg)->getType().getNonReferenceType());
  });
}

/// A reference that its owner lets go of, and a tensor over memory that it does not own.
bool ResourceGenerator::applyTorch(const CallExpr &Call, const FunctionDecl &Callee) {
  auto E = Api.effectOf(Callee);
  if (!E)
    return false;
  if (E->What == Does::Release && Call.getType()->isPointerType()) {
    QualType Class = Call.getType()->getPointeeType();
    bool IsObject = mayOwnTensors(Api.classify(Class));
    if (IsObject || isInLibTorch(namespaceOf(Callee)))
      take(Call, {ResourceEffect::Result, IsObject ? Family::Object : Family::Reference, 0, 0, ""});
    return true;
  }
  if (E->What != Does::Blob || Call.getNumArgs() == 0 || hasDeleter(Call))
    return false;
  emitValue(ResourceEventKind::View, Call, operand(Call.getArg(0)));
  return true;
}

} // namespace tensorleak
