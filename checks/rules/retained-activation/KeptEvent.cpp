//===-- KeptEvent.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/retained-activation/KeptEvent.h"

#include "checks/questions/KeptValues.h"
#include "checks/rules/Rules.h"
#include "checks/source/Expressions.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace tensorleak {

void KeptEvent::look(unsigned Index) {
  E = &Facts.Events[Index];
  At = &F.State.AtEvent[Index];
  H.emplace(U, F, *E);
}

/// Where all uses of the container are seen, and none of them needs the graph, the
/// detached tensor does as well.
void KeptEvent::addDetach(Diagnosis &D) const {
  constexpr uint8_t NeedsGraph = ReachesGraphUse | ReachesReturn | ReachesUnknown | ReachesBackward;
  const auto *Call = dyn_cast<CXXMemberCallExpr>(E->At);
  if ((H->fate() & NeedsGraph) || !isOfThisCallOnly(*E) || !Call || E->Callee ||
      Call->getNumArgs() != 1)
    return;
  const Expr *Stored = Call->getArg(0)->IgnoreImplicit();
  bool IsPostfix = isa<DeclRefExpr, MemberExpr, CXXMemberCallExpr>(strip(Stored)) &&
                   U.model().isTensor(strip(Stored)->getType());
  if (!IsPostfix || isa<CallExpr>(Stored) != isa<CallExpr>(strip(Stored)))
    return; // std::move(x) and the like
  const SourceManager &SM = U.context().getSourceManager();
  SourceLocation End =
      Lexer::getLocForEndOfToken(Stored->getEndLoc(), 0, SM, U.context().getLangOpts());
  if (End.isValid())
    D.Fixes.push_back(FixItHint::CreateInsertion(End, ".detach()"));
}

std::string KeptEvent::holderName() const {
  return quoted(*holderDecl(Facts, E->Place)) + " (" + describeHolder(Facts, E->Place) + ")";
}

/// `jobs.later([t] { ... })`: what a method adds to a list of functions that its object has is
/// followed where it is called.
bool KeptEvent::isAddedByMethod() const {
  const auto *List = dyn_cast<FieldDecl>(Facts.Places[E->Place].Decl);
  const auto *Method = E->In == NoId ? nullptr : dyn_cast<CXXMethodDecl>(Facts.Splices[E->In].Body);
  return H->span() == Span::Call && List && Method && List->getParent() == Method->getParent() &&
         !U.model().holdsTensors(List->getType());
}

void KeptEvent::addPath(Diagnosis &D, bool WithGraph) {
  if (WithGraph && At->Info.Origin != NoId)
    if (const Expr *Start = Facts.Values[At->Info.Origin].E)
      if (Start->getBeginLoc() != D.Loc) {
        D.Notes.push_back({Start->getBeginLoc(), "the graph starts here"});
        D.Subject.Producers.push_back(Start->getExprLoc()); // where its activations are made
      }
  addCalls(D, *E, "called here in every step");
  if (E->Callee)
    D.Notes.push_back({E->At->getBeginLoc(), "called here in every step"});
  const ValueDecl *Holder = holderDecl(Facts, E->Place);
  D.Notes.push_back(
      {Holder->getLocation(), quoted(*Holder) + " is declared here and outlives the step"});
}

Diagnosis &KeptEvent::report(Level L, std::string Message, bool WithGraph, const TensorType &Kept) {
  Diagnosis D(RetainedActivation::Name, Kind::Retention, L, placeOfEvent(*E), std::move(Message));
  if (!E->Inner.isValid())
    D.Range = E->At->getSourceRange();
  setSize(D, Kept);
  const ValueDecl *Holder = holderDecl(Facts, E->Place);
  D.Subject.Holder = Holder->getNameAsString();
  D.Subject.HolderDecl = Holder->getLocation();
  D.Subject.Graph = WithGraph;
  D.Subject.Loop = rangeOfLoop(Facts, H->repeatingLoop());
  ValueId Made = E->Args.empty() ? E->Val : E->Args.front();
  if (const Expr *P = producer(Facts, Made))
    D.Subject.Producers.push_back(P->getExprLoc());
  addPath(D, WithGraph);
  Out.push_back(std::move(D));
  return Out.back();
}

/// In a method of a module: what it computes and returns is a part of a forward pass.
bool KeptEvent::isOfModule() const {
  const auto *Method = dyn_cast<CXXMethodDecl>(Facts.Function);
  return Method && U.model().isModuleClass(*Method->getParent());
}

/// The tensor itself has more than one element: its size is known, or a module made it of a single
/// argument (a criterion compares two).
bool KeptEvent::keepsLargeResult() const {
  if (!describeSize(keptAtLeast(At->Info.Type)).empty())
    return true;
  const Expr *Made = producer(Facts, E->Val);
  return llvm::any_of(Facts.Events, [&](const Event &Run) {
    const auto *Call = dyn_cast_or_null<CallExpr>(Run.At);
    return Run.Kind == EventKind::Forward && Call && Call == Made &&
           Call->getNumArgs() == (isa<CXXOperatorCallExpr>(Call) ? 2 : 1);
  });
}

} // namespace tensorleak
