//===-- UnusedGradients.cpp -----------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/analysis/UnusedGradients.h"

#include "checks/analysis/Optimizers.h"

using namespace clang;

namespace tensorleak {
namespace {

class Search {
public:
  Search(const Unit &U, const FunctionUnit &F) : U(U), F(F), Facts(*F.Facts) {}
  std::vector<UnusedGradients> run();

private:
  void checkBackward(unsigned Index);
  void checkForward(ValueId V, unsigned Forward, unsigned Backward);
  bool startsTheGraph(ValueId V) const;
  unsigned forwardOf(ValueId V) const;
  bool isTouched(const ValueDecl *Module) const;
  bool touches(const FunctionFacts &Other, const ValueDecl *Module) const;
  const Event *firstStepAfter(unsigned Index) const;
  const ValueDecl *optimizerOf(const ValueDecl *Module) const;
  bool isResetBeforeStep(const ValueDecl *Module, unsigned Backward) const;
  void add(UnusedGradients::Reason Why, const ValueDecl *Module, unsigned Forward,
           unsigned Backward);

  const Unit &U;
  const FunctionUnit &F;
  const FunctionFacts &Facts;
  std::vector<UnusedGradients> Found;
};

std::vector<UnusedGradients> Search::run() {
  for (unsigned I = 0; I < Facts.Events.size(); ++I) {
    const Event &E = Facts.Events[I];
    if (E.Kind == EventKind::Backward && E.InLoop != NoId && !E.Callee)
      checkBackward(I);
  }
  return std::move(Found);
}

/// The event that the value of a module's forward belongs to; NoId for others.
unsigned Search::forwardOf(ValueId V) const {
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

void Search::checkBackward(unsigned Index) {
  anyComputedFrom(Facts, Facts.Events[Index].Val, Index, [&](ValueId V, unsigned) {
    if (unsigned Forward = forwardOf(V); Forward != NoId)
      checkForward(V, Forward, Index);
    return false;
  });
}

/// No gradient has to go on through the module to something before it.
bool Search::startsTheGraph(ValueId V) const {
  return F.State.SelfOf[V].Carries < Graph::Leaf && F.State.RestOf[V].Carries < Graph::Leaf;
}

void Search::checkForward(ValueId V, unsigned Forward, unsigned Backward) {
  PlaceId P = Facts.Events[Forward].Place;
  if (P == NoId || Facts.Places[P].isField() || Facts.Places[P].Root != Place::Local)
    return;
  const ValueDecl *Module = Facts.Places[P].Decl;
  if (!Module || U.isFrozen(Module))
    return;
  if (firstStepAfter(Backward) && !isTouched(Module))
    add(UnusedGradients::InNoOptimizer, Module, Forward, Backward);
  else if (startsTheGraph(V) && isResetBeforeStep(Module, Backward))
    add(UnusedGradients::ResetBeforeStep, Module, Forward, Backward);
}

void Search::add(UnusedGradients::Reason Why, const ValueDecl *Module, unsigned Forward,
                 unsigned Backward) {
  bool Known = llvm::any_of(Found, [&](const UnusedGradients &G) {
    return G.Why == Why && G.Module == Module;
  });
  if (!Known)
    Found.push_back({Why, Module, Forward, Backward});
}

//===-- In no optimizer ---------------------------------------------------===//

/// Somebody takes the parameters of \p Module, resets their gradients, or gets hold
/// of the module itself.
bool Search::touches(const FunctionFacts &Other, const ValueDecl *Module) const {
  for (const Value &V : Other.Values)
    if (V.Api.What == Does::Parameters && V.Loaded != NoId &&
        Other.Places[Other.rootOf(V.Loaded)].Decl == Module)
      return true;
  return llvm::any_of(Other.Events, [&](const Event &E) {
    if (E.Place == NoId || Other.Places[Other.rootOf(E.Place)].Decl != Module)
      return false;
    return E.Kind == EventKind::Unknown || E.Kind == EventKind::Escape ||
           E.Kind == EventKind::ResetGrad || (E.Kind == EventKind::Use && E.Callee);
  });
}

bool Search::isTouched(const ValueDecl *Module) const {
  return llvm::any_of(U.functions(), [&](const FunctionUnit &Other) {
    return touches(*Other.Facts, Module);
  });
}

//===-- Reset before its step ---------------------------------------------===//

/// The first step after a backward pass, in the same loop.
const Event *Search::firstStepAfter(unsigned Index) const {
  for (unsigned I = Index + 1; I < Facts.Events.size(); ++I)
    if (Facts.Events[I].Kind == EventKind::Step &&
        Facts.isInside(Facts.Events[I].InLoop, Facts.Events[Index].InLoop))
      return &Facts.Events[I];
  return nullptr;
}

/// The optimizer that is known to step \p Module and nothing unknown.
const ValueDecl *Search::optimizerOf(const ValueDecl *Module) const {
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
bool Search::isResetBeforeStep(const ValueDecl *Module, unsigned Backward) const {
  const Event *Step = firstStepAfter(Backward);
  const ValueDecl *Own = optimizerOf(Module);
  if (!Step || Step->Place == NoId || !Own)
    return false;
  ParameterSet Others = parametersOf(Facts, Facts.Places[Step->Place].Decl);
  if (!Others.Known || Others.has(Module))
    return false;
  const unsigned Size = Facts.Events.size();
  for (unsigned Offset = 1; Offset < Size; ++Offset) { // around the loop
    const Event &E = Facts.Events[(Backward + Offset) % Size];
    if (E.Place == NoId || !Facts.isInside(E.InLoop, Facts.Events[Backward].InLoop))
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

std::vector<UnusedGradients> findUnusedGradients(const Unit &U, const FunctionUnit &F) {
  return Search(U, F).run();
}

} // namespace tensorleak
