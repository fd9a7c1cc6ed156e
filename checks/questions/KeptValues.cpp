//===-- KeptValues.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/questions/KeptValues.h"

#include "checks/Budgets.h"
#include "checks/facts/Ways.h"
#include "checks/source/Expressions.h"
#include "checks/source/References.h"

using namespace clang;

namespace tensorleak {

static std::optional<int64_t> numberOfElements(const TensorType &T) {
  auto Count = T.elements();
  return Count ? Count->number() : std::nullopt;
}

TensorType keptAtLeast(const TensorType &T) {
  auto Count = numberOfElements(T);
  return Count && *Count <= 1 ? TensorType() : T;
}

bool keepsTensors(const FunctionFacts &Facts, ValueId V) {
  const Value &Val = Facts.Values[V];
  if (Val.From == Source::UserCall)
    return true;
  if (Val.From != Source::Api || !Val.Api.has(Elementwise) || Val.Api.has(LikeSelf))
    return Val.From == Source::Api && Val.Api.What != Does::View && Val.Api.What != Does::Copy &&
           Val.Api.What != Does::Concat && keepsGraph(Val);
  return Val.Api.has(SavesOperands) ? Val.Inputs.size() > 1 : !Val.Api.has(HasInPlace);
}

/// Before all loops, once: `auto weights = initialized();`.
static bool isMadeOnce(const FunctionFacts &Facts, ValueId V) {
  auto Makes = [&](const Event &E) {
    return E.Val == V && (E.Kind == EventKind::Compute || E.Kind == EventKind::UserCall);
  };
  auto Made = llvm::find_if(Facts.Events, Makes);
  return Made != Facts.Events.end() && Made->InLoop == NoId;
}

bool keepsNodesOnly(const FunctionFacts &Facts, const Event &E) {
  unsigned Index = &E - Facts.Events.data();
  return !anyComputedFrom(Facts, E.Val, Index, [&](ValueId V, unsigned) {
    return keepsTensors(Facts, V) && (E.InLoop == NoId || !isMadeOnce(Facts, V));
  });
}

bool buildsGraphOverTensors(const FunctionUnit &F) {
  const FunctionFacts &Facts = *F.Facts;
  return llvm::any_of(Facts.Events, [&](const Event &E) {
    return E.Kind == EventKind::Forward ||
           (E.Kind == EventKind::Compute && F.State.Values[E.Val].Carries == Graph::Yes &&
            keepsTensors(Facts, E.Val));
  });
}

/// There are runs backward in the file's own code, and each \p Is accepts.
static bool areAllBackwards(Unit &U, llvm::function_ref<bool(const Event &)> Is) {
  bool Any = false;
  for (const FunctionUnit &F : U.functions())
    for (const Event &E : F.Facts->Events) {
      if (E.Kind != EventKind::Backward || E.Callee)
        continue;
      Any = true;
      if (!Is(E))
        return false;
    }
  return Any;
}

bool allBackwardsRetain(Unit &U) {
  return areAllBackwards(U, [](const Event &E) { return E.RetainsGraph; });
}

/// \p E asks for the gradient of \p Holder, and of others at most beside it.
static bool stopsAt(const Event &E, const ValueDecl &Holder, ApiModel &Model) {
  const auto *Call = dyn_cast_or_null<CallExpr>(E.At);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  const auto Effect = Callee ? Model.effectOf(*Callee) : std::nullopt;
  return Effect && Effect->What == Does::AutogradGrad && Call->getNumArgs() > 1 &&
         mentions(Call->getArg(1), [&](const Expr &Named) {
           return isa<DeclRefExpr, MemberExpr>(Named) && variableOrMember(&Named) == &Holder;
         });
}

bool allBackwardsStopAt(Unit &U, const ValueDecl &Holder) {
  return areAllBackwards(U, [&](const Event &E) { return stopsAt(E, Holder, U.model()); });
}

namespace {

/// Follows what is kept back through views and variables to the tensor that owns the memory.
class BaseFinder {
public:
  BaseFinder(const FunctionUnit &F, unsigned Grow)
      : F(F), Facts(*F.Facts), InLoop(Facts.Events[Grow].InLoop), Before(Grow) {}
  std::optional<PinnedBase> find(ValueId Kept);

private:
  bool goOn();
  bool goThroughVariable(PlaceId P);
  bool goThroughParameter(PlaceId P);
  bool goOutwards(LoopId Made);
  bool isKeptWhole() const;
  std::optional<PinnedBase> compare(const TensorType &Whole) const;

