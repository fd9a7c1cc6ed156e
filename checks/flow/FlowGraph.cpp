//===-- FlowGraph.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/flow/FlowGraph.h"

#include "checks/flow/LocalStores.h"
#include "checks/flow/ValueWalk.h"
#include "checks/source/Types.h"

using namespace clang;

namespace tensorleak {

FlowGraph::Node FlowGraph::fresh() {
  Predecessors.emplace_back();
  Fates.push_back(0);
  return Predecessors.size() - 1;
}

FlowGraph::DeclNodes FlowGraph::nodesOf(const ValueDecl *D) {
  auto [It, New] = Decls.try_emplace(D, DeclNodes{0, 0});
  if (!New)
    return It->second;
  DeclNodes Made{fresh(), fresh()};
  edge(Made.Stored, Made.Itself);
  It->second = Made;
  return Made;
}

FlowGraph::Node FlowGraph::targetOf(const FunctionFacts &Facts, ValueId V, const ValueDecl *D) {
  DeclNodes Nodes = nodesOf(D);
  return Facts.Values[V].From == Source::Load ? Nodes.Itself : Nodes.Stored;
}

FlowGraph::Node FlowGraph::nodeOf(const FunctionFacts &Facts, ValueId V) const {
  return FirstValue.lookup(&Facts) + V;
}

uint8_t FlowGraph::fateOf(const ValueDecl &D) const {
  auto It = Decls.find(&D);
  return It == Decls.end() ? 0 : Fates[It->second.Stored];
}

std::vector<const ValueDecl *> FlowGraph::variables() const {
  std::vector<const ValueDecl *> Out;
  for (const auto &[D, N] : Decls)
    Out.push_back(D);
  return Out;
}

void FlowGraph::addValues(const FunctionFacts &Facts, Node First) {
  for (ValueId V = 0; V < Facts.Values.size(); ++V) {
    const Value &Val = Facts.Values[V];
    if (Val.From == Source::Load && Facts.Places[Val.Loaded].Decl)
      edge(nodesOf(Facts.Places[Val.Loaded].Decl).Itself, First + V);
    if (!keepsGraph(Val))
      continue;
    bool Computes = Val.From == Source::Api && Val.Api.What != Does::View &&
                    Val.Api.What != Does::Copy && Val.Api.What != Does::Concat;
    for (ValueId In : Val.Inputs) {
      edge(First + In, First + V);
      if (Computes)
        mark(First + In, ReachesGraphUse);
    }
  }
}

void FlowGraph::mark(Node N, uint8_t Bits) { Fates[N] |= Bits; }

void FlowGraph::markOperands(const FunctionFacts &Facts, const Event &E, uint8_t Bits) {
  if (E.Val != NoId)
    mark(nodeOf(Facts, E.Val), Bits);
  for (ValueId Arg : E.Args)
    mark(nodeOf(Facts, Arg), Bits);
  if (E.Place != NoId && Facts.Places[E.Place].Decl)
    mark(nodesOf(Facts.Places[E.Place].Decl).Itself, Bits);
}

/// Whether code that is not seen may read what is stored in \p P.
static bool isSharedPlace(const FunctionFacts &Facts, PlaceId P, FlowGraph::Seen IsSeenWhole) {
  const Place &Root = Facts.Places[Facts.rootOf(P)];
  const auto *Member = dyn_cast<FieldDecl>(Facts.Places[P].Decl);
  bool IsOthers = Root.Root == Place::This && !(Member && IsSeenWhole(*Member));
  return Root.Root == Place::Static || IsOthers ||
         (Root.Root == Place::Param && mayWriteThrough(Root.Decl->getType()));
}

void FlowGraph::addWrite(const FunctionFacts &Facts, const Event &E, Seen IsSeenWhole) {
  if (E.Place == NoId || !Facts.Places[E.Place].Decl)
    return;
  const ValueDecl *Target = Facts.Places[E.Place].Decl;
  auto Local = Written.find(&E);
  uint8_t Bits = isSharedPlace(Facts, E.Place, IsSeenWhole) ? ReachesShared : 0;
  auto Put = [&](ValueId V) {
    if (V == NoId)
      return;
    Node To = Local == Written.end() ? targetOf(Facts, V, Target) : Local->second;
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
      edge(nodeOf(Facts, E.Args[I]), targetOf(Facts, E.Args[I], Callee->getParamDecl(I)),
           ~ReachesReturn);
}

void FlowGraph::addEvent(const FunctionFacts &Facts, const Event &E, Seen IsSeenWhole) {
  if (events::writes(E.Kind))
    addWrite(Facts, E, IsSeenWhole);
  else if (E.Kind == EventKind::UserCall)
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

void FlowGraph::add(const FunctionFacts &Facts, Seen IsSeenWhole) {
  Node First = Predecessors.size();
  FirstValue[&Facts] = First;
  for (size_t I = 0; I < Facts.Values.size(); ++I)
    fresh();
  addValues(Facts, First);
  addLocals(Facts);
  for (PlaceId P = 0; P < Facts.Places.size(); ++P) {
    const Place &Part = Facts.Places[P];
    if (!Part.isField() || !Part.Decl || !Facts.Places[Part.Parent].Decl)
      continue;
    DeclNodes Field = nodesOf(Part.Decl), Whole = nodesOf(Facts.Places[Part.Parent].Decl);
    edge(Field.Itself, Whole.Itself);
    edge(Whole.Stored, Field.Stored);
  }
  for (const Event &E : Facts.Events)
    addEvent(Facts, E, IsSeenWhole);
}

void FlowGraph::solve() {
  llvm::SmallVector<Node, 64> Work;
  for (Node N = 0; N < Fates.size(); ++N)
    if (Fates[N])
      Work.push_back(N);
  while (!Work.empty()) {
    Node N = Work.pop_back_val();
    for (Edge P : Predecessors[N]) {
      uint8_t Fate = Fates[P.From] | (Fates[N] & P.Mask);
      if (Fate == Fates[P.From])
        continue;
      Fates[P.From] = Fate;
      Work.push_back(P.From);
    }
  }
}

uint8_t FlowGraph::fateOf(const FunctionFacts &Facts, PlaceId P) const {
  auto It = Decls.find(Facts.Places[P].Decl);
  return It == Decls.end() ? 0 : Fates[It->second.Stored];
}

uint8_t FlowGraph::fateOfValue(const FunctionFacts &Facts, ValueId V) const {
  return V == NoId ? 0 : Fates[nodeOf(Facts, V)];
}

} // namespace tensorleak
