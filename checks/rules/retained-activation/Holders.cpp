//===-- Holders.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/retained-activation/Holders.h"

#include "checks/Budgets.h"
#include "checks/facts/Ways.h"
#include "checks/flow/callers/Callers.h"
#include "checks/flow/callers/NewObjects.h"
#include "checks/flow/parts/Parts.h"
#include "checks/model/ClassNames.h"
#include "checks/rules/retained-activation/KeptParts.h"
#include "checks/rules/retained-activation/Restarts.h"
#include "checks/source/Expressions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "clang/AST/ASTLambda.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

Holder::Holder(Unit &U, const FunctionUnit &F, const Event &E)
    : U(U), F(F), Facts(*F.Facts), E(E), TheSpan(spanOf()) {}

/// A variable that a lambda of another function has captured, whose body is called here.
static bool isOfAnotherFunction(const FunctionFacts &Facts, const Place &Root) {
  return Root.Root == Place::Captured && Root.Decl &&
         !Root.Decl->getDeclContext()->Encloses(Facts.Function);
}

/// What stands behind a pointer is not protected by what is constant around it, and is no part of
/// a copy.
static bool isBehindPointer(const FunctionFacts &Facts, PlaceId P) {
  for (P = Facts.Places[P].Parent; P != NoId; P = Facts.Places[P].Parent)
    if (const ValueDecl *D = Facts.Places[P].Decl;
        D &&
        (D->getType().getNonReferenceType()->isPointerType() || keepsOthersAlive(D->getType())))
      return true;
  return false;
}

Span Holder::spanOf() const {
  const Place &Root = Facts.Places[Facts.rootOf(E.Place)];
  bool IsOthers = isOfAnotherFunction(Facts, Root) && !isInAllCallers(U.functions(), F);
  if (Root.Root == Place::This || Root.Root == Place::Static || IsOthers)
    return Span::Program;
  if (Root.Root == Place::Captured)
    return Span::Caller;
  if (Root.Root == Place::Param) {
    QualType T = Root.Decl->getType();
    bool Shared =
        T->isReferenceType() || T->isPointerType() || U.model().classify(T) == TypeClass::Tensor;
    bool IsOwn = !sharedContainer(T.getNonReferenceType()) &&
                 (!Shared || T.getNonReferenceType().isConstQualified());
    return IsOwn && !isBehindPointer(Facts, E.Place) ? Span::Step : Span::Caller;
  }
  // A member of a local object lives as long as the object.
  return Span::Call;
}

LoopId Holder::repeatingLoop() const {
  LoopId DeclaredIn = Facts.loopOfDecl(E.Place), Outermost = NoId;
  for (LoopId L = E.InLoop; L != NoId && L != DeclaredIn; L = Facts.Loops[L].Parent)
    Outermost = goesOverParts(Facts, U.model(), L) ? Outermost : L;
  return Outermost;
}

bool Holder::isInStepContext() const {
  return F.RunsInSteps || U.contains(F, NoId, EventKind::Forward) ||
         U.contains(F, NoId, EventKind::Backward);
}

bool Holder::repeats() const {
  if (TheSpan == Span::Step || isa<CXXConstructorDecl>(Facts.Function))
    return false;
  return TheSpan == Span::Program || E.Repeats || repeatingLoop() != NoId;
}

/// What \p Call gives for a parameter of the function that it calls.
static const Expr *givenFor(const Stmt &Call, const ParmVarDecl &Param) {
  const auto *C = dyn_cast<CallExpr>(&Call);
  unsigned Index = Param.getFunctionScopeIndex() + isa<CXXOperatorCallExpr>(Call);
  return C && Index < C->getNumArgs() ? C->getArg(Index) : nullptr;
}

/// How far outwards the calls are followed that give a key.
static constexpr unsigned KeyCalls = 4;

/// All calls in view, of which there is one, give \p Key, as \p Of knows it, the same in each step.
static bool callersRepeatKey(Unit &U, const FunctionFacts &Of, const Expr &Key, unsigned Calls);

