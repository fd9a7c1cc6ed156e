//===-- Facts.cpp ---------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/facts/Facts.h"

namespace tensorleak {

PlaceId PlaceTable::intern(Place P) {
  auto [It, Fresh] = Index.try_emplace({P.Decl, P.Parent}, Places.size());
  if (Fresh)
    Places.push_back(P);
  return It->second;
}

PlaceId PlaceTable::find(const clang::ValueDecl *D, PlaceId Parent) const {
  auto It = Index.find({D, Parent});
  return It == Index.end() ? NoId : It->second;
}

LoopId FunctionFacts::loopOfDecl(PlaceId P) const {
  auto It = DeclLoops.find(Places[rootOf(P)].Decl);
  return It == DeclLoops.end() ? NoId : It->second;
}

} // namespace tensorleak
