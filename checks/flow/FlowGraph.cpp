//===-- FlowGraph.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/flow/FlowGraph.h"

#include "checks/flow/LocalStores.h"
#include "checks/flow/ValueWalk.h"
#include "checks/flow/state/TensorState.h"
#include "checks/model/ClassNames.h"
#include "checks/source/Types.h"
#include "checks/source/UserCode.h"
#include "clang/AST/ASTContext.h"

using namespace clang;

namespace tensorleak {

FlowGraph::Node FlowGraph::fresh() {
  Predecessors.emplace_back();
  Given.push_back(0);
  return Predecessors.size() - 1;
}

/// Which pointers to a container share it, is not followed: all of one type do.
FlowGraph::DeclKey FlowGraph::keyOf(const ValueDecl *D, const FunctionFacts *Of) const {
  const CXXRecordDecl *Shared = D ? sharedContainer(D->getType()) : nullptr;
  if (!Shared)
    return {D, Of};
  SharedNames[Shared].insert(D);
  return {SharedNames[Shared].front(), nullptr};
}

FlowGraph::DeclNodes FlowGraph::nodesOf(const ValueDecl *D, const FunctionFacts *Of) {
  auto [It, New] = Decls.try_emplace(keyOf(D, Of), DeclNodes{0, 0});
  if (!New)
    return It->second;
  DeclNodes Made{fresh(), fresh()};
  edge(Made.Stored, Made.Itself);
  It->second = Made;
  return Made;
}

FlowGraph::DeclNodes FlowGraph::nodesOf(const FunctionFacts &Facts, PlaceId P) {
  const Place &Of = Facts.Places[P];
  return nodesOf(Of.Decl, Of.OfSplice ? &Facts : nullptr);
}

const FlowGraph::DeclNodes *FlowGraph::findNodes(const FunctionFacts &Facts, PlaceId P) const {
  const Place &Of = Facts.Places[P];
  auto It = Decls.find(keyOf(Of.Decl, Of.OfSplice ? &Facts : nullptr));
  return It == Decls.end() ? nullptr : &It->second;
}

FlowGraph::Node FlowGraph::targetOf(const FunctionFacts &Facts, ValueId V, DeclNodes Nodes) {
  return Facts.Values[V].From == Source::Load ? Nodes.Itself : Nodes.Stored;
}

FlowGraph::Node FlowGraph::nodeOf(const FunctionFacts &Facts, ValueId V) const {
  return FirstValue.lookup(&Facts) + V;
}

uint8_t FlowGraph::fateOf(const ValueDecl &D) const {
  auto It = Decls.find(keyOf(&D, nullptr));
  return It == Decls.end() ? 0 : Fates[It->second.Stored];
}

std::vector<const ValueDecl *> FlowGraph::variables() const {
  std::vector<const ValueDecl *> Out;
  for (const auto &[Key, N] : Decls)
    Out.push_back(Key.first);
  for (const auto &[Type, Names] : SharedNames)
    Out.insert(Out.end(), std::next(Names.begin()), Names.end());
  return Out;
}

/// `cat(kept)` under a torch::NoGradGuard: no backward pass comes from there to what is kept.
static uint8_t passedOn(const Value &Val, const TensorInfo &Info, bool Computes) {
  const bool IsNew = Computes || (Val.From == Source::Api && Val.Api.What == Does::Concat);
  return IsNew && Info.Carries == Graph::No ? uint8_t(~ReachesBackward) : uint8_t(0xff);
}

void FlowGraph::addValues(const FunctionFacts &Facts, const StateResult &State, Node First) {
  for (ValueId V = 0; V < Facts.Values.size(); ++V) {
    const Value &Val = Facts.Values[V];
    if (Val.From == Source::Load && Facts.Places[Val.Loaded].Decl)
      edge(nodesOf(Facts, Val.Loaded).Itself, First + V);
    if (!keepsGraph(Val))
      continue;
    bool Computes = Val.From == Source::Api && Val.Api.What != Does::View &&
                    Val.Api.What != Does::Copy && Val.Api.What != Does::Concat;
    for (ValueId In : Val.Inputs) {
      edge(First + In, First + V, passedOn(Val, State.Values[V], Computes));
      if (Computes)
        mark(First + In, ReachesGraphUse);
    }
  }
}

void FlowGraph::mark(Node N, uint8_t Bits) { Given[N] |= Bits; }

void FlowGraph::markOperands(const FunctionFacts &Facts, const Event &E, uint8_t Bits) {
  if (E.Val != NoId)
    Marks.push_back({nodeOf(Facts, E.Val), Bits, &E});
  for (ValueId Arg : E.Args)
    Marks.push_back({nodeOf(Facts, Arg), Bits, &E});
  if (E.Place != NoId && Facts.Places[E.Place].Decl)
    Marks.push_back({nodesOf(Facts, E.Place).Itself, Bits, &E});
}

/// `p = q`: the pointer itself, which is the function's own where it is a parameter.
static bool isRebinding(const Stmt *At) {
  const auto *B = dyn_cast_or_null<BinaryOperator>(At);
  return B && B->isAssignmentOp() && B->getLHS()->getType()->isPointerType() &&
         isa<DeclRefExpr>(B->getLHS()->IgnoreParenImpCasts());
}

/// Whether code that is not seen may read what \p Write stores.
static bool isShared(const FunctionFacts &Facts, const Event &Write, FlowGraph::Seen IsSeenWhole) {
  const PlaceId P = Write.Place;
  const Place &Root = Facts.Places[Facts.rootOf(P)];
  if (Root.Root == Place::Param && !Root.Decl->getType()->isReferenceType() &&
      isRebinding(Write.At))
    return false;
  const auto *Member = dyn_cast<FieldDecl>(Facts.Places[P].Decl);
  bool IsOthers = Root.Root == Place::This ||
                  (Root.Root == Place::Param && (mayWriteThrough(Root.Decl->getType()) ||
                                                 sharedContainer(Root.Decl->getType())));
  return Root.Root == Place::Static || (IsOthers && !(Member && IsSeenWhole(*Member)));
}

void FlowGraph::addWrite(const FunctionFacts &Facts, const Event &E, Seen IsSeenWhole) {
  if (E.Place == NoId || !Facts.Places[E.Place].Decl)
    return;
  auto Local = Written.find(&E);
  uint8_t Bits = isShared(Facts, E, IsSeenWhole) ? ReachesShared : 0;
  auto Put = [&](ValueId V) {
    if (V == NoId)
      return;
    Node To = Local == Written.end() ? targetOf(Facts, V, nodesOf(Facts, E.Place)) : Local->second;
    edge(nodeOf(Facts, V), To);
    mark(To, Bits);
  };
  Put(E.Val);
  llvm::for_each(E.Args, Put);
}

/// An argument's fate is its parameter's, but for what the callee returns: that
/// is the fate of the call's value.
void FlowGraph::addCall(const FunctionFacts &Facts, const Event &E) {
  const FunctionDecl *Callee = E.Callee->getDefinition();
  if (!Callee) // in another file
    Callee = E.Callee->getCanonicalDecl();
  for (unsigned I = 0; I < E.Args.size() && I < Callee->getNumParams(); ++I)
    if (E.Args[I] != NoId)
      edge(nodeOf(Facts, E.Args[I]), targetOf(Facts, E.Args[I], nodesOf(Callee->getParamDecl(I))),
           ~ReachesReturn, &E);
}

/// Every caller of the function is in this file, and gets a reference to the one member that
/// it always returns: what they do with that is what happens to the member itself.
static bool givesReference(const FunctionFacts &Facts, const Event &E,
                           FlowGraph::Seen IsSeenWhole) {
  const FunctionDecl &F = *Facts.Function;
  const auto *Member =
      E.Place == NoId ? nullptr : dyn_cast_or_null<FieldDecl>(Facts.Places[E.Place].Decl);
  bool Refers = F.getReturnType()->isReferenceType() || F.getReturnType()->isPointerType();
  if (!Member || !Refers || !isInMainFile(F) || !IsSeenWhole(*Member))
    return false;
  return llvm::all_of(Facts.Events, [&](const Event &Other) {
    return Other.Kind != EventKind::Return || Other.Place == E.Place;
  });
}

/// Who returns something, and what calls give: of a call whose body is in the graph the value
/// that the body returns, of others that of the event that follows.
void FlowGraph::noteReturns(const FunctionFacts &Facts, const Event &E) {
  if (E.Kind == EventKind::Return)
    Returns.push_back({&E, &Facts});
  if (!E.Callee || (E.Kind != EventKind::UserCall && E.Kind != EventKind::Compute))
    return;
  CallResults &Of = Results[E.Callee->getCanonicalDecl()];
  Of.Calls += E.Kind == EventKind::UserCall;
  ValueId Given = E.Kind == EventKind::UserCall ? E.Result : E.Val;
  if (Given != NoId)
    Of.Given.push_back(nodeOf(Facts, Given));
}

void FlowGraph::addEvent(const FunctionFacts &Facts, const Event &E, Seen IsSeenWhole) {
  noteReturns(Facts, E);
  if (E.Kind == EventKind::Return && givesReference(Facts, E, IsSeenWhole))
    return;
  if (events::writes(E.Kind))
    addWrite(Facts, E, IsSeenWhole);
  else if (E.Kind == EventKind::UserCall && !E.IsSpliced)
    addCall(Facts, E);
  else if (uint8_t Fate = events::fate(E.Kind))
    markOperands(Facts, E, Fate);
}

/// What is written to a local variable flows into the reads that may see it, and no others.
void FlowGraph::addLocals(const FunctionFacts &Facts) {
  Written.clear();
  LocalStores Stores(Facts);
  for (const Event &E : Facts.Events)
    if (Stores.follows(E.Place))
      Written[&E] = fresh();
  for (const LocalStores::Read &R : Stores.reads())
    edge(Written[&Facts.Events[R.Store]], nodeOf(Facts, R.Load));
}

/// A variable of a spliced body which a lambda captures that is not in the graph: what happens
/// to it there happens to it here.
void FlowGraph::addCaptured(const FunctionFacts &Facts) {
  if (Facts.Splices.empty())
    return;
  auto OutOfOrder = usedOutOfOrder(Facts);
  for (PlaceId P = 0; P < Facts.Places.size(); ++P) {
    if (!Facts.Places[P].OfSplice || !OutOfOrder.count(Facts.Places[P].Decl))
      continue;
    DeclNodes Here = nodesOf(Facts, P), There = nodesOf(Facts.Places[P].Decl);
    edge(Here.Stored, There.Stored);
    edge(Here.Itself, There.Itself);
    edge(There.Stored, Here.Stored);
    edge(There.Itself, Here.Itself);
  }
}

void FlowGraph::add(const FunctionFacts &Facts, const StateResult &State, Seen IsSeenWhole) {
  Node First = Predecessors.size();
  FirstValue[&Facts] = First;
  for (size_t I = 0; I < Facts.Values.size(); ++I)
    fresh();
  addValues(Facts, State, First);
  addLocals(Facts);
  addCaptured(Facts);
  for (PlaceId P = 0; P < Facts.Places.size(); ++P) {
    const Place &Part = Facts.Places[P];
    if (!Part.isField() || !Part.Decl || !Facts.Places[Part.Parent].Decl)
      continue;
    DeclNodes Field = nodesOf(Facts, P), Whole = nodesOf(Facts, Part.Parent);
    edge(Field.Itself, Whole.Itself);
    edge(Whole.Stored, Field.Stored);
  }
  for (const Event &E : Facts.Events)
    addEvent(Facts, E, IsSeenWhole);
}

void FlowGraph::spread(std::vector<uint8_t> &To, Test Ignored, bool Beyond) const {
  for (const Mark &M : Marks)
    if (!Ignored(*M.By))
      To[M.Of] |= M.Bits;
  llvm::SmallVector<Node, 64> Work;
  for (Node N = 0; N < To.size(); ++N)
    if (To[N])
      Work.push_back(N);
  while (!Work.empty()) {
    Node N = Work.pop_back_val();
    for (const Edge &P : Predecessors[N]) {
      uint8_t Fate = To[P.From] | (To[N] & P.Mask);
      if (Fate == To[P.From] || (P.Call && Ignored(*P.Call)) || (P.OfReturn && !Beyond))
        continue;
      To[P.From] = Fate;
      Work.push_back(P.From);
    }
  }
}

void FlowGraph::solve() {
  Fates = Given;
  spread(Fates, [](const Event &) { return false; });
}

uint8_t FlowGraph::fateWithout(const FunctionFacts &Facts, PlaceId P, Test Ignored,
                               uint8_t Elsewhere) const {
  const DeclNodes *Nodes = findNodes(Facts, P);
  if (!Nodes)
    return 0;
  std::vector<uint8_t> Without = Given;
  for (uint8_t &Bits : Without)
    Bits &= ~Elsewhere;
  spread(Without, Ignored);
  return Without[Nodes->Stored];
}

/// From what the calls give to what is returned. Only where every call gives something that
/// is followed.
void FlowGraph::joinReturns(Functions AllCallsAreHere) {
  llvm::DenseSet<const Event *> ToCallers;
  for (const ReturnOf &R : Returns) {
    const CallResults &Of = Results[R.Facts->Function->getCanonicalDecl()];
    if (!Of.Calls || Of.Given.size() != Of.Calls || !AllCallsAreHere(*R.Facts->Function))
      continue;
    ToCallers.insert(R.At);
    for (Node Given : Of.Given) {
      if (R.At->Val != NoId)
        Predecessors[Given].push_back({nodeOf(*R.Facts, R.At->Val), 0xff, nullptr, true});
      if (R.At->Place != NoId && R.Facts->Places[R.At->Place].Decl)
        Predecessors[Given].push_back({nodesOf(*R.Facts, R.At->Place).Itself, 0xff, nullptr, true});
    }
  }
  BeyondReturns = Given;
  BeyondReturns.resize(Predecessors.size());
  spread(BeyondReturns, [&](const Event &E) { return ToCallers.count(&E); }, /*Beyond=*/true);
}

uint8_t FlowGraph::fateBeyondReturns(const FunctionFacts &Facts, PlaceId P,
                                     Functions AllCallsAreHere) {
  const DeclNodes *Nodes = findNodes(Facts, P);
  if (!Nodes)
    return 0;
  if (BeyondReturns.empty())
    joinReturns(AllCallsAreHere);
  return BeyondReturns[Nodes->Stored];
}

uint8_t FlowGraph::fateOfValueBeyondReturns(const FunctionFacts &Facts, ValueId V,
                                            Functions AllCallsAreHere) {
  if (BeyondReturns.empty())
    joinReturns(AllCallsAreHere);
  return V == NoId ? 0 : BeyondReturns[nodeOf(Facts, V)];
}

uint8_t FlowGraph::fateOf(const FunctionFacts &Facts, PlaceId P) const {
  const DeclNodes *Nodes = findNodes(Facts, P);
  return Nodes ? Fates[Nodes->Stored] : 0;
}

uint8_t FlowGraph::fateOfValue(const FunctionFacts &Facts, ValueId V) const {
  return V == NoId ? 0 : Fates[nodeOf(Facts, V)];
}

} // namespace tensorleak