/// The next step evaluates \p Key, in \p L, to the same: it is a constant, or the name of a part.
static bool isSameInSteps(Unit &U, const FunctionFacts &Where, const Expr *Key, LoopId L,
                          unsigned Calls = KeyCalls) {
  if (!Key || constantKey(Key, U.context()) || isNameOfPart(Where, U.model(), Key, L))
    return Key;
  return Calls > 0 && callersRepeatKey(U, Where, *Key, Calls - 1);
}

/// What the caller at \p Call calls \p Key: what it gives for a parameter, or the same names where
/// a lambda captures them.
static const Expr *keyOfCaller(const FunctionFacts &Of, const Expr &Key, const Stmt &Call) {
  if (const ParmVarDecl *Param = parameterBehind(Of, &Key))
    return givenFor(Call, *Param);
  const bool NamesOwn = mentions(&Key, [&](const Expr &E) {
    const VarDecl *V = variableRead(E);
    return V && Of.Function->Encloses(V->getDeclContext());
  });
  return isLambdaCallOperator(Of.Function) && !NamesOwn ? &Key : nullptr;
}

/// The loop that \p Call is done in; an algorithm's is the call itself.
static LoopId loopAround(const FunctionFacts &Facts, const Event &Call) {
  for (LoopId L = 0; L < Facts.Loops.size(); ++L)
    if (Facts.Loops[L].S == Call.At)
      return L;
  return Call.InLoop;
}

bool callersRepeatKey(Unit &U, const FunctionFacts &Of, const Expr &Key, unsigned Calls) {
  const auto Seen = callsInView(U.functions(), *Of.Function);
  return !Seen.empty() && llvm::all_of(Seen, [&](const CallInView &Call) {
    const FunctionFacts &Theirs = *Call.Caller.Facts;
    return isSameInSteps(U, Theirs, keyOfCaller(Of, Key, *Call.event().At),
                         loopAround(Theirs, Call.event()), Calls);
  });
}

/// `step % window`, `step & mask`: there are only so many.
static bool isRemainder(const Expr &Key) {
  const auto *Op = dyn_cast<BinaryOperator>(strip(&Key));
  return Op && (Op->getOpcode() == BO_Rem || Op->getOpcode() == BO_And);
}

/// `inbox[round].emplace(client, x)`: the maps around the one that gets the entry grow, too, where
/// their keys are others in each step.
bool Holder::isInNewEntry() const {
  const Expr *Around = E.Callee ? nullptr : objectOrFirst(dyn_cast_or_null<Expr>(E.At));
  if (Around && isa<CXXOperatorCallExpr>(E.At)) // the entry itself
    Around = elementNamed(*strip(Around)).Base;
  for (; Around; Around = elementNamed(*strip(Around)).Base) {
    const ElementNamed Named = elementNamed(*strip(Around));
    if (Named.Base && U.model().isKeyed(strip(Named.Base)->getType()) && !isRemainder(*Named.Key) &&
        !isSameInSteps(U, Facts, Named.Key, E.InLoop))
      return true;
  }
  return false;
}

bool Holder::isReplacedByNextStep() const {
  return E.Keyed && (!E.KeyVaries || isSameInSteps(U, Facts, E.Key, E.InLoop)) && !isInNewEntry();
}

/// A callee that knows that what it stores has a graph says so itself. Where its body is in this
/// file, that is the same place, and reported once.
bool Holder::isReportedByCaller() const {
  if (E.Callee && (TheSpan == Span::Program || (E.OfObject && !U.find(*E.Callee))))
    return E.Val == NoId || Facts.Values[E.Val].Graph == GraphOut::Yes ||
           F.State.AtEvent[index()].Info.Carries != Graph::Yes;
  return TheSpan == Span::Caller && F.CallSites > 0;
}