  const FunctionUnit &F;
  const FunctionFacts &Facts;
  LoopId InLoop;
  unsigned Before;
  ValueId At = NoId;
  ValueId LastView = NoId;
  ValueId OfRound = NoId; ///< the part of a tensor from outside that each round of a loop has
  PlaceId Held = NoId;    ///< the last variable on the way
  bool IsView = false;
  TensorType Part;
};

bool sharesStorage(const Value &V) {
  return V.From == Source::Api && !V.Inputs.empty() &&
         (V.Api.What == Does::View || V.Api.What == Does::Detach);
}

/// To the loop in which a variable was stored. `for (i...) kept.push_back(big[i][0]);`: all rounds
/// share what was made outside, of which each has its own part; that is what it pins.
bool BaseFinder::goOutwards(LoopId Made) {
  if (Made == InLoop)
    return true;
  if (LastView == NoId || (Made != NoId && !Facts.isInside(InLoop, Made)))
    return false;
  OfRound = OfRound == NoId ? LastView : OfRound;
  InLoop = Made;
  return true;
}

/// Of a parameter of a callee whose body stands in the graph: to what the call gives it. Where the
/// body's events are listed says nothing of the order.
bool BaseFinder::goThroughParameter(PlaceId P) {
  const Event *Given = nullptr;
  for (const Event &E : Facts.Events) {
    if (E.Place != P || !events::mayChange(E.Kind) || E.Kind == EventKind::ScopeEnd)
      continue;
    if (Given || !E.Declares)
      return false;
    Given = &E;
  }
  if (!Given || Given->Val == NoId)
    return false;
  Held = P;
  At = Given->Val;
  Before = Given - Facts.Events.data();
  return goOutwards(Given->InLoop);
}

/// To what was stored last, in the same round. A member may be stored by others, unless this
/// function does it each time.
bool BaseFinder::goThroughVariable(PlaceId P) {
  if (Facts.Places[P].OfSplice && isa_and_nonnull<ParmVarDecl>(Facts.Places[P].Decl))
    return goThroughParameter(P);
  const bool IsOwn = Facts.Places[P].Root == Place::Local;
  while (Before-- > 0) {
    const Event &Made = Facts.Events[Before];
    if (Made.Place == P && Made.Kind == EventKind::Unknown)
      return false;
    if (Made.Place != P || !replacesContent(Made))
      continue;
    Held = P;
    At = Made.Val;
    return At != NoId && goOutwards(Made.InLoop) && (IsOwn || isUnconditional(Facts, Before));
  }
  return false;
}

/// One step back; false where that is not known.
bool BaseFinder::goOn() {
  const Value &Val = Facts.Values[At];
  if (Val.From == Source::Load)
    return goThroughVariable(Val.Loaded);
  if (!IsView)
    Part = F.State.Values[At].Type;
  bool Narrows = Val.Api.What == Does::View;
  IsView |= Narrows;
  LastView = Narrows ? At : LastView;
  Held = Narrows ? NoId : Held; // detach() leaves the whole of it
  At = Val.Inputs.front();
  return true;
}

/// Somebody keeps all of it anyway.
bool BaseFinder::isKeptWhole() const {
  return Held != NoId && llvm::any_of(Facts.Events, [&](const Event &E) {
           bool Keeps = events::leaves(E.Kind) || (events::keepsValue(E.Kind) && E.Place != Held);
           auto IsIt = [&](ValueId V, unsigned) {
             const Value &Val = Facts.Values[V];
             if (Val.From == Source::Load && Val.Loaded == Held)
               return ValueWalk::Next::Found;
             return Val.From == Source::Group ? ValueWalk::Next::Into : ValueWalk::Next::Past;
           };
           return Keeps && E.Val != NoId && !E.Declares &&
                  ValueWalk(Facts).any(E.Val, IsIt) != ValueWalk::Answer::No;
         });
}

/// How many times \p Kept goes into \p All; nothing where that is not known, or may be less than
/// once.
static std::optional<SymbolicSize> timesIn(const Dim &All, const Dim &Kept) {
  if (!All || !Kept)
    return std::nullopt;
  if (All->number() && Kept->number() && *Kept->number() > 0)
    return SymbolicSize(*All->number() / *Kept->number());
  auto Times = quotient(*All, *Kept);
  return Times && Times->divisors().empty() && Times->numericDivisor() == 1 ? Times : std::nullopt;
}

std::optional<PinnedBase> BaseFinder::compare(const TensorType &Whole) const {
  constexpr int64_t WorthACopy = 16; // the base is this many times the view
  auto Times = timesIn(Whole.elements(), Part.elements());
  if (!Times)
    return std::nullopt;
  bool IsCertain = Times->numericFactor() >= WorthACopy;
  if (!IsCertain && Times->factors().empty())
    return std::nullopt;
  return PinnedBase{Held == NoId ? nullptr : Facts.Places[Held].Decl, Whole, IsCertain};
}

std::optional<PinnedBase> BaseFinder::find(ValueId Kept) {
  At = Kept;
  for (unsigned Steps = 0; !isOver(Budget::WalkSteps, Steps); ++Steps) {
    const Value &Val = Facts.Values[At];
    if (Val.From != Source::Load && !sharesStorage(Val))
      break;
    if (!goOn())
      return std::nullopt;
  }
  const Value &Base = Facts.Values[At];
  bool IsFresh = Base.From == Source::Api && Base.Api.What != Does::Parameters &&
                 (Base.Api.What != Does::Copy || Base.Api.has(Fresh)) &&
                 Base.Api.What != Does::Blob && Base.Api.What != Does::InPlace;
  if (!IsView || !IsFresh || isKeptWhole())
    return std::nullopt;
  return compare(F.State.Values[OfRound == NoId ? At : OfRound].Type);
}

} // namespace

/// Of a list or a pair that is kept, each tensor by itself.
static llvm::SmallVector<ValueId, 2> tensorsIn(const FunctionFacts &Facts, ValueId Kept) {
  llvm::SmallVector<ValueId, 2> Out;
  (void)ValueWalk(Facts).any(Kept, [&](ValueId V, unsigned) {
    if (Facts.Values[V].From == Source::Group && Facts.Values[V].Part < 0)
      return ValueWalk::Next::Into;
    Out.push_back(V);
    return ValueWalk::Next::Past;
  });
  return Out;
}

std::optional<PinnedBase> pinnedBase(const FunctionUnit &F, unsigned GrowEvent) {
  for (ValueId V : tensorsIn(*F.Facts, F.Facts->Events[GrowEvent].Val))
    if (auto Base = BaseFinder(F, GrowEvent).find(V))
      return Base;
  return std::nullopt;
}

bool addsFreshEntry(const FunctionFacts &Facts, const Event &Grow) {
  const Value *V = &Facts.Values[Grow.Val];
  if (V->E == Grow.At && V->Inputs.size() == 1) // made of that
    V = &Facts.Values[V->Inputs.front()];
  return V->Api.What == Does::Create;
}

/// \p A is what \p B is, without its graph.
static bool isDetachOf(const FunctionFacts &Facts, ValueId A, ValueId B) {
  bool Detaches = false;
  for (const Value *V = &Facts.Values[A]; V->From == Source::Api && !V->Inputs.empty();
       V = &Facts.Values[A]) {
    if (V->Api.What != Does::Detach && V->Api.What != Does::RequireGrad)
      return false;
    Detaches |= V->Api.What == Does::Detach;
    A = V->Inputs.front();
  }
  const Value &First = Facts.Values[A], &Second = Facts.Values[B];
  bool IsSame = A == B || (First.From == Source::Load && Second.From == Source::Load &&
                           First.Loaded == Second.Loaded);
  return Detaches && IsSame;
}

bool isDetachedOnDemand(const FunctionFacts &Facts, ValueId V) {
  const Value &Either = Facts.Values[V];
  const auto &Ways = Either.Inputs;
  return isa_and_nonnull<AbstractConditionalOperator>(Either.E) && Ways.size() == 2 &&
         (isDetachOf(Facts, Ways[0], Ways[1]) || isDetachOf(Facts, Ways[1], Ways[0]));
}

} // namespace tensorleak
