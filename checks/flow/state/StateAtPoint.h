//===-- StateAtPoint.h - What TensorState knows at one point ----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grad mode, the guards in force, and what each place holds.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FLOW_STATE_STATEATPOINT_H
#define TENSORLEAK_CHECKS_FLOW_STATE_STATEATPOINT_H

#include "checks/flow/state/SharedVector.h"
#include "checks/flow/state/TensorState.h"

namespace tensorleak::statepoint {

/// `resize_`, `unsqueeze_`, an `out=` function: the event gives the tensor that it writes in place
/// another shape.
inline bool reshapes(const Event &E, const FunctionFacts &Facts) {
  return E.Val != NoId && Facts.Values[E.Val].From == Source::Api &&
         Facts.Values[E.Val].Api.Shape == ShapeRule::Unknown;
}

inline bool joinInfo(TensorInfo &Into, const TensorInfo &From) {
  if (From.Carries == Graph::Unset)
    return false;
  if (Into.Carries == Graph::Unset) {
    Into = From;
    return true;
  }
  TensorInfo Before = Into;
  joinType(Into.Type, From.Type);
  if (From.Carries > Into.Carries) {
    Into.Carries = From.Carries;
    Into.Origin = From.Origin;
  }
  return Into.Carries != Before.Carries || !(Into.Type == Before.Type);
}

/// The state at one program point.
struct State {
  Mode GradMode = Mode::On;
  llvm::SmallVector<std::pair<PlaceId, Mode>, 2> Outer; ///< guards in force, and the mode before
  SharedVector<TensorInfo> Places;

  bool join(const State &Other);

  /// What \p E does to grad mode; false if it does nothing to that.
  bool changeMode(const Event &E) {
    if (E.Kind == EventKind::PushMode)
      Outer.push_back({E.Place, std::exchange(GradMode, E.SetTo)});
    else if (E.Kind == EventKind::PopMode && !Outer.empty() && Outer.back().first == E.Place)
      GradMode = Outer.pop_back_val().second;
    else if (E.Kind == EventKind::SetMode)
      GradMode = E.SetTo;
    else
      return E.Kind == EventKind::PopMode;
    return true;
  }
};

inline bool State::join(const State &Other) {
  bool Changed = false;
  if (GradMode != Other.GradMode && GradMode != Mode::Either) {
    GradMode = Mode::Either;
    Changed = true;
  }
  if (Other.Outer.size() < Outer.size())
    Outer = Other.Outer;
  return Places.join(Other.Places, joinInfo) || Changed;
}

/// An optimizer is given leaves that require grad: `SGD optimizer(weights, 0.1)`, of a list.
inline void bindLeaves(State &S, const FunctionFacts &Facts, const Event &E) {
  for (ValueId Arg : E.Args) {
    const Value *List = Arg == NoId ? nullptr : &Facts.Values[Arg];
    if (List && List->From == Source::Load && S.Places[List->Loaded].Carries != Graph::Yes)
      S.Places.edit(List->Loaded).Carries = Graph::Leaf;
  }
}

} // namespace tensorleak::statepoint

#endif // TENSORLEAK_CHECKS_FLOW_STATE_STATEATPOINT_H
