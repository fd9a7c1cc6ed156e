//===-- StepsByHand.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/missing-zero-grad/StepsByHand.h"

#include "checks/rules/missing-zero-grad/MemberOptimizers.h"

using namespace clang;

namespace tensorleak {
namespace {

class StepsByHandSearch {
public:
  StepsByHandSearch(Unit &U, const FunctionUnit &F) : U(U), F(F), Facts(*F.Facts) {}
  std::vector<StepByHand> run();

private:
  using Places = llvm::SmallVector<PlaceId, 4>;
  bool isGradientOf(ValueId V, PlaceId P) const;
  bool followsGradient(unsigned Write) const;
  bool addsToGradients(const Event &E) const;
  unsigned backwardIn(LoopId L) const;
  bool mayReset(const Event &E, PlaceId P) const;
  bool isGivenAway(const Event &E, PlaceId P) const;
  bool addNamed(ValueId V, Places &Found) const;
  bool addPutInto(PlaceId P, Places &Found) const;
  Places namesBefore(PlaceId P, LoopId L) const;
  StepByHand stepAt(unsigned Write) const;

  Unit &U;
  const FunctionUnit &F;
  const FunctionFacts &Facts;
};

/// `w.grad()`, of what stands in \p P itself.
bool StepsByHandSearch::isGradientOf(ValueId V, PlaceId P) const {
  const Value &Val = Facts.Values[V];
  if (Val.From != Source::Api || Val.Api.What != Does::GradOf || Val.Inputs.empty())
    return false;
  const Value &Of = Facts.Values[Val.Inputs.front()];
  return Of.From == Source::Load && Of.Loaded == P;
}

/// The tensor is written in place with what is computed from its own gradient.
bool StepsByHandSearch::followsGradient(unsigned Write) const {
  using Next = ValueWalk::Next;
  const Event &E = Facts.Events[Write];
  if (E.Kind != EventKind::Mutate || E.Callee || E.Place == NoId || !Facts.Places[E.Place].Decl)
    return false;
  return ValueWalk(Facts, ValueWalk::Variables::Earlier)
             .before(Write)
             .any(E.Args, [&](ValueId V, unsigned) {
               return isGradientOf(V, E.Place) ? Next::Found : Next::Into;
             }) == ValueWalk::Answer::Yes;
}

/// As `torch::autograd::grad` does not.
bool StepsByHandSearch::addsToGradients(const Event &E) const {
  const auto *Call = dyn_cast_or_null<CallExpr>(E.At);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  auto Known = E.Kind == EventKind::Backward && Callee ? U.model().effectOf(*Callee) : std::nullopt;
  return Known && Known->What == Does::Backward;
}

unsigned StepsByHandSearch::backwardIn(LoopId L) const {
  for (unsigned I = 0; I < Facts.Events.size(); ++I)
    if (addsToGradients(Facts.Events[I]) && Facts.isInside(Facts.Events[I].InLoop, L))
      return I;
  return NoId;
}

/// Whose gradient is let go of is not asked: of a list of parameters it may be any. A call that
/// is not followed may reset what it can reach.
bool StepsByHandSearch::mayReset(const Event &E, PlaceId P) const {
  if (replacesGradients(Facts, E))
    return true;
  const Place::RootKind Root = Facts.Places[Facts.rootOf(P)].Root;
  bool IsOthers = Root != Place::Local && Root != Place::Param;
  bool IsPut = replacesContent(E) && Facts.isIn(P, E.Place); // another tensor, without a gradient
  return IsPut || isGivenAway(E, P) || (E.Kind == EventKind::Opaque && IsOthers);
}

bool StepsByHandSearch::isGivenAway(const Event &E, PlaceId P) const {
  return (E.Kind == EventKind::Unknown || E.Kind == EventKind::Escape) &&
         (E.Place == NoId || Facts.rootOf(E.Place) == Facts.rootOf(P));
}

/// The places that \p V is read from. False where it may be a new tensor.
bool StepsByHandSearch::addNamed(ValueId V, Places &Found) const {
  const Value &Val = Facts.Values[V];
  if (Val.From == Source::Load) {
    if (!llvm::is_contained(Found, Val.Loaded))
      Found.push_back(Val.Loaded);
    return true;
  }
  return Val.From == Source::Group && !Val.Inputs.empty() &&
         llvm::all_of(Val.Inputs, [&](ValueId In) { return addNamed(In, Found); });
}

/// As addNamed, of all that is put into \p P.
bool StepsByHandSearch::addPutInto(PlaceId P, Places &Found) const {
  bool IsPut = false;
  for (unsigned I : Facts.eventsOf(P)) {
    const Event &E = Facts.Events[I];
    if (!events::keepsValue(E.Kind))
      continue;
    if (E.Val == NoId || !addNamed(E.Val, Found))
      return false;
    IsPut = true;
  }
  return IsPut;
}

/// What \p P is a name of since before the rounds of \p L: itself, or the tensors to which the
/// round makes a handle, as `for (auto w : net.weights())` does. Nothing for a tensor of the round.
StepsByHandSearch::Places StepsByHandSearch::namesBefore(PlaceId P, LoopId L) const {
  Places All{P}, Before;
  for (unsigned I = 0; I < All.size(); ++I) {
    if (!Facts.isInside(Facts.loopOfDecl(All[I]), L))
      Before.push_back(All[I]);
    else if (Facts.Places[All[I]].isField() || !addPutInto(All[I], All))
      return {};
  }
  return Before;
}

StepByHand StepsByHandSearch::stepAt(unsigned Write) const {
  const Event &E = Facts.Events[Write];
  for (LoopId L = E.InLoop; L != NoId; L = Facts.Loops[L].Parent) {
    const unsigned Backward = backwardIn(L);
    if (Backward == NoId)
      continue;
    const Places Names = namesBefore(E.Place, L);
    bool IsReset = llvm::any_of(Facts.Events, [&](const Event &Other) {
      return Facts.isInside(Other.InLoop, L) &&
             (isGivenAway(Other, E.Place) ||
              llvm::any_of(Names, [&](PlaceId P) { return mayReset(Other, P); }));
    });
    return IsReset || Names.empty() ? StepByHand() : StepByHand{Write, Backward, L};
  }
  return {};
}

std::vector<StepByHand> StepsByHandSearch::run() {
  std::vector<StepByHand> Found;
  for (unsigned I = 0; I < Facts.Events.size(); ++I) {
    if (!F.State.AtEvent[I].Reached || !followsGradient(I))
      continue;
    StepByHand Step = stepAt(I);
    bool IsKnown = llvm::any_of(Found, [&](const StepByHand &Other) {
      return Other.Loop == Step.Loop && Facts.Events[Other.Write].Place == Facts.Events[I].Place;
    });
    if (Step.Loop != NoId && !IsKnown)
      Found.push_back(Step);
  }
  return Found;
}

} // namespace

std::vector<StepByHand> stepsByHandWithoutReset(Unit &U, const FunctionUnit &F) {
  return StepsByHandSearch(U, F).run();
}

} // namespace tensorleak
