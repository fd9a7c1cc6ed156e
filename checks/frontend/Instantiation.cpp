//===-- Instantiation.cpp -------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/Instantiation.h"

#include "checks/frontend/UserCode.h"
#include "clang/AST/Decl.h"
#include "clang/Sema/Sema.h"
#include <utility>

using namespace clang;

namespace tensorleak {

/// The function to instantiate, when the user wrote the template behind \p Pending.
static FunctionDecl *userFunction(ValueDecl *Pending, UserLocations &User) {
  auto *Function = dyn_cast<FunctionDecl>(Pending);
  if (!Function || Function->isDefined())
    return nullptr;
  const FunctionDecl *Pattern = Function->getTemplateInstantiationPattern();
  return Pattern && User.contains(Pattern->getLocation()) ? Function : nullptr;
}

unsigned instantiateUserTemplates(Sema &Sema, UserLocations &User) {
  unsigned Count = 0;
  // Instantiating a body appends what it uses in turn.
  while (!Sema.PendingInstantiations.empty()) {
    auto Pending = std::exchange(Sema.PendingInstantiations, {});
    for (auto &[Decl, PointOfUse] : Pending) {
      FunctionDecl *Function = userFunction(Decl, User);
      if (!Function)
        continue;
      Sema.InstantiateFunctionDefinition(PointOfUse, Function, /*Recursive=*/false,
                                         /*DefinitionRequired=*/false, /*AtEndOfTU=*/true);
      ++Count;
    }
  }
  return Count;
}

} // namespace tensorleak
