//===-- Steps.cpp ---------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/retained-activation/Steps.h"

#include "checks/flow/ValueWalk.h"
#include "checks/source/Expressions.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

//===-- Concatenations ------------------------------------------------------===//

/// It gives a part of what it is called on.
static bool cuts(const Value &V) {
  if (V.From != Source::Api)
    return false;
  const ShapeRule Shape = V.Api.Shape;
  return Shape == ShapeRule::Select || Shape == ShapeRule::Narrow || Shape == ShapeRule::Slice ||
         Shape == ShapeRule::Index || (V.Api.What == Does::View && Shape == ShapeRule::Unknown);
}

/// \p V has all of what \p P held.
static bool hasAllOf(const FunctionFacts &Facts, ValueId V, PlaceId P, LoopId L) {
  using Next = ValueWalk::Next;
  ValueWalk Walk(Facts, ValueWalk::Variables::AllWrites);
  return Walk.alongGraph().within(L).any(V, [&](ValueId Part, unsigned) {
    const Value &Val = Facts.Values[Part];
    if (Val.From == Source::Load && Facts.isIn(Val.Loaded, P))
      return Next::Found;
    return cuts(Val) ? Next::Past : Next::Into;
  }) == ValueWalk::Answer::Yes;
}

bool concatenatesItself(const FunctionFacts &Facts, const Event &E, LoopId L) {
  using Next = ValueWalk::Next;
  ValueWalk Walk(Facts, ValueWalk::Variables::AllWrites);
  return Walk.within(L).any(E.Val, [&](ValueId V, unsigned) {
    const Value &Val = Facts.Values[V];
    bool IsWhole = Val.From == Source::Api && Val.Api.What == Does::Concat;
    if (IsWhole && hasAllOf(Facts, V, E.Place, L))
      return Next::Found;
    bool Hands = Val.From == Source::Group || (Val.From == Source::Load && Val.Loaded != E.Place);
    return Hands ? Next::Into : Next::Past;
  }) == ValueWalk::Answer::Yes;
}

static bool isComputedIn(const FunctionFacts &Facts, ValueId V, LoopId L) {
  return llvm::any_of(Facts.Events, [&](const Event &E) {
    const bool Makes = E.Kind == EventKind::Compute || E.Kind == EventKind::UserCall;
    return Makes && E.Val == V && Facts.isInside(E.InLoop, L);
  });
}

bool isMadeInRounds(const FunctionFacts &Facts, const Event &E, LoopId L) {
  using Next = ValueWalk::Next;
  if (E.Callee) // which makes it
    return true;
  return ValueWalk(Facts, ValueWalk::Variables::AllWrites)
             .within(L)
             .any(valuesOf(E), [&](ValueId V, unsigned) {
               const Source Is = Facts.Values[V].From;
               return Is == Source::Unknown || isComputedIn(Facts, V, L) ? Next::Found : Next::Into;
             }) != ValueWalk::Answer::No;
}

} // namespace tensorleak
