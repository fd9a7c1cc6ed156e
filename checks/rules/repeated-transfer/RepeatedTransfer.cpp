//===-- RepeatedTransfer.cpp - tensor-repeated-transfer -------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same host tensor is copied to the device in every round of a loop.
//
//===----------------------------------------------------------------------===//
#include "checks/rules/Rules.h"

#include "checks/facts/Ways.h"
#include "checks/flow/callers/Callers.h"
#include "checks/rules/repeated-transfer/Devices.h"
#include "checks/rules/repeated-transfer/HostMembers.h"
#include "checks/rules/repeated-transfer/Memory.h"
#include "checks/source/Expressions.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {
namespace {

class RepeatedTransferChecker : FunctionChecker {
public:
  using FunctionChecker::FunctionChecker;

  void run() {
    for (unsigned I = 0; I < Facts.Events.size(); ++I) {
      const Event &E = Facts.Events[I];
      if (E.Kind == EventKind::Compute && F.State.AtEvent[I].Reached &&
          Facts.Values[E.Val].Api.has(Moves) && isOfThisCallOnly(E) &&
          (E.InLoop != NoId || isInEachStep(I)))
        checkMove(I);
    }
  }

private:
  void checkMove(unsigned Index);
  bool isInEachStep(unsigned Index) const;
  bool isWorthIt(const FieldDecl &Member) const;
  bool leavesHost(const Value &Move) const;
  bool isWrittenThroughPointers(PlaceId P) const;
  bool isGivenToOptimizer(PlaceId P) const;
  bool isInvariant(PlaceId P, LoopId L) const;
  bool holds(ValueId V, ValueId Copy) const;
  bool isOneOf(ValueId V, llvm::ArrayRef<PlaceId> Names) const;
  bool isKeptFrom(llvm::ArrayRef<PlaceId> Names, LoopId L) const;
  bool lastsOneRound(const Event &E, LoopId L) const;
  bool isOnlyRead(ValueId Copy, LoopId L) const;
  Level levelOf(unsigned Index) const;
  bool isOfCaller(PlaceId P) const;
  void report(unsigned Index, PlaceId P, Level L);
};

/// A method that steps call does it each time: its own object is the same in all of them. Where
/// its body stands in the graph of those who call it, they speak of it.
bool RepeatedTransferChecker::isInEachStep(unsigned Index) const {
  const auto *Method = dyn_cast<CXXMethodDecl>(Facts.Function);
  return Method && !isa<CXXConstructorDecl>(Method) && !Method->getParent()->isLambda() &&
         F.CallsInStepLoop > 0 && !isInAllCallers(U.functions(), F) &&
         isUnconditional(Facts, Index);
}

/// From the host to what may be another device.
bool RepeatedTransferChecker::leavesHost(const Value &Move) const {
  const auto *Call = dyn_cast_or_null<CallExpr>(Move.E);
  if (!Call)
    return false;
  if (Move.Api.has(ToDevice))
    return true;
  auto To = deviceNamedIn(*Call, Facts);
  return To && *To != DeviceKind::Host;
}

bool RepeatedTransferChecker::isWrittenThroughPointers(PlaceId P) const {
  return givesMemoryOf(Facts, *Facts.Places[P].Decl, U.model());
}

/// Its steps write the tensor.
bool RepeatedTransferChecker::isGivenToOptimizer(PlaceId P) const {
  return llvm::any_of(Facts.Events, [&](const Event &E) {
    return E.Kind == EventKind::BindParams && speaksOf(Facts, *E.At, *Facts.Places[P].Decl);
  });
}

/// \p P is the same tensor, with the same content, in every round of \p L.
bool RepeatedTransferChecker::isInvariant(PlaceId P, LoopId L) const {
  if (Facts.isInside(Facts.loopOfDecl(P), L) || isWrittenThroughPointers(P) ||
      isGivenToOptimizer(P))
    return false;
  return llvm::none_of(Facts.Events, [&](const Event &E) {
    return E.Place != NoId && Facts.rootOf(E.Place) == Facts.rootOf(P) &&
           Facts.isInside(E.InLoop, L) && events::mayChange(E.Kind);
  });
}

/// The value is the copy, or an object that is made with it.
bool RepeatedTransferChecker::holds(ValueId V, ValueId Copy) const {
  if (V == NoId || V == Copy)
    return V == Copy;
  const Value &Val = Facts.Values[V];
  return Val.From == Source::Group &&
         llvm::any_of(Val.Inputs, [&](ValueId In) { return holds(In, Copy); });
}

/// Whether what the event puts somewhere is gone with the round of \p L, or replaced in the next.
bool RepeatedTransferChecker::lastsOneRound(const Event &E, LoopId L) const {
  bool IsLocal = E.Place != NoId && Facts.Places[Facts.rootOf(E.Place)].Root == Place::Local;
  return (E.Kind == EventKind::Store && (L != NoId || IsLocal)) ||
         (IsLocal && events::has(E.Kind, events::Adds) &&
          Facts.isInside(Facts.loopOfDecl(Facts.rootOf(E.Place)), L));
}

/// The value is what one of \p Names holds, or an object that is made with it.
bool RepeatedTransferChecker::isOneOf(ValueId V, llvm::ArrayRef<PlaceId> Names) const {
  if (V == NoId)
    return false;
  const Value &Val = Facts.Values[V];
  if (Val.From == Source::Group)
    return llvm::any_of(Val.Inputs, [&](ValueId In) { return isOneOf(In, Names); });
  return Val.From == Source::Load && llvm::is_contained(Names, Val.Loaded);
}

/// Whether what one of \p Names holds is put where it outlives the round of \p L:
/// `auto copy = x.to(device); all.push_back(copy);`.
bool RepeatedTransferChecker::isKeptFrom(llvm::ArrayRef<PlaceId> Names, LoopId L) const {
  return llvm::any_of(Facts.Events, [&](const Event &E) {
    return events::has(E.Kind, events::Adds) && isOneOf(E.Val, Names) && !lastsOneRound(E, L);
  });
}

/// Nobody writes the copy or keeps it, so that one copy would do for all rounds of \p L. What
/// has it, a list or an object of options, may be given others too.
bool RepeatedTransferChecker::isOnlyRead(ValueId Copy, LoopId L) const {
  for (const Value &V : Facts.Values)
    if (!V.Inputs.empty() && V.Inputs.front() == Copy && V.From == Source::Api &&
        (V.Api.What == Does::InPlace || V.Api.What == Does::Out))
      return false;
  llvm::SmallVector<PlaceId, 2> Kept;
  for (const Event &E : Facts.Events) {
    if (E.Kind == EventKind::Compute || !holds(E.Val, Copy))
      continue;
    if (!lastsOneRound(E, L))
      return false;
    Kept.push_back(E.Place);
  }
  return !isKeptFrom(Kept, L) && llvm::none_of(Facts.Events, [&](const Event &E) {
    return llvm::is_contained(Kept, E.Place) && events::mayChange(E.Kind) && !E.Declares &&
           !events::has(E.Kind, events::Adds) && !holds(E.Val, Copy);
  });
}

Level RepeatedTransferChecker::levelOf(unsigned Index) const {
  return U.isStepLoop(F, Facts.Events[Index].InLoop) ? Level::Warning : Level::Note;
}

void RepeatedTransferChecker::checkMove(unsigned Index) {
  const Event &E = Facts.Events[Index];
  const Value &Move = Facts.Values[E.Val];
  if (Move.Inputs.empty() || !leavesHost(Move))
    return;
  const Value &Self = Facts.Values[Move.Inputs.front()];
  if (Self.From != Source::Load || !isInvariant(Self.Loaded, E.InLoop))
    return;
  const auto *Member = dyn_cast_or_null<FieldDecl>(Facts.Places[Self.Loaded].Decl);
  bool Same = (E.InLoop != NoId && isOnHost(U, Facts, Move.Inputs.front())) ||
              (Member && staysOnHost(U, *Member));
  if (Same && isOnlyRead(E.Val, E.InLoop) && (E.InLoop != NoId || isWorthIt(*Member)))
    report(Index, Self.Loaded, levelOf(Index));
  else if (!Same && isOfCaller(Self.Loaded) && E.InLoop != NoId && isOnlyRead(E.Val, E.InLoop))
    report(Index, Self.Loaded, Level::Note);
}

/// A tensor that callers give, or a member of what they give to be read: they know where it is.
bool RepeatedTransferChecker::isOfCaller(PlaceId P) const {
  const Place &Root = Facts.Places[Facts.rootOf(P)];
  if (Root.Root != Place::Param)
    return false;
  const QualType T = Root.Decl->getType();
  return U.model().isTensor(T.getNonReferenceType()) || T.getNonReferenceType().isConstQualified();
}

/// A mean of three numbers may be copied in each call: what is not known to be larger is left
/// alone.
bool RepeatedTransferChecker::isWorthIt(const FieldDecl &Member) const {
  auto Least = madeAs(U, Member).leastBytes();
  return Least && *Least >= U.options().minBytes(RepeatedTransfer::Name);
}

void RepeatedTransferChecker::report(unsigned Index, PlaceId P, Level L) {
  const Event &E = Facts.Events[Index];
  const ValueDecl &Host = *Facts.Places[P].Decl;
  const bool IsInLoop = E.InLoop != NoId, IsOfCaller = isOfCaller(P);
  const auto *Member = IsInLoop ? nullptr : dyn_cast<FieldDecl>(&Host);
  const TensorType Copied = Member ? madeAs(U, *Member) : F.State.SelfOf[E.Val].Type;
  Diagnosis D(RepeatedTransfer::Name, Kind::Peak, L, cast<Expr>(E.At)->getExprLoc(),
              quoted(Host) + " is the same in every " +
                  (IsInLoop ? "round of this loop" : "call of this method") +
                  (IsOfCaller
                       ? " and is moved to the device each time, which copies it unless it is "
                         "there already"
                       : " and is copied to the device each time") +
                  sizeSuffix(Copied, IsInLoop ? " per round" : " per call") + "; copy it once, " +
                  (IsInLoop ? "before the loop" : "when the object is made or moved"));
  D.Range = E.At->getSourceRange();
  setSize(D, Copied);
  D.Notes.push_back(
      {Host.getLocation(),
       quoted(Host) + (IsOfCaller ? " is given here" : " is made here, on the host")});
  D.Subject.Producers.push_back(D.Loc);
  if (IsInLoop)
    D.Subject.Loop = rangeOfLoop(Facts, E.InLoop);
  Out.push_back(std::move(D));
}

} // namespace

void RepeatedTransfer::check(FileAnalyses &File, std::vector<Diagnosis> &Out) {
  checkFunctions<RepeatedTransferChecker>(File.unit(), Out);
}

} // namespace tensorleak
