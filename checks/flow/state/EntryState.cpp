//===-- EntryState.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/flow/state/EntryState.h"

#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace tensorleak {

using statepoint::State;

static void enterParameters(State &S, const FunctionFacts &Facts,
                            llvm::ArrayRef<TensorType> Given) {
  for (const ParmVarDecl *Param : Facts.Function->parameters()) {
    PlaceId P = Facts.Places.find(Param, NoId);
    unsigned I = Param->getFunctionScopeIndex();
    if (P != NoId && I < Given.size() && Given[I].Dims)
      S.Places.edit(P).Type = Given[I];
  }
}

/// `this`, or a parameter that names the caller's object.
static bool isGivenObject(const Place &Object) {
  const auto *Parameter = dyn_cast_or_null<ParmVarDecl>(Object.Decl);
  return Parameter
             ? Parameter->getType()->isReferenceType() || Parameter->getType()->isPointerType()
             : Object.Root == Place::This && !Object.Decl;
}

const FieldDecl *memberOfGiven(const FunctionFacts &Facts, PlaceId P) {
  const Place &Part = Facts.Places[P];
  const auto *Member = dyn_cast_or_null<FieldDecl>(Part.Decl);
  const bool IsMember = Member && !Part.isEntry() && Part.isField();
  return IsMember && isGivenObject(Facts.Places[Part.Parent]) ? Member : nullptr;
}

/// What is known of the members of the objects given; a constructor finds nothing in its own.
static void enterMembers(State &S, const FunctionFacts &Facts, const EntrySources &Sources) {
  if (!Sources.Members || isa<CXXConstructorDecl>(Facts.Function))
    return;
  for (PlaceId P = 0; P < Facts.Places.size(); ++P) {
    const FieldDecl *Member = memberOfGiven(Facts, P);
    auto Type = Member ? Sources.Members->find(Member) : Sources.Members->end();
    if (Type == Sources.Members->end())
      continue;
    TensorInfo &Info = S.Places.edit(P);
    Info = {Sources.Leaves.test(P) ? Graph::Leaf : Graph::Unknown, NoId, Type->second};
    if (!Info.Type.Dims)
      Info.Type.Dims = Sources.Types.named(P).Dims;
  }
}

State entryState(const FunctionFacts &Facts, Mode Entry, const EntrySources &Sources) {
  State S;
  S.GradMode = Entry;
  S.Places = SharedVector<TensorInfo>(Facts.Places.size());
  for (PlaceId P = 0; P < Facts.Places.size(); ++P)
    if (Facts.Places[P].Root != Place::Local && !Facts.Places[P].isField())
      S.Places.edit(P) = {Graph::Unknown, NoId, Sources.Types.named(P)};
  enterParameters(S, Facts, Sources.Given);
  enterMembers(S, Facts, Sources);
  return S;
}

} // namespace tensorleak
