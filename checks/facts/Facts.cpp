//===-- Facts.cpp ---------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/facts/Facts.h"

namespace tensorleak {

PlaceId PlaceTable::intern(Place P) {
  auto [It, Fresh] = Index.try_emplace(nameOf(P), Places.size());
  if (Fresh)
    Places.push_back(P);
  return It->second;
}

PlaceId PlaceTable::find(const clang::ValueDecl *D, PlaceId Parent) const {
  auto It = Index.find(nameOf({Place::Local, D, Parent}));
  return It == Index.end() ? NoId : It->second;
}

llvm::SmallVector<clang::Stmt *, 4> FunctionFacts::bodies() const {
  llvm::SmallVector<clang::Stmt *, 4> Out{Function->getBody()};
  for (const Splice &S : Splices)
    Out.push_back(S.Body->getBody());
  return Out;
}

LoopId FunctionFacts::loopOfDecl(PlaceId P) const {
  auto It = DeclLoops.find(Places[rootOf(P)].Decl);
  return It == DeclLoops.end() ? NoId : It->second;
}

} // namespace tensorleak
