//===-- Optimizers.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/questions/Optimizers.h"

using namespace clang;

namespace tensorleak {

static void add(const FunctionFacts &Facts, const Event &Bind, ParameterSet &Set) {
  Set.Known = !Bind.Args.empty();
  for (ValueId Arg : Bind.Args) {
    PlaceId Module = Facts.Values[Arg].Loaded;
    if (Module == NoId || !Facts.Places[Module].Decl)
      Set.Known = false;
    else
      Set.Modules.push_back(Facts.Places[Module].Decl);
  }
}

ParameterSet parametersOf(const FunctionFacts &Facts, const ValueDecl *D) {
  ParameterSet Set;
  if (!D || isa<FieldDecl>(D))
    return Set;
  for (const Event &E : Facts.Events)
    if (E.Kind == EventKind::BindParams && E.Place != NoId && Facts.Places[E.Place].Decl == D)
      add(Facts, E, Set);
  return Set;
}

} // namespace tensorleak
