//===-- Flow.cpp ----------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/analysis/Flow.h"

#include "checks/analysis/LocalStores.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace tensorleak {

bool keepsGraph(const Value &V) {
  if (V.From == Source::UserCall)
    return V.Graph != GraphOut::No;
  if (V.From != Source::Api)
    return true;
  switch (V.Api.What) {
  case Does::Detach:
  case Does::ComputeConst:
  case Does::GradOf:
  case Does::Create:
  case Does::Blob:
  case Does::Parameters:
  case Does::RequireGrad:
    return false;
  default:
    return true;
  }
}

/// Whether writing a parameter of this type reaches the caller's object.
static bool isSharedWithCaller(QualType T) {
  return (T->isReferenceType() || T->isPointerType()) &&
         !T->getPointeeType().isConstQualified();
}

FlowGraph::Node FlowGraph::fresh() {
  Predecessors.emplace_back();
  Fates.push_back(0);
  return Predecessors.size() - 1;
}

FlowGraph::Node FlowGraph::nodeOf(const ValueDecl *D) {
  auto [It, New] = Decls.try_emplace(D, 0);
  if (New)
    It->second = fresh();
  return It->second;
}

FlowGraph::Node FlowGraph::nodeOf(const FunctionFacts &Facts, ValueId V) const {
  return FirstValue.lookup(&Facts) + V;
}

uint8_t FlowGraph::fateOf(const ValueDecl &D) const {
  auto It = Decls.find(&D);
  return It == Decls.end() ? 0 : Fates[It->second];
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
      edge(nodeOf(Facts.Places[Val.Loaded].Decl), First + V);
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
    mark(nodeOf(Facts.Places[E.Place].Decl), Bits);
}

void FlowGraph::addWrite(const FunctionFacts &Facts, const Event &E, Seen IsSeenWhole) {
  if (E.Place == NoId || !Facts.Places[E.Place].Decl)
    return;
  auto Local = Written.find(&E);
  Node To = Local == Written.end() ? nodeOf(Facts.Places[E.Place].Decl) : Local->second;
  if (E.Val != NoId)
    edge(nodeOf(Facts, E.Val), To);
  for (ValueId Arg : E.Args)
    edge(nodeOf(Facts, Arg), To);
  const Place &Root = Facts.Places[Facts.rootOf(E.Place)];
  const auto *Member = dyn_cast<FieldDecl>(Facts.Places[E.Place].Decl);
  bool IsOthers = Root.Root == Place::This && !(Member && IsSeenWhole(*Member));
  if (Root.Root == Place::Static || IsOthers ||
      (Root.Root == Place::Param && isSharedWithCaller(Root.Decl->getType())))
    mark(To, ReachesShared);
}

/// An argument's fate is its parameter's, but for what the callee returns: that
/// is the fate of the call's value.
void FlowGraph::addCall(const FunctionFacts &Facts, const Event &E) {
  const FunctionDecl *Callee = E.Callee->getDefinition();
  if (!Callee) // in another file
    Callee = E.Callee->getCanonicalDecl();
  for (unsigned I = 0; I < E.Args.size() && I < Callee->getNumParams(); ++I)
    if (E.Args[I] != NoId)
      edge(nodeOf(Facts, E.Args[I]), nodeOf(Callee->getParamDecl(I)), ~ReachesReturn);
}

void FlowGraph::addEvent(const FunctionFacts &Facts, const Event &E, Seen IsSeenWhole) {
  switch (E.Kind) {
  case EventKind::Store:
  case EventKind::StoreWeak:
  case EventKind::Grow:
  case EventKind::Mutate:
    return addWrite(Facts, E, IsSeenWhole);
  case EventKind::UserCall:
    return addCall(Facts, E);
  case EventKind::Backward:
    return markOperands(Facts, E, ReachesBackward);
  case EventKind::Return:
    return markOperands(Facts, E, ReachesReturn);
  case EventKind::Escape:
  case EventKind::Unknown:
    return markOperands(Facts, E, ReachesUnknown);
  default:
    return;
  }
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
    Node Field = nodeOf(Part.Decl), Whole = nodeOf(Facts.Places[Part.Parent].Decl);
    edge(Field, Whole);
    edge(Whole, Field);
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
  return It == Decls.end() ? 0 : Fates[It->second];
}

uint8_t FlowGraph::fateOfValue(const FunctionFacts &Facts, ValueId V) const {
  return V == NoId ? 0 : Fates[nodeOf(Facts, V)];
}

namespace {

/// Walks backwards from a value through what it is computed from.
class Ancestors {
public:
  Ancestors(const FunctionFacts &Facts, LoopId Within, bool WithGraph)
      : Facts(Facts), Within(Within), WithGraph(WithGraph) {}

  /// Visits every place read; stops when \p Visit says true.
  bool any(ValueId V, llvm::function_ref<bool(PlaceId)> Visit) {
    if (V == NoId || !Values.insert(V).second)
      return false;
    const Value &Val = Facts.Values[V];
    if (Val.From == Source::Load)
      return Visit(Val.Loaded) || throughPlace(Val.Loaded, Visit);
    if (WithGraph && !keepsGraph(Val))
      return false;
    return llvm::any_of(Val.Inputs, [&](ValueId In) { return any(In, Visit); });
  }

private:
  bool throughPlace(PlaceId P, llvm::function_ref<bool(PlaceId)> Visit) {
    if (!Places.insert(P).second)
      return false;
    for (const Event &E : Facts.Events) {
      if (!isWrite(E.Kind) || E.Place != P || (Within != NoId && !Facts.isInside(E.InLoop, Within)))
        continue;
      if (any(E.Val, Visit) ||
          llvm::any_of(E.Args, [&](ValueId Arg) { return any(Arg, Visit); }))
        return true;
    }
    return false;
  }

