//===-- ResourceThrows.cpp - Calls that exceptions leave ------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/ResourceGenerator.h"

using namespace clang;

namespace tensorleak {

bool ResourceGenerator::hasOwners() {
  if (!Owners) // many calls in one function ask
    Owners = findOwners(*Out->Function);
  return *Owners;
}

/// An exception that leaves \p Callee leaves this function too, or goes on in a handler. Where a
/// call to the device fails, most programs end, and what then stays behind is no leak: but not
/// what a function leaves that cleans up elsewhere.
void ResourceGenerator::mayLeave(const Stmt &At, const FunctionDecl *Callee) {
  if (!Callee || isNoexcept(*Out->Function))
    return;
  if (Throwing.mayThrow(*Callee))
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