/// `x = x.slice(...)`, or a copy of that: a sliding window.
static bool isTrimOfItself(const FunctionFacts &Facts, const Event &Store) {
  bool IsView = false;
  ValueId At = Store.Val;
  while (At != NoId && Facts.Values[At].From == Source::Api && !Facts.Values[At].Inputs.empty()) {
    const Value &V = Facts.Values[At];
    if (V.Api.What != Does::View && V.Api.What != Does::Copy)
      return false;
    IsView |= V.Api.What == Does::View;
    At = V.Inputs.front();
  }
  return IsView && At != NoId && Facts.Values[At].From == Source::Load &&
         Facts.Values[At].Loaded == Store.Place;
}

/// \p Other gives one element another object, and \p E fills any of them.
static bool isOfOneElement(const Event &Other, const Event &E) {
  bool AreElements = Other.Kind == EventKind::StoreWeak && E.Kind == EventKind::StoreWeak;
  return AreElements && Other.KeyVaries && E.KeyVaries && Other.Place != E.Place;
}

/// \p Other puts something else into the place, which is not made of what was there. Whether
/// there was anything, a callee in view knows, and of members the file that one is in. Of an
/// element, another element may be that.
bool Holder::restarts(const Event &Other, LoopId L) const {
  bool Puts = Other.Kind == EventKind::Store ||
              (Other.Kind == EventKind::StoreWeak && E.Kind == EventKind::StoreWeak);
  if (!Puts || Other.Declares || &Other == &E || isOfOneElement(Other, E) ||
      dependsOnItself(Facts, Other.Val, Other.Place, L, /*WithGraph=*/true) ||
      dependsOnItself(Facts, Other.Val, E.Place, L, /*WithGraph=*/true))
    return false;
  const ValueDecl *Put = Facts.Places[Other.Place].Decl;
  if (const FunctionUnit *Callee = Other.Callee ? U.find(*Other.Callee) : nullptr)
    return beginsAnew(*Callee, Put, 1);
  return !Other.Callee || !isa_and_nonnull<FieldDecl>(Put) || U.shrinksSomewhere(Put);
}

static bool isParameter(const FunctionFacts &Facts, PlaceId P) {
  return Facts.Places[P].Root == Place::Param && !Facts.Places[P].isField();
}

/// The member of an object that is the function's own: whoever holds others keeps theirs.
static bool isOfOwnObject(const FunctionFacts &Facts, PlaceId P) {
  const Place &Whole = Facts.Places[Facts.rootOf(P)];
  const auto *Field = dyn_cast_or_null<FieldDecl>(Facts.Places[P].Decl);
  const bool IsOwn = Whole.Root == Place::Local || Whole.Root == Place::Param;
  const RecordDecl *Class =
      IsOwn && Whole.Decl ? Whole.Decl->getType()->getAsRecordDecl() : nullptr;
  return Field && Class && Field->getParent()->getCanonicalDecl() == Class->getCanonicalDecl();
}

/// Something in \p Where lets the variable or member \p D begin anew, which held something.
/// \p Calls: on the way from where D is known, after which it may be a parameter.
bool Holder::beginsAnew(const FunctionUnit &Where, const ValueDecl *D, unsigned Calls) const {
  const FunctionFacts &Theirs = *Where.Facts;
  for (unsigned I = 0; I < Theirs.Events.size(); ++I) {
    const Event &Store = Theirs.Events[I];
    bool Puts = Store.Kind == EventKind::Store ||
                (Store.Kind == EventKind::StoreWeak && E.Kind == EventKind::StoreWeak);
    if (!Puts || Store.Declares || Store.Place == NoId ||
        (Theirs.Places[Store.Place].Decl != D && !(Calls && isParameter(Theirs, Store.Place))) ||
        isOfOwnObject(Theirs, Store.Place) ||
        dependsOnItself(Theirs, Store.Val, Store.Place, NoId, /*WithGraph=*/true))
      continue;
    const FunctionUnit *Callee = Store.Callee ? U.find(*Store.Callee) : nullptr;
    bool Begins = Callee && !isOver(Budget::CalleesAsked, Calls + 1)
                      ? beginsAnew(*Callee, D, Calls + 1)
                      : !holdsNothing(U, Theirs, I);
    if (Begins)
      return true;
  }
  return false;
}

