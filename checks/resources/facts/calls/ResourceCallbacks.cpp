//===-- ResourceCallbacks.cpp - What calls run with what they are given ----===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/ResourceGenerator.h"

#include "checks/source/Statements.h"

using namespace clang;

namespace tensorleak {

/// The function that \p Arg names, or the lambda without captures that becomes one.
static const FunctionDecl *functionIn(const Expr &Arg) {
  const FunctionDecl *Found = nullptr;
  anyBelow(&Arg, [&](const Stmt &S) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&S);
    const auto *Lambda = dyn_cast<LambdaExpr>(&S);
    Found = Lambda ? Lambda->getCallOperator()
            : Ref  ? dyn_cast<FunctionDecl>(Ref->getDecl())
                   : nullptr;
    return Found != nullptr;
  });
  return Found;
}

/// What \p Caller of the library's runs with its arguments: `std::thread(work, data)`, or a call
/// that takes pointers to functions.
static llvm::ArrayRef<const Expr *> argumentsOf(const Expr &Caller) {
  if (const auto *Call = dyn_cast<CallExpr>(&Caller))
    return {Call->getArgs(), Call->getNumArgs()};
  const auto *Made = dyn_cast<CXXConstructExpr>(&Caller);
  const bool IsThread = Made && Made->getConstructor()->getParent()->isInStdNamespace();
  return IsThread ? llvm::ArrayRef<const Expr *>(Made->getArgs(), Made->getNumArgs())
                  : llvm::ArrayRef<const Expr *>();
}

/// `cudaLaunchHostFunc(stream, log, data)`: all that runs there is in view, and neither frees nor
/// keeps what it is given.
bool ResourceGenerator::leavesData(const Expr &At) const {
  bool Runs = false;
  for (const Expr *Arg : argumentsOf(At)) {
    const QualType Type = bare(Arg)->getType(); // null for what was not understood
    if (Type.isNull() || (!Type->isFunctionPointerType() && !Type->isFunctionType()))
      continue;
    const FunctionDecl *Run = functionIn(*Arg);
    const ResourceSummary *Known = Run ? summaryOf(*Run) : nullptr;
    if (!Known)
      return false;
    for (unsigned I = 0; I < Run->getNumParams(); ++I)
      if (Known->speaksOf(I))
        return false;
    Runs = true;
  }
  return Runs;
}

} // namespace tensorleak
