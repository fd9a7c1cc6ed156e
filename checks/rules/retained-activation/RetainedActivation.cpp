//===-- RetainedActivation.cpp - tensor-retained-activation ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors that stay in what outlives the step: containers, accumulators, hidden state, buffers.
//
//===----------------------------------------------------------------------===//
#include "checks/rules/Rules.h"

#include "checks/facts/Ways.h"
#include "checks/flow/parts/Elements.h"
#include "checks/flow/parts/Parts.h"
#include "checks/model/ClassNames.h"
#include "checks/questions/KeptValues.h"
#include "checks/questions/Optimizers.h"
#include "checks/questions/graphs/RunGraphs.h"
#include "checks/rules/retained-activation/Hooks.h"
#include "checks/rules/retained-activation/KeptEvent.h"
#include "checks/rules/retained-activation/LeftBehind.h"
#include "checks/rules/retained-activation/ParameterGroups.h"
#include "checks/rules/retained-activation/Restarts.h"
#include "checks/rules/retained-activation/Steps.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {
namespace {

class RetainedActivationChecker : KeptEvent {
public:
  using KeptEvent::KeptEvent;

  void run() {
    for (unsigned I = 0; I < Facts.Events.size(); ++I)
      if (F.State.AtEvent[I].Reached && Facts.Events[I].Place != NoId)
        checkEvent(I);
  }

private:
  void checkEvent(unsigned Index);
  void checkGrow();
  void reportKept();
  void reportGrowth();
  bool reportLeftBehind();
  void reportGraphs(bool IsRead);
  bool dependsOnOldValue() const;
  void checkStore();
  void reportFromItself();
  void reportConcatenation();
  bool isRunAfter(LoopId L) const;
  bool mayRunGraph(bool Freed) const;
  void checkMutate();
  void checkHook();
  void checkRegister();
  bool addsInStepLoop() const;
  void reportView(const PinnedBase &View);
  void reportUnusedGraph();
  bool backwardInLoop(LoopId L) const { return U.contains(F, L, EventKind::Backward); }
  LoopId stepsOf() const;
  bool isTrainedBetween() const;
  bool othersMayRun() const;
};

/// An optimizer that was there before steps between two rounds of a loop that keeps the holder:
/// then nobody can run the graphs of earlier rounds, whose parameters have changed.
bool RetainedActivationChecker::isTrainedBetween() const {
  const LoopId Declared = Facts.loopOfDecl(Facts.rootOf(E->Place));
  return llvm::any_of(Facts.Events, [&](const Event &Step) {
    if (Step.Kind != EventKind::Step || Step.InLoop == NoId || Step.Place == NoId)
      return false;
    const LoopId Made = Facts.loopOfDecl(Facts.rootOf(Step.Place));
    return Facts.isInside(E->InLoop, Step.InLoop) && !Facts.isInside(Made, Step.InLoop) &&
           !Facts.isInside(Declared, Step.InLoop);
  });
}

/// Who gets hold of it may run its graph: unseen code, or a caller.
bool RetainedActivationChecker::othersMayRun() const {
  const uint8_t Fate = H->fate();
  return (Fate & ReachesUnknown) || ((Fate & ReachesReturn) && !isTrainedBetween());
}

/// Where the holder's own steps repeat. The rounds of a loop over a list of states are one step:
/// `for (...) for (int i = 0; i < n; ++i) h[i] = f(h[i]);`.
LoopId RetainedActivationChecker::stepsOf() const {
  if (H->span() == Span::Program)
    return NoId;
  const LoopId Innermost = stepsAround(Facts, U.model(), E->InLoop);
  const LoopId Declared = Facts.loopOfDecl(Facts.rootOf(E->Place));
  LoopId L = E->Kind == EventKind::StoreWeak ? Innermost : NoId;
  while (L != NoId && !Facts.isInside(Declared, L)) {
    if (dependsOnItsElement(Facts, U.model(), *E, L))
      return L;
    L = stepsAround(Facts, U.model(), Facts.Loops[L].Parent);
  }
  return Innermost;
}

void RetainedActivationChecker::checkEvent(unsigned Index) {
  look(Index);
  switch (E->Kind) {
  case EventKind::Grow:
    return checkGrow();
  case EventKind::Store:
  case EventKind::StoreWeak:
    return E->Declares ? void() : checkStore();
  case EventKind::Mutate:
    return checkMutate();
  case EventKind::Hook:
    return checkHook();
  case EventKind::Register:
    return checkRegister();
  default:
    return;
  }
}

//===-- Growing containers ------------------------------------------------===//

void RetainedActivationChecker::reportView(const PinnedBase &View) {
  std::string Whole = View.Base ? quoted(*View.Base) : "a larger tensor";
  report(View.IsCertain ? Level::Warning : Level::Note,
         "a view of " + Whole + " is kept in " + holderName() + " and pins all of " +
             (View.Base ? Whole : "it") + sizeSuffix(View.Whole, " per step") +
             "; store a 'clone()' of the part that is needed",
         /*WithGraph=*/false, View.Whole);
}

/// Emptied now and then, and until then full of graphs that nothing ever runs. What functions in
/// a list do to what they captured is not followed.
void RetainedActivationChecker::reportUnusedGraph() {
  if (!U.model().holdsTensors(Facts.Places[E->Place].Decl->getType()))
    return;
  bool MayBeRun = H->fate() & (ReachesBackward | ReachesReturn | ReachesUnknown);
  bool IsKnown = H->span() == Span::Call || (H->collectsAcrossCalls() && H->isSeenWhole());
  if (MayBeRun || !IsKnown || At->Info.Carries != Graph::Yes || wasRunBackward(Facts, *E))
    return;
  report(Level::Note,
         "what is added to " + holderName() + " carries a graph that is never run backward; all " +
             "activations stay alive until it is emptied; store 'detach()', or run without grad",
         /*WithGraph=*/true);
}

/// What is added in every step still carries its graph.
/// \p IsRead: in each step, by what may run a part of it backward.
void RetainedActivationChecker::reportGraphs(bool IsRead) {
  const Span S = H->span();
  const uint8_t Fate = H->fate();
  if (S == Span::Call && !Facts.Places[E->Place].isField() && (Fate & ReachesReturn) &&
      ((Fate & ReachesGraphUse) || isOfModule()))
    return; // features that are combined and returned: a forward pass
  if (S == Span::Call && !isMadeInRounds(Facts, *E, H->repeatingLoop()))
    return; // of one step, which another holder has as long
  bool Freed = wasRunBackward(Facts, *E) || (IsRead && (Fate & ReachesBackward));
  bool Sure = S == Span::Call ? !(Fate & ReachesReturn) || isTrainedBetween()
                              : S == Span::Program && H->isSeenWhole();
  TensorType Kept = keptAtLeast(At->Info.Type);
  std::string What =
      Freed ? "the autograd nodes of the step stay" : "every activation of the step stays";
  const bool CostsMuch = !Freed || (!wasRunByItself(Facts, *E) && keepsLargeResult());
  Diagnosis &D = report(Sure && CostsMuch && !IsRead ? Level::Warning : Level::Note,
                        "what is added to " + holderName() + " still carries its graph; " + What +
                            " alive with it" + sizeSuffix(Kept, " per step", "at least") +
                            "; store 'detach()' or 'item()', or run without grad",
                        /*WithGraph=*/true, Kept);
  if (Sure)
    addDetach(D);
}

/// A std::variant, or a container of such.
static bool keepsVariants(QualType T) {
  const CXXRecordDecl *R = T.getNonReferenceType()->getAsCXXRecordDecl();
  return R && (isVariant(*R) ||
               (isLibraryContainer(*R) && llvm::any_of(typeArguments(*R), keepsVariants)));
}

/// Without a graph, or perhaps with one: what is added is the tensor itself.
void RetainedActivationChecker::reportGrowth() {
  bool PerCall = H->isInStepContext() || (isa<CXXMethodDecl>(Facts.Function) && E->InLoop == NoId);
  // A list that is read may be a table that is set up once; who calls what it has is not seen.
  const bool ByMethod = isAddedByMethod();
  bool IsUseless = !ByMethod && H->isOnlyFilled();
  bool IsLocal = Facts.Places[Facts.rootOf(E->Place)].Root == Place::Captured; // of its function
  if (!(ByMethod || H->span() == Span::Program) || IsLocal || !(PerCall || IsUseless) ||
      !H->isSeenWhole())
    return;
  if (At->Info.Carries == Graph::Unknown && keepsVariants(Facts.Places[E->Place].Decl->getType()))
    return; // what is added may be a number
  bool OfModel = At->Info.Carries == Graph::No && U.contains(F, NoId, EventKind::Forward) &&
                 isa_and_nonnull<CallExpr>(producer(Facts, E->Val)) && !addsFreshEntry(Facts, *E);
  // One call that fills a list to be read is how results are collected; an index is searched. How
  // many keys a table gets, nobody knows.
  const bool IsCollected = E->Keyed || (E->InLoop != NoId && !F.RunsInSteps) || H->isReadWhole();
  report(OfModel && (IsUseless || !IsCollected) ? Level::Warning : Level::Note,
         holderName() + " grows with every step and nothing ever " +
             (IsUseless ? "reads or empties it" : "empties it") +
             sizeSuffix(At->Info.Type, " per step") + "; bound it or clear it",
         /*WithGraph=*/false, At->Info.Type);
}

/// A queue that is read by a number which only grows: what that has passed is of no use any more.
bool RetainedActivationChecker::reportLeftBehind() {
  const auto *Queue = dyn_cast<FieldDecl>(Facts.Places[E->Place].Decl);
  const FieldDecl *Passed = Queue && H->span() == Span::Program && H->isSeenWhole()
                                ? passedBy(U, *Queue, Facts)
                                : nullptr;
  if (!Passed)
    return false;
  report(Level::Warning,
         holderName() + " grows with every step, and nothing takes out what " + quoted(*Passed) +
             " has passed" + sizeSuffix(At->Info.Type, " per step") +
             "; remove each element when it is read",
         /*WithGraph=*/false, At->Info.Type);
  return true;
}

void RetainedActivationChecker::checkGrow() {
  LoopId L = H->repeatingLoop();
  bool Replaces = H->isReplacedByNextStep();
  if (!H->repeats() || E->Bounded || H->isReportedByCaller())
    return;
  if (Replaces) // an average for each parameter, under its name
    return E->KeyVaries ? reportFromItself() : void();
  if (H->letsGo(L))
    return reportUnusedGraph();
  bool Stays = L != NoId || (H->isInStepContext() && H->isSeenWhole());
  if (auto View = Stays ? pinnedBase(F, index()) : std::nullopt)
    return reportView(*View);
  reportKept();
}

/// Unless somebody may let go of it whom we do not follow. A backward pass lets go of graphs only.
void RetainedActivationChecker::reportKept() {
  const bool IsList = E->Kind == EventKind::Grow && At->Info.Carries != Graph::Yes;
  const uint8_t MayBeFreed = ReachesUnknown | (IsList ? 0 : ReachesBackward);
  bool IsRead = H->fate() & MayBeFreed;
  if (IsRead && (H->fateApartFromSteps(wasRunBackward(Facts, *E)) & MayBeFreed))
    return;
  if (At->Info.Carries == Graph::Yes)
    reportGraphs(IsRead);
  else if (E->Kind == EventKind::Grow && !H->isOfEachRound() && !reportLeftBehind())
    reportGrowth();
}

//===-- Values that are computed from themselves --------------------------===//

/// `buffer = cat({buffer, x})`: the tensor itself grows.
void RetainedActivationChecker::reportConcatenation() {
  const Span S = H->span();
  bool Persistent = S == Span::Program && H->isInStepContext() && H->isSeenWhole();
  if (!concatenatesItself(Facts, *E, stepsOf()) || !(Persistent || S == Span::Call))
    return;
  report(Persistent ? Level::Warning : Level::Note,
         holderName() + " grows with every step and is copied whole each time" +
             "; collect the parts in a bounded container, or write into a preallocated tensor",
         /*WithGraph=*/false);
}

/// The graph that \p Freed says has been run backward already, or not.
static std::string staysAlive(bool Freed) {
  return Freed ? "the autograd nodes of every step stay alive with it"
               : "every step's activations stay alive with it";
}

/// What the rounds of \p L leave is run backward by something other than these rounds. They may
/// take gradients themselves on the way, as the inner steps of meta learning do.
bool RetainedActivationChecker::isRunAfter(LoopId L) const {
  return llvm::any_of(Facts.Events, [&](const Event &Run) {
    return Run.Kind == EventKind::Backward && !Facts.isInside(Run.InLoop, L) &&
           dependsOnItself(Facts, Run.Val, E->Place, NoId, /*WithGraph=*/true);
  });
}

/// Somebody runs the graph of what is computed from itself, or gets hold of it.
bool RetainedActivationChecker::mayRunGraph(bool Freed) const {
  const uint8_t Fate = H->fate();
  const LoopId L = stepsOf();
  const ValueDecl *Held = Facts.Places[E->Place].Decl;
  if (Held && allBackwardsStopAt(U, *Held))
    return false;
  if (H->span() == Span::Call && othersMayRun())
    return !H->isOnlyReadInSteps();
  if (!(Fate & ReachesBackward))
    return false;
  if (H->span() == Span::Program)
    return !allBackwardsRetain(U);
  return !(Freed || (L != NoId && backwardInLoop(L) && !isRunAfter(L)));
}

/// What is stored is computed from what stood there in an earlier step.
bool RetainedActivationChecker::dependsOnOldValue() const {
  return E->Kind == EventKind::StoreWeak
             ? dependsOnItsElement(Facts, U.model(), *E, stepsOf())
             : dependsOnItself(Facts, E->Val, E->Place, stepsOf(), /*WithGraph=*/true);
}

void RetainedActivationChecker::checkStore() {
  if (H->span() == Span::Caller && !Facts.Places[E->Place].isField())
    return; // rebinding a handle parameter stays here
  if (!H->repeats() || H->isReportedByCaller())
    return;
  const LoopId L = H->repeatingLoop();
  bool IsOfStep = H->span() != Span::Call || Facts.loopOfDecl(Facts.rootOf(E->Place)) != NoId;
  const bool FillsOthers = (!IsOfStep && fillsNextElement(Facts, *E, L)) || H->fillsAnyElement();
  if (FillsOthers && !H->letsGo(L))
    return reportKept();
  reportFromItself();
}

void RetainedActivationChecker::reportFromItself() {
  if (!dependsOnOldValue() || H->letsGo(stepsOf()) || isDetachedOnDemand(Facts, E->Val))
    return;
  if (At->Info.Carries != Graph::Yes)
    return reportConcatenation();
  bool Freed = wasRunBackward(Facts, *E) || keepsNodesOnly(Facts, *E);
  if (mayRunGraph(Freed))
    return;
  // The old value is kept where the next one's node needs it.
  bool KeepsOld = !Freed && keepsTensors(Facts, E->Val);
  TensorType Kept = KeepsOld ? keptAtLeast(At->Info.Type) : TensorType();
  report(Freed || (H->fate() & ReachesUnknown) ? Level::Note : Level::Warning,
         holderName() + " is computed from itself and still carries its graph; " +
             staysAlive(Freed) + sizeSuffix(Kept, " per step", "at least") +
             "; use 'detach()' or 'item()', or run without grad",
         /*WithGraph=*/true, Kept);
}

/// With parameters it is an average of theirs: each step adds autograd nodes, and the parameters
/// are alive in any case.
void RetainedActivationChecker::checkMutate() {
  const LoopId L = stepsOf();
  const bool OfParameters = At->Info.Carries == Graph::Leaf;
  if (!H->repeats() || H->isReportedByCaller() || H->span() == Span::Caller ||
      !(OfParameters || At->Info.Carries == Graph::Yes) || At->GradMode != Mode::On ||
      H->letsGo(L) ||
      holdsParameters(Facts, E->Place)) // LibTorch refuses: the program ends, and keeps nothing
    return;
  bool Freed = OfParameters || wasRunBackward(Facts, *E);
  if (othersMayRun())
    return;
  bool IsDone =
      H->span() == Span::Program ? allBackwardsRetain(U) : L != NoId && backwardInLoop(L) && Freed;
  if ((H->fate() & ReachesBackward) && !IsDone)
    return;
  report(Freed ? Level::Note : Level::Warning,
         holderName() + " is written in place with a tensor that " +
             (OfParameters ? "requires grad; " : "carries its graph; ") + staysAlive(Freed) +
             "; write 'detach()' or 'item()', or run without grad",
         /*WithGraph=*/true);
}

//===-- Hooks and parts ---------------------------------------------------===//

/// Once more in every step, to something that outlives the steps. What a callee adds on some
/// of its ways only may be what was missing.
bool RetainedActivationChecker::addsInStepLoop() const {
  LoopId L = stepsOfElements(Facts, U.model(), *E);
  if ((E->Callee && E->Conditional) || !isAlwaysDone(*E))
    return false;
  if (L == NoId) // the steps are those of other files
    return !E->Callee && H->span() != Span::Call &&
           U.others().callsOf(*Facts.Function).InStepLoop && isUnconditional(Facts, index());
  return U.isStepLoop(F, L) && !Facts.isInside(Facts.loopOfDecl(Facts.rootOf(E->Place)), L) &&
         !isInOneRound(Facts, index(), L);
}

void RetainedActivationChecker::checkHook() {
  if (!addsInStepLoop() || isHookEnded(U, Facts, *E, stepsOfElements(Facts, U.model(), *E)))
    return;
  bool Keeps = !E->Args.empty() || E->RetainsGraph;
  report(Keeps ? Level::Warning : Level::Note,
         holderName() + " gets one more hook in every step; all of them run, and what they capture "
                        "stays alive; hang it on once, or 'remove_hook' it",
         /*WithGraph=*/false);
}

void RetainedActivationChecker::checkRegister() {
  if (!addsInStepLoop() || isMadeAnew(U, F, Facts.Places[E->Place].Decl, stepsOf()) ||
      losesGroups(U, Facts.Places[E->Place].Decl))
    return;
  const std::string Advice = "; register it once, before the loop";
  report(Level::Warning,
         holderName() + " gets one more part in every step and keeps all of them" + Advice,
         /*WithGraph=*/false);
}

} // namespace

void RetainedActivation::check(FileAnalyses &File, std::vector<Diagnosis> &Out) {
  checkFunctions<RetainedActivationChecker>(File.unit(), Out);
}

} // namespace tensorleak