/// On the way from one time that it is filled to the next, and not in the first round alone.
bool Holder::letsGoAt(unsigned Index, LoopId L) const {
  const Event &Other = Facts.Events[Index];
  bool Trims = Other.Kind == EventKind::Store && isTrimOfItself(Facts, Other);
  if (!Trims && !events::has(Other.Kind, events::Sheds) && !restarts(Other, L))
    return false;
  if (holdsNothing(U, Facts, Index))
    return false;
  return L == NoId || (leadsTo(Facts, Index, index()) && !isInOneRound(Facts, Index, L));
}

bool Holder::letsGoInLoop(LoopId L) const {
  auto LetsGo = [&](unsigned I) {
    return (L == NoId || Facts.isInside(Facts.Events[I].InLoop, L)) && letsGoAt(I, L);
  };
  for (PlaceId Whole = E.Place; Whole != NoId; Whole = Facts.Places[Whole].Parent)
    if (llvm::any_of(Facts.eventsOf(Whole), LetsGo))
      return true;
  return false;
}

/// \p Other happens in each of the steps that fill the holder.
bool Holder::isInSteps(const Event &Other) const {
  if (&Other < Facts.Events.data() || &Other >= Facts.Events.data() + Facts.Events.size())
    return false;
  LoopId L = repeatingLoop();
  return L == NoId ? Other.InLoop == NoId : Facts.isInside(Other.InLoop, L);
}

/// The functions that are called in the steps and nowhere else: their bodies stand there.
llvm::SmallVector<const FunctionFacts *, 2> Holder::functionsInSteps() const {
  llvm::SmallVector<const FunctionFacts *, 2> Found;
  for (const Event &Call : Facts.Events) {
    if (Call.Kind != EventKind::UserCall || !Call.IsSpliced || Call.In != NoId || !isInSteps(Call))
      continue;
    const FunctionUnit *Callee = U.find(*Call.Callee);
    if (Callee && isInAllCallers(U.functions(), *Callee))
      Found.push_back(Callee->Facts.get());
  }
  return Found;
}

uint8_t Holder::fate() const {
  auto OfGraphs = fateOfGraphs(U, F, E);
  return OfGraphs ? *OfGraphs : U.fateOf(Facts, E.Place);
}

uint8_t Holder::fateApartFromSteps(bool Freed) const {
  const auto InSteps = functionsInSteps();
  auto IsInSteps = [&](const Event &Other) {
    return isInSteps(Other) || llvm::any_of(InSteps, [&](const FunctionFacts *Theirs) {
             return &Other >= Theirs->Events.data() &&
                    &Other < Theirs->Events.data() + Theirs->Events.size();
           });
  };
  return U.flow().fateWithout(Facts, E.Place, [&](const Event &Other) {
    if (isa_and_nonnull<CXXConstructExpr>(Other.At)) // an object may keep it, and empty it
      return false;
    bool Reads =
        Other.Kind == EventKind::Backward || (Other.Kind == EventKind::Escape && Other.Val != NoId);
    return (Reads && (Freed || IsInSteps(Other))) ||
           (Other.Kind == EventKind::UserCall && IsInSteps(Other));
  });
}

bool Holder::isOnlyReadInSteps() const {
  constexpr uint8_t MayBeRun = ReachesBackward | ReachesReturn | ReachesUnknown;
  auto Trains = [](const FunctionUnit &Other) {
    return llvm::any_of(Other.Facts->Events, [](const Event &Each) {
      return events::has(Each.Kind, events::NeedsGrad);
    });
  };
  auto Collects = [&](const Event &Other) { // an object may run all of them at the end
    return Other.Kind == EventKind::Escape && isa<CXXMemberCallExpr>(Other.At) && isInSteps(Other);
  };
  return llvm::none_of(U.functions(), Trains) && llvm::none_of(Facts.Events, Collects) &&
         !(fateApartFromSteps(false) & MayBeRun);
}

