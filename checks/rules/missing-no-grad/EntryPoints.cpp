//===-- EntryPoints.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/missing-no-grad/EntryPoints.h"

#include "checks/Budgets.h"
#include "checks/flow/callers/Callers.h"
#include "checks/source/Expressions.h"
#include "checks/source/Types.h"

using namespace clang;

namespace tensorleak {

/// The calls of a function in this file, and in others of the same run.
struct SeenCalls {
  unsigned Count;
  unsigned Fate; ///< Fate bits of what they return
};

static SeenCalls callsSeenOf(const Unit &U, const FunctionUnit &F) {
  const FunctionDecl *Function = F.Facts->Function->getCanonicalDecl();
  CallContext Elsewhere = U.others().callsOf(*Function);
  SeenCalls Seen{Elsewhere.Calls, Elsewhere.Fate};
  for (const CallInView &Call : callsInView(U.functions(), *Function)) {
    ++Seen.Count;
    Seen.Fate |= U.fateOfResult(Call.Caller, Call.Index);
  }
  return Seen;
}

bool isOnlyReadByCallers(const Unit &U, const FunctionUnit &F) {
  const SeenCalls Seen = callsSeenOf(U, F);
  return Seen.Count > 0 && !(Seen.Fate & MayBeDifferentiated);
}

/// What the function writes to \p Param, callers get; it reads nothing of what they put there.
static bool isOnlyWritten(const FunctionFacts &Facts, const ParmVarDecl *Param) {
  auto IsParam = [&](PlaceId P) {
    return P != NoId && Facts.Places[Facts.rootOf(P)].Decl == Param;
  };
  bool Stores = llvm::any_of(
      Facts.Events, [&](const Event &E) { return E.Kind == EventKind::Store && IsParam(E.Place); });
  return Stores && llvm::none_of(Facts.Values, [&](const Value &V) {
           return V.From == Source::Load && IsParam(V.Loaded);
         });
}

/// Everybody who is seen to call \p F is such an entry point itself, and hands on what it gives;
/// where nobody is, others can.
static bool isWrapped(Unit &U, const FunctionUnit &F, unsigned Calls) {
  const FunctionDecl &Function = *F.Facts->Function;
  constexpr uint8_t GoesElsewhere = ReachesBackward | ReachesUnknown | ReachesShared;
  auto HandsOn = [&](const CallInView &Call) {
    return !(U.fateOfResult(Call.Caller, Call.Index) & GoesElsewhere) &&
           isEntryPoint(U, Call.Caller, Calls + 1);
  };
  const auto Seen = callsInView(U.functions(), Function);
  return Seen.empty() ? Function.getCanonicalDecl()->isExternallyVisible()
                      : llvm::all_of(Seen, HandsOn);
}

bool isEntryPoint(Unit &U, const FunctionUnit &F, unsigned Calls) {
  const FunctionDecl &Function = *F.Facts->Function;
  auto MayCarryGraph = [&](const ParmVarDecl *Param) {
    return U.model().holdsTensors(Param->getType().getNonReferenceType()) &&
           !isOnlyWritten(*F.Facts, Param);
  };
  return !isOver(Budget::CalleesAsked, Calls) &&
         llvm::count_if(Function.parameters(), MayCarryGraph) < 2 &&
         U.others().callsOf(*Function.getCanonicalDecl()).Calls == 0 && isWrapped(U, F, Calls);
}

//===-- Plain data ---------------------------------------------------------===//

/// What is handed over at \p Call carries no graph that is known.
static bool handsNoGraph(const CallInView &Call) {
  return llvm::none_of(Call.event().Args, [&](ValueId Arg) {
    return Arg != NoId && Call.Caller.State.Values[Arg].Carries > Graph::Unknown;
  });
}

/// Everybody who is seen to call \p F, and somebody is, makes what it is handed.
static bool isHandedWhatIsMade(Unit &U, const FunctionUnit &F, unsigned Calls) {
  const FunctionDecl &Function = *F.Facts->Function->getCanonicalDecl();
  const auto Seen = callsInView(U.functions(), Function);
  return !Seen.empty() && U.others().callsOf(Function).Calls == 0 &&
         llvm::all_of(Seen, [&](const CallInView &Call) {
           return handsNoGraph(Call) && takesPlainData(U, Call.Caller, Calls + 1);
         });
}

bool takesPlainData(Unit &U, const FunctionUnit &F, unsigned Calls) {
  auto HoldsTensors = [&](const ParmVarDecl *Param) {
    return U.model().holdsTensors(Param->getType().getNonReferenceType());
  };
  return !isOver(Budget::CalleesAsked, Calls) &&
         (llvm::none_of(F.Facts->Function->parameters(), HoldsTensors) ||
          isHandedWhatIsMade(U, F, Calls));
}

/// The call gives what has no tensors, or has a parameter that it can put such into.
static bool givesData(ApiModel &Model, const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  auto IsFilled = [&](const ParmVarDecl *Param) {
    const QualType T = Param->getType();
    return mayWriteThrough(T) && !Model.holdsTensors(T.getNonReferenceType()) &&
           Model.classify(T.getNonReferenceType()) == TypeClass::Other;
  };
  return Callee && !Model.holdsTensors(Call.getType()) &&
         (!Call.getType()->isVoidType() || llvm::any_of(Callee->parameters(), IsFilled));
}

bool isOnlyTurnedIntoData(Unit &U, const FunctionUnit &F, ValueId V) {
  const FunctionFacts &Facts = *F.Facts;
  auto IsComputedFrom = [&](unsigned Index) {
    const Event &E = Facts.Events[Index];
    return E.Val != NoId &&
           anyComputedFrom(Facts, E.Val, Index, [&](ValueId Part, unsigned) { return Part == V; });
  };
  for (unsigned I = 0; I < Facts.Events.size(); ++I) {
    const Event &E = Facts.Events[I];
    if (!(events::fate(E.Kind) & ReachesUnknown) || !IsComputedFrom(I))
      continue;
    const auto *Call = dyn_cast<CallExpr>(E.At);
    if (!Call || !givesData(U.model(), *Call))
      return false;
    for (unsigned Other = 0; Other < Facts.Events.size(); ++Other)
      if (Facts.Events[Other].Kind == E.Kind && Facts.Events[Other].At == E.At &&
          !IsComputedFrom(Other))
        return false;
  }
  return true;
}

} // namespace tensorleak
