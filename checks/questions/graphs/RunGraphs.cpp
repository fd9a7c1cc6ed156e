//===-- RunGraphs.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/questions/graphs/RunGraphs.h"

#include "checks/facts/Ways.h"
#include "checks/flow/ValueWalk.h"
#include "llvm/ADT/STLExtras.h"

namespace tensorleak {

/// The variable of the function that \p V is the value of, where it has one value in each round.
static PlaceId constantBehind(const FunctionFacts &Facts, ValueId V) {
  const Value &Val = Facts.Values[V];
  if (Val.From != Source::Load || Facts.Places[Val.Loaded].isField() ||
      Facts.Places[Val.Loaded].Root != Place::Local)
    return NoId;
  const auto Writes = llvm::count_if(Facts.Events, [&](const Event &Write) {
    return events::writes(Write.Kind) && Write.Place == Val.Loaded;
  });
  return Writes == 1 ? Val.Loaded : NoId;
}

/// The loop each round of which makes the variable \p P, with what \p E does to it.
static LoopId roundOf(const FunctionFacts &Facts, const Event &E, PlaceId P) {
  return Facts.Places[P].OfSplice ? E.InLoop : Facts.loopOfDecl(P);
}

/// The event \p Index runs the graph of what is computed from the variable \p P, once in each
/// round of \p L. What reads \p Holder may take other parts of what that keeps.
static bool runsGraphOver(const FunctionFacts &Facts, unsigned Index, PlaceId P, LoopId L,
                          PlaceId Holder) {
  using Next = ValueWalk::Next;
  const Event &Run = Facts.Events[Index];
  if (Run.Kind != EventKind::Backward || Run.RetainsGraph || Run.Val == NoId || Run.InLoop != L ||
      !isUnconditional(Facts, Index, /*InTraining=*/true))
    return false;
  auto ReadsIt = [&](ValueId V, unsigned) {
    const Value &Val = Facts.Values[V];
    if (Val.From != Source::Load)
      return Next::Into;
    return Val.Loaded == P ? Next::Found : Facts.isIn(Val.Loaded, Holder) ? Next::Past : Next::Into;
  };
  ValueWalk Walk(Facts, ValueWalk::Variables::Earlier);
  return Walk.alongGraph().before(Index).any(Run.Val, ReadsIt) == ValueWalk::Answer::Yes;
}

/// \p V, or each part of an initializer list.
static bool isRunAsPart(const FunctionFacts &Facts, const Event &E, ValueId V) {
  const Value &Val = Facts.Values[V];
  if (Val.From == Source::Group)
    return !Val.Inputs.empty() &&
           llvm::all_of(Val.Inputs, [&](ValueId Each) { return isRunAsPart(Facts, E, Each); });
  const PlaceId P = constantBehind(Facts, V);
  return P != NoId && llvm::any_of(llvm::seq<unsigned>(Facts.Events.size()), [&](unsigned Index) {
           return runsGraphOver(Facts, Index, P, roundOf(Facts, E, P), E.Place);
         });
}

/// Each round runs the graph of something that is computed from what \p E keeps, such as a loss
/// from the output of a model.
static bool wasRunAsPart(const FunctionFacts &Facts, const Event &E) {
  const auto Kept = valuesOf(E);
  return !Kept.empty() && llvm::all_of(Kept, [&](ValueId V) { return isRunAsPart(Facts, E, V); });
}

bool wasRunByItself(const FunctionFacts &Facts, const Event &E) {
  return wasRunBackward(Facts, valuesOf(E), E.Place);
}

bool wasRunBackward(const FunctionFacts &Facts, const Event &E) {
  return wasRunByItself(Facts, E) || wasRunAsPart(Facts, E);
}

} // namespace tensorleak
