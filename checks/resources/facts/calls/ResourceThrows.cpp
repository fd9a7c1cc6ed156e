//===-- ResourceThrows.cpp - Calls that exceptions leave ------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/ResourceGenerator.h"

#include "checks/source/Statements.h"
#include "checks/source/UserCode.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace tensorleak {

bool ResourceGenerator::hasOwners() {
  if (!Owners) // many calls in one function ask
    Owners = findOwners(*Out->Function);
  return *Owners;
}

/// A function of the user's in another file, of which nothing says that it does not throw.
static bool isUnseenThrower(const FunctionDecl &F) {
  return !F.hasBody() && !F.isDefaulted() && !F.isExternC() && !isNoexcept(F) &&
         !isInLibraryHeader(F) && !F.isImplicit();
}

/// `std::cerr << e.what()`
static bool isOutput(const Stmt &S) {
  const auto *Op = dyn_cast<CXXOperatorCallExpr>(&S);
  return Op && Op->getOperator() == OO_LessLess;
}

/// Of a library of C++: what CUDA's and C's headers declare, dim3 as well, is in no namespace.
static bool mayThrowInLibrary(const FunctionDecl &F) {
  return isInLibraryHeader(F) && !isNoexcept(F) &&
         !F.getEnclosingNamespaceContext()->isTranslationUnit();
}

/// Something in the block is known to throw, or belongs to a library that may.
bool ResourceGenerator::isThrowExplained(const Stmt &S) const {
  const auto *Call = dyn_cast<CallExpr>(&S);
  const auto *Made = dyn_cast<CXXConstructExpr>(&S);
  if (isa<CXXThrowExpr, CXXNewExpr>(S))
    return true;
  if ((!Call && !Made) || isOutput(S))
    return false;
  const FunctionDecl *F = Made ? Made->getConstructor() : Call->getDirectCallee();
  return !F || Throwing.mayThrow(*F) || Throwing.isCheck(*F) || mayThrowInLibrary(*F);
}

/// A `try` is written for something: where nothing else in its block throws, what this file does
/// not show does.
bool ResourceGenerator::mayThrowUnseen(const Stmt &At, const FunctionDecl &Callee) {
  const CXXTryStmt *Try = isUnseenThrower(Callee) ? Out->Tries.lookup(&At) : nullptr;
  if (!Try)
    return false;
  auto [Known, IsNew] = TriesUnseen.try_emplace(Try, false);
  if (IsNew)
    Known->second =
        !anyBelow(Try->getTryBlock(), [&](const Stmt &S) { return isThrowExplained(S); });
  return Known->second;
}

/// An exception that leaves \p Callee leaves this function too, or goes on in a handler. Where a
/// call to the device fails, most programs end, and what then stays behind is no leak: but not
/// what a function leaves that cleans up elsewhere.
void ResourceGenerator::mayLeave(const Stmt &At, const FunctionDecl *Callee) {
  if (!Callee || isNoexcept(*Out->Function))
    return;
  if (Throwing.mayThrow(*Callee) || mayThrowUnseen(At, *Callee))
    emit(ResourceEventKind::Throw, At);
  else if (Throwing.isCheck(*Callee) && (isa<CXXConstructorDecl>(Out->Function) || hasOwners()))
    mayFail(At);
}

/// `check(cudaMalloc(&p, n))` throws where the call that it is given has failed.
void ResourceGenerator::mayFail(const Stmt &Check) {
  const auto *Call = dyn_cast<CallExpr>(&Check);
  if (!Call)
    return;
  for (const Expr *Arg : Call->arguments()) {
    const auto *Asked = dyn_cast<CallExpr>(bare(Arg));
    if (!Asked || !isDeviceStatus(Asked->getType()))
      continue;
    ResourceEvent &Failed = emit(ResourceEventKind::Throw, Check);
    Failed.OnFailure = true;
    if (auto Told = Out->Statuses.find(Asked); Told != Out->Statuses.end())
      for (SiteId Id : Told->second.Sites)
        Failed.Value.push_back({Atom::Fresh, Id});
    return;
  }
}

} // namespace tensorleak
