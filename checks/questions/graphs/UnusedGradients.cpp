//===-- UnusedGradients.cpp -----------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/questions/graphs/UnusedGradients.h"

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
  bool gathersForNothing(const ValueDecl &Module) const;
  bool startsTheGraph(ValueId V) const;
  unsigned forwardOf(ValueId V) const;
  const ValueDecl *moduleOf(const Event &Forward, const Event &Backward) const;
  SpliceId outsideModules(const Event &Forward) const;
  const Stmt *runIn(SpliceId Outside, const Event &Forward) const;
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

/// \p P, or what it is a part of, that no module has as its own: a module's parameters() gives
/// those of its members too.
static PlaceId wholeModule(ApiModel &Model, const FunctionFacts &Facts, PlaceId P) {
  auto IsOfModule = [&](PlaceId Part) {
    const auto *Field = dyn_cast_or_null<FieldDecl>(Facts.Places[Part].Decl);
    return Field && Model.isModuleClass(*Field->getParent());
  };
  while (P != NoId && IsOfModule(P))
    P = Facts.Places[P].Parent;
  return P;
}

/// A variable of the function, in whose loops it is trained; or a member of which we see
/// all that happens to it, in a function that is a step of the training.
const ValueDecl *UnusedGradientSearch::moduleOf(const Event &Forward, const Event &Backward) const {
  const PlaceId Whole = wholeModule(U.model(), Facts, Forward.Place);
  if (Whole == NoId)
    return nullptr;
  const Place &P = Facts.Places[Whole];
  if (!P.isField())
    return P.Root == Place::Local && Backward.InLoop != NoId ? P.Decl : nullptr;
  const auto *Field = dyn_cast_or_null<FieldDecl>(P.Decl);
  return Field && U.isSeenWhole(*Field) ? Field : nullptr;
}

/// Nothing asks for gradients of the parameters that \p Module has, which are there to be trained.
bool UnusedGradientSearch::gathersForNothing(const ValueDecl &Module) const {
  const auto Names = namesOf(U, Module);
  auto Is = [&](auto Test) { return Names && llvm::any_of(*Names, Test); };
  return Is([&](const ValueDecl *Name) { return U.model().hasLayers(Name->getType()); }) &&
         !Is([&](const ValueDecl *Name) { return U.isFrozen(Name); }) &&
         !mayUseGradients(U, *Names);
}

void UnusedGradientSearch::checkForward(ValueId V, unsigned Forward, unsigned Backward) {
  const ValueDecl *Module = moduleOf(Facts.Events[Forward], Facts.Events[Backward]);
  if (!Module || U.isFrozen(Module))
    return;
  if (firstStepAfter(Backward) && gathersForNothing(*Module))
    add(UnusedGradients::InNoOptimizer, Module, Forward, Backward, startsTheGraph(V));
  else if (U.model().hasLayers(Module->getType()) && startsTheGraph(V) &&
           isResetBeforeStep(Module, Backward))
    add(UnusedGradients::ResetBeforeStep, Module, Forward, Backward, true);
}

/// The body around \p Forward that is no module's own; NoId for that of the function itself.
SpliceId UnusedGradientSearch::outsideModules(const Event &Forward) const {
  auto IsOfModule = [&](SpliceId In) {
    const auto *Method = dyn_cast<CXXMethodDecl>(Facts.Splices[In].Body);
    return Method && U.model().isModuleClass(*Method->getParent());
  };
  SpliceId In = Forward.In;
  while (In != NoId && IsOfModule(In))
    In = Facts.Splices[In].Around;
  return In;
}

/// What runs \p Forward there.
const Stmt *UnusedGradientSearch::runIn(SpliceId Outside, const Event &Forward) const {
  const Stmt *Run = Forward.At;
  for (SpliceId In = Forward.In; In != Outside; In = Facts.Splices[In].Around)
    Run = Facts.Splices[In].Call;
  return Run;
}

void UnusedGradientSearch::add(UnusedGradients::Reason Why, const ValueDecl *Module,
                               unsigned Forward, unsigned Backward, bool StartsGraph) {
  bool Known = llvm::any_of(
      Found, [&](const UnusedGradients &G) { return G.Why == Why && G.Module == Module; });
  const Event &Runs = Facts.Events[Forward];
  const SpliceId In = outsideModules(Runs);
  if (!Known)
    Found.push_back({Why, Module, Forward, runIn(In, Runs), In, Backward, StartsGraph});
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