/// Another function of the file, or of others, empties, resets or detaches the holder; or empties
/// a container of which the holder is a part of an entry.
bool Holder::isResetElsewhere() const {
  const ValueDecl *D = Facts.Places[E.Place].Decl;
  for (PlaceId P = E.Place; P != NoId; P = Facts.Places[P].Parent)
    if (const ValueDecl *Whole = Facts.Places[P].Decl;
        Whole && (isShedInUse(U, *Whole) || (U.others().stateOf(*Whole) & IsShrunk)))
      return true;
  auto Begins = [&](const FunctionUnit &Other) {
    return !Other.NeverRuns && beginsAnew(Other, D, 0) && !isForNewObjects(U, Other);
  };
  const bool OfElements = E.Kind == EventKind::StoreWeak;
  return D && llvm::any_of(
                  U.functionsThat(OfElements ? Asked::BeginsElement : Asked::Begins, *D, Begins),
                  [&](const FunctionUnit *Other) { return Other->Facts.get() != &Facts; });
}

/// Of an object behind a shared pointer, which may have other names in the same function.
bool Holder::isShared() const {
  auto IsSharedPointer = [&](PlaceId P) {
    const ValueDecl *D = Facts.Places[P].Decl;
    const CXXRecordDecl *R = D ? recordOf(D->getType()) : nullptr;
    return R && isSharedPtr(*R);
  };
  PlaceId P = E.Place;
  while (P != NoId && !IsSharedPointer(P))
    P = Facts.Places[P].Parent;
  return P != NoId;
}

/// Some pointer of the file that may share the holder, as its type says, empties it or gets another
/// one.
bool Holder::isLetGoByOtherName() const {
  const ValueDecl *D = Facts.Places[E.Place].Decl;
  const CXXRecordDecl *Shared = D ? sharedContainer(D->getType()) : nullptr;
  auto LetsGo = [&](const FunctionFacts &Theirs, const Event &Other) {
    const ValueDecl *Name = Other.Place == NoId ? nullptr : Theirs.Places[Other.Place].Decl;
    return Name && Name != D && sharedContainer(Name->getType()) == Shared &&
           events::has(Other.Kind, events::Sheds);
  };
  return Shared && llvm::any_of(U.functions(), [&](const FunctionUnit &Other) {
           return llvm::any_of(Other.Facts->Events,
                               [&](const Event &Each) { return LetsGo(*Other.Facts, Each); });
         });
}

bool Holder::letsGo(LoopId L) const {
  return letsGoInLoop(L) || (TheSpan == Span::Program && isResetElsewhere()) ||
         (isShared() && U.shrinksSomewhere(Facts.Places[E.Place].Decl)) || isLetGoByOtherName();
}

/// The calls in view are all on such objects, as their callers make them.
bool Holder::isOfEachRound() const {
  const ValueDecl *D = Facts.Places[E.Place].Decl;
  bool IsCalled = false;
  for (const FunctionUnit &Caller : U.functions()) {
    const FunctionFacts &Theirs = *Caller.Facts;
    for (const Event &Other : Theirs.Events) {
      if (Other.Kind != EventKind::Grow || Other.Place == NoId ||
          Theirs.Places[Other.Place].Decl != D)
        continue;
      const PlaceId Root = Theirs.rootOf(Other.Place);
      if (Theirs.Places[Root].Root == Place::This)
        continue; // a method of the same object
      if (Theirs.Places[Root].Root != Place::Local || Theirs.loopOfDecl(Root) == NoId)
        return false;
      IsCalled = true;
    }
  }
  return IsCalled;
}

bool Holder::isSeenWhole() const {
  const ValueDecl &D = *Facts.Places[E.Place].Decl;
  bool IsOwn = !isa<FieldDecl>(D) && TheSpan == Span::Call;
  return IsOwn || U.isSeenWhole(D);
}

} // namespace tensorleak
