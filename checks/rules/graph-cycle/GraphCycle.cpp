//===-- GraphCycle.cpp - tensor-graph-cycle -------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Autograd graphs that refer to themselves. Nothing frees such a graph, not even
// the end of every handle.
//
//===----------------------------------------------------------------------===//
#include "checks/rules/Rules.h"
#include "checks/rules/graph-cycle/SavedOutputs.h"
#include "checks/source/Expressions.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {
namespace {

class GraphCycleChecker : FunctionChecker {
public:
  using FunctionChecker::FunctionChecker;
  void run();

private:
  // One function per way to close a cycle.
  void checkBackward(const Event &E);
  void checkGradient(const Event &E, const EventState &At);
  void checkHook(const Event &E, const EventState &At);
  void checkSaved(const Event &E);
  void checkMutate(unsigned Index);

  bool isReset(const Event &E) const;
  bool isTakenAway(PlaceId Hooked) const;
  bool isErasedElsewhere() const;
  bool isSavedData(const FunctionFacts &In, const Event &E) const;
  void reportSaved(const Event &E, const SavedOutput &Found);
  bool carriesOwner(const Event &E) const;
  bool usesOwnGradient(const Event &E) const;
  bool keepsOperand(ValueId V, PlaceId P) const;
  unsigned whereKept(ValueId V, PlaceId P, unsigned Before) const;
  unsigned madeAt(ValueId V, unsigned Before) const;
  bool isRebound(PlaceId P, unsigned From, unsigned To) const;

