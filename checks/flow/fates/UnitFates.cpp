//===-- UnitFates.cpp - Where what functions hold and return ends up ------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/flow/Unit.h"

#include "checks/model/ClassNames.h"
#include "checks/model/boxes/Boxes.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace tensorleak {

/// The events of one call stand together.
uint8_t Unit::fateOfResult(const FunctionUnit &Caller, unsigned UserCall) const {
  llvm::ArrayRef<Event> Events = Caller.Facts->Events;
  uint8_t Fate = Flow.fateOfValue(*Caller.Facts, Events[UserCall].Result);
  for (unsigned I = UserCall; I < Events.size() && Events[I].At == Events[UserCall].At; ++I)
    if (Events[I].Kind == EventKind::Compute && !Events[UserCall].IsSpliced)
      Fate |= Flow.fateOfValue(*Caller.Facts, Events[I].Val);
  return Fate;
}

/// What a call gives is the one place that the callee's summary names.
static bool givesOnePlace(const Unit &U, const FunctionDecl &Callee) {
  const Summary *S = U.summaryOf(Callee);
  const QualType T = Callee.getReturnType();
  return S && S->ReturnedPlaces.size() == 1 && (T->isReferenceType() || T->isPointerType());
}

/// What stands in an optional or an owning pointer; another type itself.
static QualType insideBoxes(QualType T) {
  while (boxKind(T) == BoxKind::One)
    T = partsOf(T).front();
  return T;
}

/// The bodies of all methods that the function calls and that may give back a part of the object
/// \p Of are in its own graph. What others give of their arguments, their summaries tell.
static bool seesWhatCallsGive(const Unit &U, ApiModel &Model, const FunctionFacts &Facts,
                              const ValueDecl &Of) {
  const CXXRecordDecl *Class = recordOf(insideBoxes(Of.getType()));
  auto IsOfObject = [&](const FunctionDecl &Callee) {
    const auto *Method = dyn_cast<CXXMethodDecl>(&Callee);
    return Method && (!Class || !Class->hasDefinition() ||
                      Class->getCanonicalDecl() == Method->getParent()->getCanonicalDecl() ||
                      Class->isDerivedFrom(Method->getParent()));
  };
  return llvm::none_of(Facts.Events, [&](const Event &E) {
    return E.Kind == EventKind::UserCall && !E.IsSpliced && IsOfObject(*E.Callee) &&
           Model.holdsTensors(E.Callee->getReturnType()) && !givesOnePlace(U, *E.Callee);
  });
}

/// A class of the user's with members that hold tensors: what happens to those happens to it.
static bool hasMembers(ApiModel &Model, const ValueDecl *D) {
  const QualType T = D ? insideBoxes(D->getType()) : QualType();
  const CXXRecordDecl *Class = D ? T->getAsCXXRecordDecl() : nullptr;
  return Class && !Class->isInStdNamespace() && Model.classify(T) == TypeClass::TensorRecord;
}

/// The functions of a class return its members, or objects with members of the same class: of a
/// local object those are not, and its own function returns it only where it says so itself.
bool Unit::isReturnedByOthersOnly(const FunctionFacts &Facts, PlaceId P) {
  const Place &Root = Facts.Places[Facts.rootOf(P)];
  const bool HasParts = Facts.Places[P].isField() || hasMembers(Model, Facts.Places[P].Decl);
  if (Root.Root != Place::Local || !HasParts || !seesWhatCallsGive(*this, Model, Facts, *Root.Decl))
    return false;
  const Event *Begin = Facts.Events.data(), *End = Begin + Facts.Events.size();
  auto ByOthers = [&](const Event &E) {
    return E.Kind == EventKind::Return && (&E < Begin || &E >= End);
  };
  return !(Flow.fateWithout(Facts, P, ByOthers, ReachesReturn) & ReachesReturn);
}

/// \p Beyond: where callers let it end up. What none of them runs or hands on goes nowhere.
static uint8_t withoutReturn(uint8_t Fate, llvm::function_ref<uint8_t()> Beyond) {
  constexpr uint8_t MayBeRun = ReachesBackward | ReachesReturn | ReachesUnknown;
  return (Fate & ReachesReturn) && !(Beyond() & MayBeRun) ? Fate & ~ReachesReturn : Fate;
}

uint8_t Unit::fateOf(const FunctionFacts &Facts, PlaceId P) {
  uint8_t Fate = Flow.fateOf(Facts, P);
  if ((Fate & ReachesReturn) && isReturnedByOthersOnly(Facts, P))
    Fate &= ~ReachesReturn;
  auto IsHere = [this](const FunctionDecl &F) { return isOnlyCalledHere(F); };
  return withoutReturn(Fate, [&] { return Flow.fateBeyondReturns(Facts, P, IsHere); });
}

uint8_t Unit::fateOfValue(const FunctionFacts &Facts, ValueId V) {
  auto IsHere = [this](const FunctionDecl &F) { return isOnlyCalledHere(F); };
  return withoutReturn(Flow.fateOfValue(Facts, V),
                       [&] { return Flow.fateOfValueBeyondReturns(Facts, V, IsHere); });
}

} // namespace tensorleak
