//===-- UnusedGradients.cpp -----------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/questions/UnusedGradients.h"

#include "checks/questions/ModuleNames.h"
#include "checks/questions/Optimizers.h"
#include "checks/questions/ParameterUse.h"

using namespace clang;

namespace tensorleak {
namespace {

class UnusedGradientSearch {
public:
  UnusedGradientSearch(Unit &U, const FunctionUnit &F) : U(U), F(F), Facts(*F.Facts) {}
  std::vector<UnusedGradients> run();

private:
  void checkBackward(unsigned Index);
  void checkForward(ValueId V, unsigned Forward, unsigned Backward);
  bool startsTheGraph(ValueId V) const;
  unsigned forwardOf(ValueId V) const;
  const ValueDecl *moduleOf(const Event &Forward, const Event &Backward) const;
  const Event *firstStepAfter(unsigned Index) const;
  const ValueDecl *optimizerOf(const ValueDecl *Module) const;
  bool isResetBeforeStep(const ValueDecl *Module, unsigned Backward) const;
  void add(UnusedGradients::Reason Why, const ValueDecl *Module, unsigned Forward,
           unsigned Backward, bool StartsGraph);

  Unit &U;
  const FunctionUnit &F;
  const FunctionFacts &Facts;
  std::vector<UnusedGradients> Found;
};

std::vector<UnusedGradients> UnusedGradientSearch::run() {
  for (unsigned I = 0; I < Facts.Events.size(); ++I) {
    const Event &E = Facts.Events[I];
    if (E.Kind == EventKind::Backward && !E.Callee)
      checkBackward(I);
  }
  return std::move(Found);
}

/// The event that the value of a module's forward belongs to; NoId for others.
unsigned UnusedGradientSearch::forwardOf(ValueId V) const {
  const Value &Val = Facts.Values[V];
  if (Val.From != Source::Api || Val.Api.What != Does::Forward ||
      F.State.Values[V].Carries != Graph::Yes)
    return NoId;
  for (unsigned I = 0; I < Facts.Events.size(); ++I)
    if (Facts.Events[I].Kind == EventKind::Forward && Facts.Events[I].At == Val.E &&
        !Facts.Events[I].Callee)
      return I;
  return NoId;
}

void UnusedGradientSearch::checkBackward(unsigned Index) {
  anyComputedFrom(Facts, Facts.Events[Index].Val, Index, [&](ValueId V, unsigned) {
    if (unsigned Forward = forwardOf(V); Forward != NoId)
      checkForward(V, Forward, Index);
    return false;
  });
}

/// No gradient has to go on through the module to something before it.
bool UnusedGradientSearch::startsTheGraph(ValueId V) const {
  return F.State.SelfOf[V].Carries < Graph::Leaf && F.State.RestOf[V].Carries < Graph::Leaf;
}

/// A variable of the function, in whose loops it is trained; or a member of which we see
/// all that happens to it, in a function that is a step of the training.
const ValueDecl *UnusedGradientSearch::moduleOf(const Event &Forward, const Event &Backward) const {
  if (Forward.Place == NoId)
    return nullptr;
  const Place &P = Facts.Places[Forward.Place];
  if (!P.isField())
    return P.Root == Place::Local && Backward.InLoop != NoId ? P.Decl : nullptr;
  const auto *Field = dyn_cast<FieldDecl>(P.Decl);
  // A module's own parameters() gives those of its members.
  bool IsSeen = Field && !U.model().isModuleClass(*Field->getParent()) && U.isSeenWhole(*Field);
  return IsSeen ? Field : nullptr;
}

void UnusedGradientSearch::checkForward(ValueId V, unsigned Forward, unsigned Backward) {
  const ValueDecl *Module = moduleOf(Facts.Events[Forward], Facts.Events[Backward]);
  if (!Module || U.isFrozen(Module) || !U.model().hasLayers(Module->getType()))
    return;
  if (firstStepAfter(Backward) && !mayUseGradients(U, *Module))
    add(UnusedGradients::InNoOptimizer, Module, Forward, Backward, startsTheGraph(V));
  else if (startsTheGraph(V) && isResetBeforeStep(Module, Backward))
    add(UnusedGradients::ResetBeforeStep, Module, Forward, Backward, true);
}

void UnusedGradientSearch::add(UnusedGradients::Reason Why, const ValueDecl *Module,
                               unsigned Forward, unsigned Backward, bool StartsGraph) {
  bool Known = llvm::any_of(
      Found, [&](const UnusedGradients &G) { return G.Why == Why && G.Module == Module; });
  if (!Known)
    Found.push_back({Why, Module, Forward, Backward, StartsGraph});
}

//===-- Reset before its step ---------------------------------------------===//

/// \p E happens in every round of the loop around \p Of, or neither is in a loop.
static bool isInSameLoop(const FunctionFacts &Facts, const Event &E, const Event &Of) {
  return Of.InLoop == NoId || Facts.isInside(E.InLoop, Of.InLoop);
}

/// The first step after a backward pass, in the same loop.
const Event *UnusedGradientSearch::firstStepAfter(unsigned Index) const {
  for (unsigned I = Index + 1; I < Facts.Events.size(); ++I)
    if (Facts.Events[I].Kind == EventKind::Step &&
        isInSameLoop(Facts, Facts.Events[I], Facts.Events[Index]))
      return &Facts.Events[I];
  return nullptr;
}

/// The optimizer that is known to step \p Module and nothing unknown.
const ValueDecl *UnusedGradientSearch::optimizerOf(const ValueDecl *Module) const {
  for (const Event &E : Facts.Events) {
    if (E.Kind != EventKind::BindParams || E.Place == NoId)
      continue;
    const ValueDecl *Optimizer = Facts.Places[E.Place].Decl;
    ParameterSet Set = parametersOf(Facts, Optimizer);
    if (Set.Known && Set.has(Module))
      return Optimizer;
  }
  return nullptr;
}

/// After the backward pass another optimizer steps, and what comes next for this
/// module is a reset: its gradients were computed for nothing.
bool UnusedGradientSearch::isResetBeforeStep(const ValueDecl *Module, unsigned Backward) const {
  const Event *Step = firstStepAfter(Backward);
  const ValueDecl *Own = optimizerOf(Module);
  if (!Step || Step->Place == NoId || !Own || hasOtherName(U, *Own))
    return false;
  ParameterSet Others = parametersOf(Facts, Facts.Places[Step->Place].Decl);
  if (!Others.Known || Others.has(Module))
    return false;
  const unsigned Size = Facts.Events.size();
  for (unsigned Offset = 1; Offset < Size; ++Offset) { // around the loop
    const Event &E = Facts.Events[(Backward + Offset) % Size];
    if (E.Place == NoId || !isInSameLoop(Facts, E, Facts.Events[Backward]))
      continue;
    const ValueDecl *D = Facts.Places[E.Place].Decl;
    bool Concerns = D == Own || D == Module;
    if (Concerns && E.Kind == EventKind::ResetGrad)
      return true;
    if (Concerns && (E.Kind == EventKind::Step || E.Kind == EventKind::Unknown))
      return false;
  }
  return false;
}

} // namespace

std::vector<UnusedGradients> findUnusedGradients(Unit &U, const FunctionUnit &F) {
  return UnusedGradientSearch(U, F).run();
}

} // namespace tensorleak