  Level level() const { return U.isCallContextKnown(F) ? Level::Warning : Level::Note; }
  Diagnosis &report(const Event &E, PlaceId Holder, std::string Message);
};

void GraphCycleChecker::run() {
  for (unsigned I = 0; I < Facts.Events.size(); ++I) {
    const Event &E = Facts.Events[I];
    const EventState &At = F.State.AtEvent[I];
    if (!At.Reached || E.Callee) // what a callee does is said where it stands
      continue;
    if (E.Kind == EventKind::Backward && E.CreatesGraph)
      checkBackward(E);
    else if (E.Kind == EventKind::GradStore)
      checkGradient(E, At);
    else if (E.Kind == EventKind::Hook)
      checkHook(E, At);
    else if (E.Kind == EventKind::Mutate)
      checkMutate(I);
    if (E.Place != NoId)
      checkSaved(E);
  }
}

//===-- Gradients that have a graph ---------------------------------------===//

/// Gradients are reset in the same loop (or function): zero_grad detaches them, or lets them
/// go, and the cycle with them. Writing zeros into one does neither, and what happens to the
/// gradient of another tensor is not about this one.
bool GraphCycleChecker::isReset(const Event &E) const {
  LoopId L = outermostLoop(E.InLoop);
  return llvm::any_of(Facts.Events, [&](const Event &Other) {
    bool Cuts = Other.Kind == EventKind::CutGrad ||
                (Other.Kind == EventKind::ResetGrad && !Other.RetainsGraph);
    if (!Cuts || (L != NoId && !Facts.isInside(Other.InLoop, L)))
      return false;
    const ValueDecl *Owner = Other.Place == NoId ? nullptr : Facts.Places[Other.Place].Decl;
    bool IsOther =
        Owner && E.Place != NoId && Other.Place != E.Place && U.model().isTensor(Owner->getType());
    return !IsOther;
  });
}

/// p.grad -> its graph -> the accumulator of p -> p.
void GraphCycleChecker::checkBackward(const Event &E) {
  if (isReset(E))
    return;
  report(E, NoId,
         "'create_graph' gives every gradient a graph that refers to the parameter, and the "
         "parameter refers to the gradient: nothing frees that cycle; use "
         "'torch::autograd::grad', or reset the gradients to undefined afterwards");
}

bool GraphCycleChecker::carriesOwner(const Event &E) const {
  auto Carries = [&](ValueId V) {
    return dependsOnItself(Facts, V, E.Place, NoId, /*WithGraph=*/true);
  };
  return Carries(E.Val) || llvm::any_of(E.Args, Carries);
}

/// What has a gradient to compute with requires one.
bool GraphCycleChecker::usesOwnGradient(const Event &E) const {
  using Next = ValueWalk::Next;
  return ValueWalk(Facts).any(valuesOf(E), [&](ValueId V, unsigned) {
    const Value &Val = Facts.Values[V];
    bool IsGradient =
        Val.From == Source::Api && Val.Api.What == Does::GradOf && !Val.Inputs.empty();
    return IsGradient && isSameTensor(Facts, Val.Inputs.front(), E.Place) ? Next::Found
                                                                          : Next::Into;
  }) == ValueWalk::Answer::Yes;
}

void GraphCycleChecker::checkGradient(const Event &E, const EventState &At) {
  bool HasGraph = At.Info.Carries >= Graph::Leaf || usesOwnGradient(E);
  bool BuildsGraph = At.GradMode == Mode::On && HasGraph;
  if (!BuildsGraph || E.Place == NoId || !carriesOwner(E) || isReset(E))
    return;
  const ValueDecl &Owner = *Facts.Places[E.Place].Decl;
  report(E, E.Place,
         "the gradient of " + quoted(Owner) + " is computed from " + quoted(Owner) +
             " with grad mode on: the gradient's graph and the parameter refer to each other, and "
             "nothing frees them; do this under 'torch::NoGradGuard'");
}

//===-- Hooks and saved outputs -------------------------------------------===//

bool GraphCycleChecker::isTakenAway(PlaceId Hooked) const {
  return llvm::any_of(Facts.Events, [&](const Event &E) {
    return E.Kind == EventKind::Unhook && (E.Place == Hooked || E.Place == NoId);
  });
}

/// tensor -> its node or metadata -> the hook -> what the lambda captured.
void GraphCycleChecker::checkHook(const Event &E, const EventState &At) {
  if (E.Place == NoId || At.Info.Carries == Graph::No || isTakenAway(E.Place))
    return;
  bool Closes = llvm::any_of(E.Args, [&](ValueId Kept) {
    return dependsOnItself(Facts, Kept, E.Place, NoId, /*WithGraph=*/true);
  });
  if (!Closes)
    return;
  const ValueDecl &Tensor = *Facts.Places[E.Place].Decl;
  report(E, E.Place,
         "the hook captures what belongs to the graph of " + quoted(Tensor) +
             ", which owns the hook: nothing frees either of them; capture '" +
             Tensor.getNameAsString() + ".detach()', or a reference");
}

/// Another method of the class takes the saved data away: where it runs, the cycle ends.
bool GraphCycleChecker::isErasedElsewhere() const {
  const auto *Method = dyn_cast<CXXMethodDecl>(Facts.Function);
  return Method && llvm::any_of(U.functions(), [&](const FunctionUnit &Other) {
           const auto *Sibling = dyn_cast<CXXMethodDecl>(Other.Facts->Function);
           return Sibling && Sibling != Method && Sibling->getParent() == Method->getParent() &&
                  llvm::any_of(Other.Facts->Events, [&](const Event &E) {
                    return events::has(E.Kind, events::Sheds) && isSavedData(*Other.Facts, E);
                  });
         });
}

bool GraphCycleChecker::isSavedData(const FunctionFacts &In, const Event &E) const {
  const auto *Field =
      E.Place == NoId ? nullptr : dyn_cast_or_null<FieldDecl>(In.Places[E.Place].Decl);
  return Field && U.model().kindOf(*Field) == FieldKind::SavedWithNode;
}

/// The node of a custom function -> saved data -> an output -> that node.
void GraphCycleChecker::checkSaved(const Event &E) {
  if (!events::writes(E.Kind) || !isSavedData(Facts, E))
    return;
  for (const SavedOutput &Found : savedOutputs(U.model(), Facts, E))
    reportSaved(E, Found);
}

void GraphCycleChecker::reportSaved(const Event &E, const SavedOutput &Found) {
  const bool IsErased = isErasedElsewhere();
  const std::string Output = Found.Output ? quoted(*Found.Output) : "what is returned";
  const std::string Data = quoted(*Facts.Places[E.Place].Decl);
  std::string Kept = " and is kept in " + Data + " of its own node: ";
  if (Found.Object)
    Kept = " and a part of " + quoted(*Found.Object) + ", which is kept in " + Data +
           " of its own node: ";
  if (Found.Getter)
    Kept = "; where '" + Found.Getter->getNameAsString() + "()' gives a part of " +
           quoted(*Found.Object) + ", which is kept in " + Data + " of its own node, ";
  const std::string Frees = IsErased ? "only the method that takes it out again frees them"
                                     : "nothing frees either of them";
  Diagnosis &D = report(E, Found.Place,
                        Output + " is an output of this function" + Kept + Frees +
                            "; use 'save_for_backward'");
  // Autograd itself calls this function.
  D.TheLevel = Found.Getter || IsErased ? Level::Note : Level::Warning;
}

//===-- In-place writes of what the graph keeps ---------------------------===//

/// Whether the node of \p V keeps the tensor in \p P for its backward.
bool GraphCycleChecker::keepsOperand(ValueId V, PlaceId P) const {
  const Value &Val = Facts.Values[V];
  auto Reads = [&](ValueId In) {
    return Facts.Values[In].From == Source::Load && Facts.Values[In].Loaded == P;
  };
  if (Val.From != Source::Api || !llvm::any_of(Val.Inputs, Reads) ||
      F.State.Values[V].Carries != Graph::Yes)
    return false;
  if (Val.Api.What == Does::Forward) {
    const Expr *Layer = objectOrFirst(Val.E);
    return Layer && U.model().isLayer(Layer->getType());
  }
  const TensorInfo &Other = Reads(Val.Inputs.front()) ? F.State.RestOf[V] : F.State.SelfOf[V];
  return Val.Api.has(SavesOperands) && Other.Carries >= Graph::Leaf;
}

/// The event before \p Before that made a node in \p V's graph which keeps \p P's
/// tensor; NoId for none.
unsigned GraphCycleChecker::whereKept(ValueId V, PlaceId P, unsigned Before) const {
  unsigned Kept = NoId;
  anyComputedFrom(Facts, V, Before, [&](ValueId Part, unsigned Until) {
    if (keepsOperand(Part, P))
      Kept = madeAt(Part, Until);
    return Kept != NoId;
  });
  return Kept;
}

unsigned GraphCycleChecker::madeAt(ValueId V, unsigned Before) const {
  while (Before-- > 0)
    if (Facts.Events[Before].Kind == EventKind::Compute && Facts.Events[Before].Val == V)
      return Before;
  return NoId;
}

/// Another tensor is put into \p P between the two events.
bool GraphCycleChecker::isRebound(PlaceId P, unsigned From, unsigned To) const {
  for (unsigned I = From; I < To; ++I)
    if (Facts.Events[I].Kind == EventKind::Store && Facts.Events[I].Place == P)
      return true;
  return false;
}

/// h -> its new node -> the node that keeps h -> h. With a backward pass this
/// raises an error, so what reaches one keeps nothing.
void GraphCycleChecker::checkMutate(unsigned Index) {
  const Event &E = Facts.Events[Index];
  if (E.Place == NoId || F.State.AtEvent[Index].GradMode != Mode::On ||
      (U.flow().fateOf(Facts, E.Place) & ReachesBackward))
    return;
  for (ValueId Arg : E.Args) {
    unsigned Kept = whereKept(Arg, E.Place, Index);
    if (Kept == NoId || isRebound(E.Place, Kept, Index))
      continue;
    const ValueDecl &Tensor = *Facts.Places[E.Place].Decl;
    Diagnosis &D =
        report(E, E.Place,
               quoted(Tensor) +
                   " is written in place with what was computed from it under grad mode: its "
                   "new node reaches a node that keeps " +
                   quoted(Tensor) + " itself, and nothing frees them; write " + quoted(Tensor) +
                   " out of place, or run without grad");
    D.Notes.push_back(
        {Facts.Events[Kept].At->getBeginLoc(), "the node that keeps it is made here"});
    D.Subject.Producers.push_back(Facts.Events[Kept].At->getBeginLoc());
    return;
  }
}

//===-- Phrasing ----------------------------------------------------------===//

Diagnosis &GraphCycleChecker::report(const Event &E, PlaceId Holder, std::string Message) {
  Diagnosis D(GraphCycle::Name, Kind::Retention, level(), placeOfEvent(E), std::move(Message));
  D.Range = E.At->getSourceRange();
  D.Subject.Producers.push_back(D.Loc);
  D.Subject.Loop = rangeOfLoop(Facts, outermostLoop(E.InLoop));
  D.Subject.Graph = true;
  if (const ValueDecl *Decl = holderDecl(Facts, Holder)) {
    D.Subject.Holder = Decl->getNameAsString();
    D.Subject.HolderDecl = Decl->getLocation();
  }
  Out.push_back(std::move(D));
  return Out.back();
}

} // namespace

void GraphCycle::check(FileAnalyses &File, std::vector<Diagnosis> &Out) {
  checkFunctions<GraphCycleChecker>(File.unit(), Out);
}

} // namespace tensorleak
