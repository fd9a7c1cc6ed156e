//===-- Holders.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/retained-activation/Holders.h"

#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace tensorleak {

Holder::Holder(Unit &U, const FunctionUnit &F, const Event &E)
    : U(U), F(F), Facts(*F.Facts), E(E), TheSpan(spanOf()) {}

Span Holder::spanOf() const {
  const Place &Root = Facts.Places[Facts.rootOf(E.Place)];
  if (Root.Root == Place::This || Root.Root == Place::Static)
    return Span::Program;
  if (Root.Root == Place::Captured)
    return Span::Caller;
  if (Root.Root == Place::Param) {
    QualType T = Root.Decl->getType();
    bool Shared =
        T->isReferenceType() || T->isPointerType() || U.model().classify(T) == TypeClass::Tensor;
    return Shared && !T.getNonReferenceType().isConstQualified() ? Span::Caller : Span::Step;
  }
  // A member of a local object lives as long as the object.
  return Span::Call;
}

LoopId Holder::repeatingLoop() const {
  LoopId DeclaredIn = Facts.loopOfDecl(E.Place), Outermost = NoId;
  for (LoopId L = E.InLoop; L != NoId && L != DeclaredIn; L = Facts.Loops[L].Parent)
    Outermost = L;
  return Outermost;
}

bool Holder::isInStepContext() const {
  return F.CallsInStepLoop > 0 || U.contains(F, NoId, EventKind::Forward) ||
         U.contains(F, NoId, EventKind::Backward);
}

bool Holder::repeats() const {
  if (TheSpan == Span::Step || isa<CXXConstructorDecl>(Facts.Function))
    return false;
  return TheSpan == Span::Program || repeatingLoop() != NoId;
}

bool Holder::isReportedByCaller() const {
  if (E.Callee && TheSpan == Span::Program)
    return true;
  return TheSpan == Span::Caller && F.CallSites > 0;
}

/// `x = x.slice(...)`: a sliding window.
static bool isTrimOfItself(const FunctionFacts &Facts, const Event &Store) {
  if (Store.Val == NoId)
    return false;
  const Value &V = Facts.Values[Store.Val];
  if (V.From != Source::Api || V.Api.What != Does::View || V.Inputs.empty())
    return false;
  const Value &Self = Facts.Values[V.Inputs.front()];
  return Self.From == Source::Load && Self.Loaded == Store.Place;
}

bool Holder::letsGoInLoop(LoopId L) const {
  const PlaceId P = E.Place;
  for (unsigned I = 0; I < Facts.Events.size(); ++I) {
    const Event &Other = Facts.Events[I];
    if (Other.Place != P || (L != NoId && !Facts.isInside(Other.InLoop, L)))
      continue;
    if (events::sheds(Other.Kind))
      return true;
    if (Other.Kind == EventKind::Store && isTrimOfItself(Facts, Other))
      return true;
    bool Restarts = Other.Kind == EventKind::Store && !Other.Declares &&
                    !dependsOnItself(Facts, Other.Val, P, L, /*WithGraph=*/true);
    if (Restarts && &Other != &E)
      return true;
  }
  return false;
}

/// Another function of the file empties, resets or detaches the holder.
bool Holder::isResetElsewhere() const {
  const ValueDecl *D = Facts.Places[E.Place].Decl;
  if (U.shrinksSomewhere(D))
    return true;
  for (const FunctionUnit &Other : U.functions())
    for (const Event &Store : Other.Facts->Events)
      if (Store.Kind == EventKind::Store && !Store.Declares && Store.Place != NoId &&
          Other.Facts->Places[Store.Place].Decl == D && Other.Facts.get() != &Facts &&
          !isa<CXXConstructorDecl>(Other.Facts->Function) &&
          !dependsOnItself(*Other.Facts, Store.Val, Store.Place, NoId, true))
        return true;
  return false;
}

bool Holder::letsGo(LoopId L) const {
  return letsGoInLoop(L) || (TheSpan == Span::Program && isResetElsewhere());
}

bool Holder::isSeenWhole() const {
  const ValueDecl &D = *Facts.Places[E.Place].Decl;
  bool IsOwn = !isa<FieldDecl>(D) && TheSpan == Span::Call;
  return IsOwn || U.isSeenWhole(D);
}

} // namespace tensorleak