  const FunctionFacts &Facts;
  LoopId Within;
  bool WithGraph;
  llvm::DenseSet<ValueId> Values;
  llvm::DenseSet<PlaceId> Places;
};

} // namespace

namespace {

/// The last store to \p P before the event \p Before; NoId for none.
unsigned lastStore(const FunctionFacts &Facts, PlaceId P, unsigned Before) {
  while (Before-- > 0)
    if (Facts.Events[Before].Kind == EventKind::Store && Facts.Events[Before].Place == P)
      return Before;
  return NoId;
}

using Visitor = llvm::function_ref<bool(ValueId, unsigned)>;

bool visitWrites(const FunctionFacts &Facts, PlaceId P, unsigned Before, unsigned Depth,
                 Visitor Visit);

bool visitBack(const FunctionFacts &Facts, ValueId V, unsigned Before, unsigned Depth,
               Visitor Visit) {
  constexpr unsigned MaxDepth = 24; // expressions and variables looked through
  if (V == NoId || Depth > MaxDepth || !keepsGraph(Facts.Values[V]))
    return false;
  if (Visit(V, Before))
    return true;
  const Value &Val = Facts.Values[V];
  if (Val.From == Source::Load)
    return visitWrites(Facts, Val.Loaded, Before, Depth, Visit);
  return llvm::any_of(Val.Inputs, [&](ValueId In) {
    return visitBack(Facts, In, Before, Depth + 1, Visit);
  });
}

/// What was stored in \p P last, and what was added to it since.
bool visitWrites(const FunctionFacts &Facts, PlaceId P, unsigned Before, unsigned Depth,
                 Visitor Visit) {
  unsigned Stored = lastStore(Facts, P, Before);
  for (unsigned I = Stored == NoId ? 0 : Stored; I < Before; ++I) {
    const Event &E = Facts.Events[I];
    if (E.Place != P || !isWrite(E.Kind))
      continue;
    if (visitBack(Facts, E.Val, I, Depth + 1, Visit) ||
        llvm::any_of(E.Args,
                     [&](ValueId V) { return visitBack(Facts, V, I, Depth + 1, Visit); }))
      return true;
  }
  return false;
}

} // namespace

bool anyComputedFrom(const FunctionFacts &Facts, ValueId V, unsigned Before,
                     llvm::function_ref<bool(ValueId, unsigned)> Visit) {
  return visitBack(Facts, V, Before, 0, Visit);
}

bool dependsOnItself(const FunctionFacts &Facts, ValueId V, PlaceId P, LoopId L, bool WithGraph) {
  return Ancestors(Facts, L, WithGraph).any(V, [P](PlaceId Read) { return Read == P; });
}

namespace {

/// The places that a value is read from, in the expression itself.
struct Reads {
  const FunctionFacts &Facts;
  PlaceId Except;
  llvm::SmallVector<PlaceId, 4> Places;
  bool AnyWasRun = false; ///< by the function that made it

  void add(ValueId V, unsigned Depth = 0) {
    constexpr unsigned MaxDepth = 8;
    if (V == NoId || Depth > MaxDepth)
      return;
    const Value &Val = Facts.Values[V];
    AnyWasRun |= Val.GraphWasRun;
    if (Val.From == Source::Load && Val.Loaded != Except)
      Places.push_back(Val.Loaded);
    for (ValueId In : Val.Inputs)
      add(In, Depth + 1);
  }
};

} // namespace

bool wasRunBackward(const FunctionFacts &Facts, llvm::ArrayRef<ValueId> Values, PlaceId Except) {
  Reads Read{Facts, Except};
  for (ValueId V : Values)
    Read.add(V);
  return Read.AnyWasRun || llvm::any_of(Facts.Events, [&](const Event &E) {
           if (E.Val == NoId)
             return false;
           const Value &Val = Facts.Values[E.Val];
           if (E.Kind == EventKind::Store)
             return Val.GraphWasRun && llvm::is_contained(Read.Places, E.Place);
           return E.Kind == EventKind::Backward && !E.RetainsGraph && Val.From == Source::Load &&
                  llvm::is_contained(Read.Places, Val.Loaded);
         });
}

llvm::SmallVector<unsigned, 2> parametersBehind(const FunctionFacts &Facts, ValueId V) {
  llvm::SmallVector<unsigned, 2> Found;
  Ancestors(Facts, NoId, /*WithGraph=*/true).any(V, [&](PlaceId Read) {
    const auto *Param = dyn_cast_or_null<ParmVarDecl>(Facts.Places[Facts.rootOf(Read)].Decl);
    if (Param && Param->getDeclContext() == Facts.Function &&
        !llvm::is_contained(Found, Param->getFunctionScopeIndex()))
      Found.push_back(Param->getFunctionScopeIndex());
    return false;
  });
  return Found;
}

} // namespace tensorleak
