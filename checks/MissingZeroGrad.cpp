//===-- MissingZeroGrad.cpp -----------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/MissingZeroGrad.h"

using namespace clang;

namespace tensorleak {
namespace {

/// The modules whose parameters an optimizer was given, as far as we saw.
struct ParameterSet {
  bool Known = false;
  llvm::SmallVector<const ValueDecl *, 2> Modules;
};

class Checker : FunctionChecker {
public:
  using FunctionChecker::FunctionChecker;

  void run() {
    for (const Event &E : Facts.Events)
      if (E.Kind == EventKind::Step)
        checkStep(E);
  }

private:
  void checkStep(const Event &Step);
  LoopId stepLoop(const Event &Step) const;
  ParameterSet parametersOf(PlaceId Optimizer) const;
  void addParameters(const FunctionFacts &From, const ValueDecl *Optimizer,
                     ParameterSet &Set) const;
  bool mayReset(const Event &E, PlaceId Optimizer, const ParameterSet &Set) const;
  bool involves(PlaceId P, PlaceId Optimizer, const ParameterSet &Set) const;
  const Event *backwardIn(LoopId L) const;
  void report(const Event &Step, LoopId L);
};

const Event *Checker::backwardIn(LoopId L) const {
  for (const Event &E : Facts.Events)
    if (E.Kind == EventKind::Backward && Facts.isInside(E.InLoop, L))
      return &E;
  return nullptr;
}

/// The innermost loop that holds the step and a backward, if any.
LoopId Checker::stepLoop(const Event &Step) const {
  for (LoopId L = Step.InLoop; L != NoId; L = Facts.Loops[L].Parent)
    if (backwardIn(L))
      return L;
  return NoId;
}

void Checker::addParameters(const FunctionFacts &From, const ValueDecl *Optimizer,
                            ParameterSet &Set) const {
  for (const Event &E : From.Events) {
    if (E.Kind != EventKind::BindParams || E.Place == NoId ||
        From.Places[E.Place].Decl != Optimizer)
      continue;
    Set.Known = !E.Args.empty();
    for (ValueId Arg : E.Args) {
      PlaceId Module = From.Values[Arg].Loaded;
      if (Module == NoId || !From.Places[Module].Decl)
        Set.Known = false;
      else
        Set.Modules.push_back(From.Places[Module].Decl);
    }
  }
}

ParameterSet Checker::parametersOf(PlaceId Optimizer) const {
  ParameterSet Set;
  const ValueDecl *D = Facts.Places[Optimizer].Decl;
  if (!D || isa<FieldDecl>(D)) // made in another method, from another name for the module
    return Set;
  addParameters(Facts, D, Set);
  return Set;
}

bool Checker::involves(PlaceId P, PlaceId Optimizer, const ParameterSet &Set) const {
  if (P == NoId || P == Optimizer)
    return true;
  const ValueDecl *D = Facts.Places[P].Decl;
  if (!D || Facts.Places[P].Root == Place::This)
    return !D || U.model().classify(D->getType()) != TypeClass::Optimizer;
  switch (U.model().classify(D->getType())) {
  case TypeClass::Optimizer:
    return false; // another one
  case TypeClass::Module:
    return !Set.Known || llvm::is_contained(Set.Modules, D);
  default:
    return true; // a parameter, a trainer, anything that could hold the gradients
  }
}

bool Checker::mayReset(const Event &E, PlaceId Optimizer, const ParameterSet &Set) const {
  if (E.Kind == EventKind::ResetGrad)
    return involves(E.Place, Optimizer, Set);
  // An unknown call resets at most what it is handed.
  if (E.Kind != EventKind::Unknown)
    return false;
  const ValueDecl *D = Facts.Places[E.Place].Decl;
  TypeClass Class = D ? U.model().classify(D->getType()) : TypeClass::Other;
  bool Relevant = E.Place == Optimizer || !D || Class == TypeClass::Module ||
                  Facts.rootOf(E.Place) == Facts.rootOf(Optimizer);
  return Relevant && involves(E.Place, Optimizer, Set);
}

void Checker::checkStep(const Event &Step) {
  LoopId L = stepLoop(Step);
  if (L == NoId || Step.Place == NoId || !Facts.Places[Step.Place].Decl)
    return;
  if (Facts.isInside(Facts.loopOfDecl(Step.Place), L))
    return; // made anew in every round
  ParameterSet Set = parametersOf(Step.Place);
  for (const Event &E : Facts.Events)
    if (Facts.isInside(E.InLoop, L) && mayReset(E, Step.Place, Set))
      return;
  report(Step, L);
}

void Checker::report(const Event &Step, LoopId L) {
  const ValueDecl *Optimizer = Facts.Places[Step.Place].Decl;
  Diagnosis D;
  D.Rule = MissingZeroGrad::Name;
  D.TheKind = Kind::Correctness;
  D.TheLevel = Level::Warning;
  D.Loc = placeOfEvent(Step);
  D.Message = quoted(*Optimizer) +
              " steps in every round of this loop, but nothing resets its gradients; each step "
              "sees the sum of all gradients so far (memory does not grow); call 'zero_grad()' "
              "once per step";
  if (const Event *Backward = backwardIn(L))
    D.Notes.push_back({placeOfEvent(*Backward), "gradients are added to the old ones here"});
  if (Step.Callee)
    D.Notes.push_back({Step.At->getBeginLoc(), "called here in every round"});
  D.Notes.push_back({Facts.Loops[L].S->getBeginLoc(), "the loop is here"});
  D.Subject.Holder = Optimizer->getNameAsString();
  D.Subject.HolderDecl = Optimizer->getLocation();
  D.Subject.Loop = rangeOfLoop(Facts, L);
  Out.push_back(std::move(D));
}

} // namespace

void MissingZeroGrad::check(Unit &U, std::vector<Diagnosis> &Out) {
  checkFunctions<Checker>(U, Out);
}

} // namespace tensorleak
