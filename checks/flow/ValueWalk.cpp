//===-- ValueWalk.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/flow/ValueWalk.h"

#include "checks/facts/Ways.h"

#include "checks/Budgets.h"
#include "checks/source/Expressions.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace tensorleak {

bool isMoved(const Value &V) {
  const auto *Call = dyn_cast_or_null<CallExpr>(V.E);
  return V.From == Source::Load && Call && yieldsItsArgument(*Call) &&
         Call->getType()->isRecordType() && Call->isXValue();
}

llvm::SmallVector<ValueId, 4> valuesOf(const Event &E) {
  llvm::SmallVector<ValueId, 4> Out(E.Args.begin(), E.Args.end());
  if (E.Val != NoId)
    Out.push_back(E.Val);
  return Out;
}

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

//===-- The walk ----------------------------------------------------------===//

/// So that the first of \p Values comes next.
void ValueWalk::push(llvm::ArrayRef<ValueId> Values, unsigned Before) {
  for (ValueId V : llvm::reverse(Values))
    if (V != NoId)
      Work.push_back({V, Before});
}

/// \p E is a write of \p P, of what it is in or of a part of it, that the walk goes through.
bool ValueWalk::counts(const Event &E, PlaceId P) const {
  bool Writes = KeptOnly ? events::keepsValue(E.Kind) : events::writes(E.Kind);
  return Writes && E.Place != NoId && (Facts.isIn(P, E.Place) || Facts.isIn(E.Place, P)) &&
         (Within == NoId || Facts.isInside(E.InLoop, Within));
}

void ValueWalk::pushWrite(unsigned Index) {
  const Event &E = Facts.Events[Index];
  unsigned Before = Through == Variables::Earlier ? Index : NoId;
  push(E.Args, Before);
  push(E.Val, Before);
}

/// The last store to \p P before the event \p Before; 0 for none.
unsigned ValueWalk::lastStore(PlaceId P, unsigned Before) const {
  while (Before-- > 0)
    if (replacesContent(Facts.Events[Before]) && Facts.isIn(P, Facts.Events[Before].Place))
      return Before;
  return 0;
}

/// What is written first comes next.
void ValueWalk::pushWrites(PlaceId P, unsigned Before) {
  unsigned First = 0, End = Facts.Events.size();
  if (Through == Variables::Earlier) {
    End = std::min(End, Before);
    First = lastStore(P, End);
  } else if (Through == Variables::End || !SeenPlaces.insert(P).second)
    return;
  for (unsigned I = End; I-- > First;)
    if (counts(Facts.Events[I], P))
      pushWrite(I);
}

ValueWalk::Answer ValueWalk::any(llvm::ArrayRef<ValueId> From, Visitor Visit) {
  push(From, Start);
  while (!Work.empty()) {
    auto [V, Before] = Work.pop_back_val();
    const Value &Val = Facts.Values[V];
    if (!Seen.insert({V, Before}).second || (GraphOnly && !keepsGraph(Val)))
      continue;
    if (isOver(Budget::WalkSteps, Seen.size()))
      return Answer::Unknown;
    Next Then = Visit(V, Before);
    if (Then == Next::Found)
      return Answer::Yes;
    if (Then == Next::Into && Val.From == Source::Load)
      pushWrites(Val.Loaded, Before);
    else if (Then == Next::Into)
      push(Val.Inputs, Before);
    else if (Then == Next::Self && !Val.Inputs.empty())
      push(Val.Inputs.front(), Before);
  }
  return Answer::No;
}

//===-- Questions that many ask -------------------------------------------===//

using Next = ValueWalk::Next;

bool dependsOnItself(const FunctionFacts &Facts, ValueId V, PlaceId P, LoopId L, bool WithGraph) {
  ValueWalk Walk(Facts, ValueWalk::Variables::AllWrites);
  if (WithGraph)
    Walk.alongGraph();
  auto ReadsIt = [&](ValueId Part, unsigned) {
    const Value &Val = Facts.Values[Part];
    return Val.From == Source::Load && Facts.isIn(Val.Loaded, P) ? Next::Found : Next::Into;
  };
  return Walk.within(L).any(V, ReadsIt) == ValueWalk::Answer::Yes;
}

