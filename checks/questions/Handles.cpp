//===-- Handles.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/questions/Handles.h"

using namespace clang;

namespace tensorleak {

bool isFresh(const Value &V) {
  if (V.From != Source::Api)
    return false;
  switch (V.Api.What) {
  case Does::Create:
  case Does::Compute:
  case Does::ComputeConst:
  case Does::Concat:
    return true;
  case Does::Copy:
    return V.Api.has(Fresh);
  default:
    return false;
  }
}

/// Whether the storage of \p P's tensor is reachable through \p V, or that cannot be told.
static bool shares(const FunctionFacts &Facts, ValueId V, PlaceId P) {
  using Next = ValueWalk::Next;
  return ValueWalk(Facts).any(V, [&](ValueId Part, unsigned) {
    const Value &Val = Facts.Values[Part];
    if (Val.From == Source::Load && Val.Loaded == P)
      return Next::Found;
    return isFresh(Val) ? Next::Past : Next::Into;
  }) != ValueWalk::Answer::No;
}

static bool givesAway(const FunctionFacts &Facts, const Event &E, PlaceId P) {
  if (events::content(E.Kind) == Content::Replaced && E.Place == P)
    return E.Val == NoId || !isFresh(Facts.Values[E.Val]);
  if (events::keepsValue(E.Kind))
    return shares(Facts, E.Val, P);
  return events::leaves(E.Kind) && (E.Place == P || shares(Facts, E.Val, P));
}

static bool isCaptured(const Unit &U, const ValueDecl *D) {
  return llvm::any_of(U.functions(), [&](const FunctionUnit &F) {
    for (PlaceId P = 0; P < F.Facts->Places.size(); ++P)
      if (F.Facts->Places[P].Decl == D && F.Facts->Places[P].Root == Place::Captured)
        return true;
    return false;
  });
}

bool isSoleHandle(const Unit &U, const FunctionFacts &Facts, PlaceId P) {
  const Place &Holder = Facts.Places[P];
  if (Holder.Root != Place::Local || Holder.isField() || !isa_and_nonnull<VarDecl>(Holder.Decl))
    return false;
  for (const Event &E : Facts.Events)
    if (givesAway(Facts, E, P))
      return false;
  return !isCaptured(U, Holder.Decl);
}

bool isDeadAfter(const FunctionFacts &Facts, PlaceId P, unsigned Index) {
  LoopId DeclaredIn = Facts.loopOfDecl(P);
  if (Facts.Events[Index].InLoop != DeclaredIn)
    return false; // the next round may read it
  for (unsigned I = Index + 1; I < Facts.Events.size(); ++I)
    if (Facts.Events[I].Kind == EventKind::Use && Facts.Events[I].Place == P)
      return false;
  return true;
}

} // namespace tensorleak
