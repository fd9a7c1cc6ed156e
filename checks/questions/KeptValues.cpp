//===-- KeptValues.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/questions/KeptValues.h"

using namespace clang;

namespace tensorleak {

static std::optional<int64_t> numberOfElements(const TensorType &T) {
  auto Count = T.elements();
  return Count ? Count->number() : std::nullopt;
}

TensorType keptAtLeast(const TensorType &T) {
  auto Count = numberOfElements(T);
  return Count && *Count <= 1 ? TensorType() : T;
}

bool wasRunBackward(const FunctionFacts &Facts, const Event &E) {
  llvm::SmallVector<ValueId, 4> Kept(E.Args.begin(), E.Args.end());
  Kept.push_back(E.Val);
  return wasRunBackward(Facts, Kept, E.Place);
}

bool keepsTensors(const FunctionFacts &Facts, ValueId V) {
  const Value &Val = Facts.Values[V];
  if (Val.From == Source::UserCall)
    return true;
  if (Val.From != Source::Api || !Val.Api.has(Elementwise) || Val.Api.has(LikeSelf))
    return Val.From == Source::Api && Val.Api.What != Does::View && Val.Api.What != Does::Copy &&
           Val.Api.What != Does::Concat && keepsGraph(Val);
  return Val.Api.has(SavesOperands) ? Val.Inputs.size() > 1 : !Val.Api.has(HasInPlace);
}

bool keepsNodesOnly(const FunctionFacts &Facts, const Event &E) {
  unsigned Index = &E - Facts.Events.data();
  return !anyComputedFrom(Facts, E.Val, Index,
                          [&](ValueId V, unsigned) { return keepsTensors(Facts, V); });
}

bool buildsGraphOverTensors(const FunctionUnit &F) {
  const FunctionFacts &Facts = *F.Facts;
  return llvm::any_of(Facts.Events, [&](const Event &E) {
    return E.Kind == EventKind::Forward ||
           (E.Kind == EventKind::Compute && F.State.Values[E.Val].Carries == Graph::Yes &&
            keepsTensors(Facts, E.Val));
  });
}

std::optional<PinnedBase> pinnedBase(const FunctionUnit &F, unsigned GrowEvent) {
  const FunctionFacts &Facts = *F.Facts;
  const Event &E = Facts.Events[GrowEvent];
  if (E.Val == NoId || Facts.Values[E.Val].Inputs.size() != 1)
    return std::nullopt;
  const Value &View = Facts.Values[Facts.Values[E.Val].Inputs.front()];
  if (View.From != Source::Api || View.Api.What != Does::View || View.Inputs.empty())
    return std::nullopt;
  const Value &Base = Facts.Values[View.Inputs.front()];
  auto Part = numberOfElements(F.State.AtEvent[GrowEvent].Info.Type);
  if (Base.From != Source::Load || !Part)
    return std::nullopt;
  constexpr int64_t WorthACopy = 16; // the base is this many times the view
  for (unsigned I = 0; I < Facts.Events.size(); ++I) {
    const Event &Made = Facts.Events[I];
    if (Made.Kind != EventKind::Store || Made.Place != Base.Loaded || Made.InLoop != E.InLoop)
      continue;
    const TensorType &Whole = F.State.AtEvent[I].Info.Type;
    auto Count = numberOfElements(Whole);
    if (Count && *Count >= WorthACopy * *Part)
      return PinnedBase{Facts.Places[Base.Loaded].Decl, Whole};
    return std::nullopt;
  }
  return std::nullopt;
}

} // namespace tensorleak