bool anyComputedFrom(const FunctionFacts &Facts, ValueId V, unsigned Before,
                     llvm::function_ref<bool(ValueId, unsigned)> Visit) {
  ValueWalk Walk(Facts, ValueWalk::Variables::Earlier);
  return Walk.alongGraph().before(Before).any(V, [&](ValueId Part, unsigned Until) {
    return Visit(Part, Until) ? Next::Found : Next::Into;
  }) == ValueWalk::Answer::Yes;
}

static llvm::SmallVector<unsigned, 2> allParameters(const FunctionDecl &F) {
  llvm::SmallVector<unsigned, 2> All;
  for (const ParmVarDecl *Param : F.parameters())
    All.push_back(Param->getFunctionScopeIndex());
  return All;
}

/// What the load \p V of a parameter gives was put there by the function itself, on every way:
/// values are numbered in the order of the source.
static bool isReplacedBefore(const FunctionFacts &Facts, ValueId V) {
  for (unsigned I = 0; I < Facts.Events.size(); ++I) {
    const Event &E = Facts.Events[I];
    if (E.Kind == EventKind::Store && !E.Declares && E.Place == Facts.Values[V].Loaded &&
        E.InLoop == NoId && E.Val != NoId && E.Val < V && isUnconditional(Facts, I))
      return true;
  }
  return false;
}

llvm::SmallVector<unsigned, 2> parametersBehind(const FunctionFacts &Facts, ValueId V,
                                                llvm::function_ref<bool(ValueId)> IsDone) {
  llvm::SmallVector<unsigned, 2> Found;
  auto Collect = [&](ValueId Part, unsigned) {
    if (IsDone(Part))
      return Next::Past;
    const Value &Val = Facts.Values[Part];
    const ValueDecl *D =
        Val.From == Source::Load ? Facts.Places[Facts.rootOf(Val.Loaded)].Decl : nullptr;
    const auto *Param = dyn_cast_or_null<ParmVarDecl>(D);
    if (Param && Param->getDeclContext() == Facts.Function &&
        !llvm::is_contained(Found, Param->getFunctionScopeIndex()) &&
        !isReplacedBefore(Facts, Part))
      Found.push_back(Param->getFunctionScopeIndex());
    return Next::Into;
  };
  ValueWalk Walk(Facts, ValueWalk::Variables::AllWrites);
  bool Known = Walk.alongGraph().any(V, Collect) != ValueWalk::Answer::Unknown;
  return Known ? Found : allParameters(*Facts.Function);
}

/// A value that is stored in one of \p Places was run by the function that made it, or the
/// graph of one of them is run here.
static bool isRunIn(const FunctionFacts &Facts, llvm::ArrayRef<PlaceId> Places) {
  return llvm::any_of(Facts.Events, [&](const Event &E) {
    if (E.Val == NoId)
      return false;
    const Value &Val = Facts.Values[E.Val];
    if (E.Kind == EventKind::Store)
      return Val.GraphWasRun && llvm::is_contained(Places, E.Place);
    return E.Kind == EventKind::Backward && !E.RetainsGraph && Val.From == Source::Load &&
           llvm::is_contained(Places, Val.Loaded);
  });
}

/// `auto loss = l;`: with \p Places, the variables that they are copies of.
static void addOriginals(const FunctionFacts &Facts, llvm::SmallVectorImpl<PlaceId> &Places) {
  for (unsigned I = 0; I < Places.size(); ++I)
    for (const Event &E : Facts.Events) {
      bool Copies = E.Kind == EventKind::Store && E.Declares && E.Place == Places[I] &&
                    E.Val != NoId && Facts.Values[E.Val].From == Source::Load;
      if (Copies && !llvm::is_contained(Places, Facts.Values[E.Val].Loaded))
        Places.push_back(Facts.Values[E.Val].Loaded);
    }
}

bool wasRunBackward(const FunctionFacts &Facts, llvm::ArrayRef<ValueId> Values, PlaceId Except) {
  llvm::SmallVector<PlaceId, 4> Read;
  auto Answer = ValueWalk(Facts).any(Values, [&](ValueId V, unsigned) {
    const Value &Val = Facts.Values[V];
    if (Val.From == Source::Load && Val.Loaded != Except)
      Read.push_back(Val.Loaded);
    return Val.GraphWasRun ? Next::Found : Next::Into;
  });
  addOriginals(Facts, Read);
  return Answer != ValueWalk::Answer::No || isRunIn(Facts, Read);
}

} // namespace tensorleak
