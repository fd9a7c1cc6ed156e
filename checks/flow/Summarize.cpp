//===-- Summarize.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/flow/Summarize.h"

#include "checks/Budgets.h"
#include "checks/facts/Ways.h"
#include "checks/facts/splicing/Splicing.h"
#include "checks/flow/ValueWalk.h"
#include "checks/flow/parts/Elements.h"
#include "checks/flow/parts/Parts.h"
#include "checks/model/ClassNames.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace tensorleak {
namespace {

class Summarizer {
public:
  Summarizer(const FunctionFacts &Facts, const StateResult &State, ApiModel &Model)
      : Facts(Facts), State(State), Model(Model) {}

  std::optional<Summary> run() {
    for (unsigned I = 0; I < Facts.Events.size(); ++I) {
      addEvent(I);
      if (isOver(Budget::SummaryEffects, Out.Effects.size()))
        return std::nullopt;
    }
    Out.IsIdle =
        llvm::all_of(Facts.Events, [](const Event &E) { return E.Kind == EventKind::ScopeEnd; });
    if (!AnyReturn)
      Out.Returned = isConstructor() ? GraphOut::No : GraphOut::FromInputs;
    if (ReturnsUnknownPlace)
      Out.ReturnedPlaces.clear();
    return std::move(Out);
  }

private:
  void addEvent(unsigned Index);
  void addReturn(const Event &E, const EventState &At);
  void addHeld(unsigned Index);
  bool isConstructor() const { return isa<CXXConstructorDecl>(Facts.Function); }
  bool isOfNewObject(const Event &E) const;
  void joinReturned(GraphOut G);
  void addReturnedFrom(llvm::ArrayRef<unsigned> Params);
  bool hasNoGraph(ValueId V) const { return State.Values[V].Carries == Graph::No; }
  void addReturnedPlace(const Event &E);
  bool isToldStore(const Event &E) const;
  bool accumulates(const Event &E) const;
  bool fillsElement(const Event &E) const;
  std::optional<RelativePlace> whereTold(const Event &E) const;
  SummaryEffect effectOf(unsigned Index, const RelativePlace &Where) const;
  std::optional<RelativePlace> relative(PlaceId P) const;
  bool isSharedWithCaller(const ParmVarDecl &Param) const;

  const FunctionFacts &Facts;
  const StateResult &State;
  ApiModel &Model;
  Summary Out;
  bool AnyReturn = false;
  bool ReturnsUnknownPlace = false;
};

GraphOut graphOut(Graph G) {
  return G == Graph::Yes ? GraphOut::Yes : G == Graph::No ? GraphOut::No : GraphOut::FromInputs;
}

/// Whether what happens to the parameter happens to the caller's object too.
bool Summarizer::isSharedWithCaller(const ParmVarDecl &Param) const {
  QualType T = Param.getType();
  if (T->isReferenceType() || T->isPointerType())
    return true;
  TypeClass Class = Model.classify(T);
  return Class == TypeClass::Tensor || Class == TypeClass::Module ||
         Class == TypeClass::Optimizer || sharedContainer(T);
}

std::optional<RelativePlace> Summarizer::relative(PlaceId P) const {
  RelativePlace R;
  for (; Facts.Places[P].isField(); P = Facts.Places[P].Parent)
    if (!Facts.Places[P].isEntry())
      R.Fields.insert(R.Fields.begin(), Facts.Places[P].Decl);
  const Place &Root = Facts.Places[P];
  switch (Root.Root) {
  case Place::This:
    R.Root = RelativePlace::This;
    return R;
  case Place::Static:
  case Place::Captured:
    R.Root = RelativePlace::Variable;
    R.Var = Root.Decl;
    return R;
  case Place::Param: {
    const auto *Param = cast<ParmVarDecl>(Root.Decl);
    if (!isSharedWithCaller(*Param))
      return std::nullopt;
    R.Root = RelativePlace::Param;
    R.ParamIndex = Param->getFunctionScopeIndex();
    return R;
  }
  case Place::Local:
    return std::nullopt;
  }
  return std::nullopt;
}

/// A reference that is returned is the place itself to callers.
void Summarizer::addReturnedPlace(const Event &E) {
  QualType T = Facts.Function->getReturnType();
  if (!T->isReferenceType() && !T->isPointerType())
    return;
  auto Where = E.Place == NoId ? std::nullopt : relative(E.Place);
  if (!Where)
    ReturnsUnknownPlace = true;
  else if (!llvm::is_contained(Out.ReturnedPlaces, *Where))
    Out.ReturnedPlaces.push_back(*Where);
}

void Summarizer::addReturn(const Event &E, const EventState &At) {
  addReturnedPlace(E);
  if (At.Info.Carries > Graph::No && isDetachedInPart(Facts, E.Val)) {
    Out.Returned = GraphOut::FromInputs; // and from none of them: not known
    AnyReturn = true;
    return;
  }
  Out.ReturnedWasRun = (Out.ReturnedWasRun || !AnyReturn) && wasRunBackward(Facts, {E.Val}, NoId);
  joinReturned(graphOut(At.Info.Carries));
  addReturnedFrom(parametersBehind(Facts, E.Val));
}

void Summarizer::joinReturned(GraphOut G) {
  if (!std::exchange(AnyReturn, true))
    Out.Returned = G;
  else if (G != Out.Returned)
    Out.Returned =
        G == GraphOut::Yes || Out.Returned == GraphOut::Yes ? GraphOut::Yes : GraphOut::FromInputs;
}

void Summarizer::addReturnedFrom(llvm::ArrayRef<unsigned> Params) {
  for (unsigned Param : Params)
    if (!llvm::is_contained(Out.ReturnedFrom, Param))
      Out.ReturnedFrom.push_back(Param);
}

/// \p E puts something into a member of the object that this constructor makes.
bool Summarizer::isOfNewObject(const Event &E) const {
  return isConstructor() && events::writes(E.Kind) && E.Place != NoId &&
         Facts.Places[Facts.rootOf(E.Place)].Root == Place::This;
}

/// What a constructor gives is its object, and with it all that is put into that.
void Summarizer::addHeld(unsigned Index) {
  const Event &E = Facts.Events[Index];
  for (ValueId V : valuesOf(E))
    addReturnedFrom(parametersBehind(Facts, V, [this](ValueId Of) { return hasNoGraph(Of); }));
  if (!valuesOf(E).empty())
    joinReturned(graphOut(State.AtEvent[Index].Info.Carries));
}

/// What is stored in a parameter is the caller's where the parameter is a reference; where
/// it is a handle or a pointer, it is what the parameter itself refers to from now on.
bool Summarizer::isToldStore(const Event &E) const {
  if (E.Place == NoId || (E.Declares && !isOfNewObject(E)))
    return false;
  const Place &Target = Facts.Places[E.Place];
  if (!Target.Decl || !Model.holdsTensors(Target.Decl->getType()))
    return false;
  return Target.isField() || Target.Root != Place::Param ||
         Target.Decl->getType()->isReferenceType();
}

/// `sums[name] = sums[name] + x`, of which callers know the container.
bool Summarizer::accumulates(const Event &E) const {
  return E.Kind == EventKind::StoreWeak && isToldStore(E) &&
         dependsOnItsElement(Facts, Model, E, NoId);
}

/// `items[chosen[k]].score = x`: each call may fill another element.
bool Summarizer::fillsElement(const Event &E) const {
  return isToldStore(E) && fillsAnyElement(Facts, Model, E, NoId);
}

/// Nothing where callers are not told of \p E.
std::optional<RelativePlace> Summarizer::whereTold(const Event &E) const {
  if (auto Where = E.Place == NoId ? std::nullopt : relative(E.Place))
    return Where;
  // The gradients of a local optimizer or module are its own affair; those of a loop
  // variable over parameters could be anybody's.
  bool Anywhere = events::has(E.Kind, events::ToldAnywhere);
  if (E.Kind == EventKind::ResetGrad)
    Anywhere = E.Place == NoId || Model.holdsTensors(Facts.Places[E.Place].Decl->getType());
  return Anywhere ? std::optional(RelativePlace()) : std::nullopt;
}

/// It puts a value into an entry with a constant key.
static bool isOfEntry(const FunctionFacts &Facts, const Event &E) {
  bool Puts = E.Kind == EventKind::Store || E.Kind == EventKind::StoreWeak;
  return Puts && E.Place != NoId && Facts.Places[E.Place].isEntry();
}

SummaryEffect Summarizer::effectOf(unsigned Index, const RelativePlace &Where) const {
  const Event &E = Facts.Events[Index];
  SummaryEffect Effect;
  Effect.Kind = E.Kind;
  Effect.Where = Where;
  // What is written in place without grad mode adds nothing to a graph.
  const EventState &At = State.AtEvent[Index];
  const bool AddsNone = E.Kind == EventKind::Mutate && At.GradMode == Mode::Off;
  const bool IsEmpty = E.Declares && E.Val == NoId; // a member that begins without a tensor
  Effect.Graph = AddsNone || IsEmpty ? GraphOut::No : graphOut(At.Info.Carries);
  auto HasNoGraph = [this](ValueId V) { return hasNoGraph(V); };
  if (E.Val != NoId && !AddsNone)
    Effect.FromParams = parametersBehind(Facts, E.Val, HasNoGraph);
  for (ValueId Arg : AddsNone ? llvm::ArrayRef<ValueId>() : llvm::ArrayRef(E.Args))
    Effect.FromParams.append(parametersBehind(Facts, Arg, HasNoGraph));
  if (isOfEntry(Facts, E))
    Effect.Kind = EventKind::Grow; // callers know the container
  Effect.Keyed = E.Keyed || isOfEntry(Facts, E);
  Effect.KeyVaries = E.KeyVaries && !isKeyOfPart(Facts, Model, E);
  if (const auto *Key = Effect.KeyVaries ? parameterBehind(Facts, E.Key) : nullptr)
    Effect.KeyParam = Key->getFunctionScopeIndex();
  Effect.Bounded = E.Bounded;
  Effect.Repeats = E.Repeats || E.InLoop != NoId;
  Effect.Conditional =
      E.Conditional || !isUnconditional(Facts, Index, /*InTraining=*/E.Kind == EventKind::Hook);
  Effect.RetainsGraph = E.RetainsGraph || (E.Kind == EventKind::Hook && !E.Args.empty());
  Effect.FromItself = E.Kind == EventKind::Store && E.Val != NoId &&
                      dependsOnItself(Facts, E.Val, E.Place, NoId, /*WithGraph=*/true);
  if (accumulates(E)) {
    Effect.Kind = EventKind::Store;
    Effect.FromItself = true;
  }
  Effect.WasRun = events::writes(E.Kind) && wasRunBackward(Facts, valuesOf(E), E.Place);
  Effect.At = E.Inner.isValid() ? E.Inner : E.At->getBeginLoc();
  return Effect;
}

void Summarizer::addEvent(unsigned Index) {
  const Event &E = Facts.Events[Index];
  if (E.Kind == EventKind::Return)
    return addReturn(E, State.AtEvent[Index]);
  if (isOfNewObject(E))
    addHeld(Index);
  const bool IsTold =
      events::has(E.Kind, events::Told) || isOfEntry(Facts, E) || accumulates(E) || fillsElement(E);
  if (!IsTold || (E.Kind == EventKind::Store && !isToldStore(E)))
    return;
  auto Where = whereTold(E);
  if (!Where)
    return;
  SummaryEffect Effect = effectOf(Index, *Where);
  if (!llvm::is_contained(Out.Effects, Effect)) // by a helper that is called twice
    Out.Effects.push_back(std::move(Effect));
}

} // namespace

std::optional<Summary> summarize(const FunctionFacts &Facts, const StateResult &State,
                                 ApiModel &Model) {
  return Summarizer(Facts, State, Model).run();
}

} // namespace tensorleak
