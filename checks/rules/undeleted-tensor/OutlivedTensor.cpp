//===-- OutlivedTensor.cpp ------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/undeleted-tensor/OutlivedTensor.h"

#include "checks/questions/Handles.h"
#include "checks/rules/Rules.h"
#include "checks/source/Expressions.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {
namespace {

class Checker : FunctionChecker {
public:
  using FunctionChecker::FunctionChecker;

  void run() {
    for (unsigned I = 0; I < Facts.Events.size(); ++I) {
      const Event &E = Facts.Events[I];
      if (E.Kind == EventKind::LoadModule)
        checkLoaded(E);
      else if (E.Kind == EventKind::Store && !E.Declares && E.InLoop != NoId)
        checkReplaced(I);
    }
    for (PlaceId P = 0; P < Facts.Places.size(); ++P)
      checkLastUse(P);
  }

private:
  void checkLastUse(PlaceId P);
  void checkLoaded(const Event &E);
  void checkReplaced(unsigned Index);
  bool isReadInLoop(unsigned Store) const;
  std::optional<unsigned> largeStore(PlaceId P) const;
  std::optional<unsigned> allocatedAfter(PlaceId P, unsigned LastUse) const;
  Diagnosis &report(Level L, const ValueDecl &Holder, SourceLocation Loc, std::string Message);
};

Diagnosis &Checker::report(Level L, const ValueDecl &Holder, SourceLocation Loc,
                           std::string Message) {
  Diagnosis D(UndeletedTensor::Name, Kind::Peak, L, Loc, std::move(Message));
  D.Subject.Producers.push_back(Loc);
  D.Subject.Holder = Holder.getNameAsString();
  D.Subject.HolderDecl = Holder.getLocation();
  Out.push_back(std::move(D));
  return Out.back();
}

/// The event that puts a large tensor of known size into \p P, its only store.
std::optional<unsigned> Checker::largeStore(PlaceId P) const {
  std::optional<unsigned> Found;
  for (unsigned I = 0; I < Facts.Events.size(); ++I) {
    const Event &E = Facts.Events[I];
    if (E.Place != P)
      continue;
    if (E.Kind == EventKind::Drop)
      return std::nullopt;
    if (E.Kind != EventKind::Store)
      continue;
    const TensorInfo &Info = F.State.AtEvent[I].Info;
    auto Bytes = Info.Type.bytes();
    if (Info.Carries != Graph::No)
      return std::nullopt; // a graph may need it later anyway
    if (Found || !Bytes || *Bytes < U.options().minBytes(UndeletedTensor::Name))
      return std::nullopt;
    Found = I;
  }
  return Found;
}

/// Whether \p P's tensor is an operand of what \p V computes, or that cannot be told.
static bool reads(const FunctionFacts &Facts, ValueId V, PlaceId P) {
  return ValueWalk(Facts).any(V, [&](ValueId Part, unsigned) {
    const Value &Val = Facts.Values[Part];
    bool IsRead = Val.From == Source::Load && Val.Loaded == P;
    return IsRead ? ValueWalk::Next::Found : ValueWalk::Next::Into;
  }) != ValueWalk::Answer::No;
}

/// A large allocation after the last use and before \p P goes out of scope.
std::optional<unsigned> Checker::allocatedAfter(PlaceId P, unsigned LastUse) const {
  unsigned ScopeEnd = 0;
  for (unsigned I = LastUse; I < Facts.Events.size(); ++I)
    if (Facts.Events[I].Kind == EventKind::ScopeEnd && Facts.Events[I].Place == P)
      ScopeEnd = I;
  for (unsigned I = LastUse + 1; I < ScopeEnd; ++I) {
    const Event &E = Facts.Events[I];
    if (E.Kind != EventKind::Compute || !isFresh(Facts.Values[E.Val]) || reads(Facts, E.Val, P))
      continue;
    auto Bytes = F.State.Values[E.Val].Type.bytes();
    if (Bytes && *Bytes >= U.options().minBytes(UndeletedTensor::Name))
      return I;
  }
  return std::nullopt;
}

void Checker::checkLastUse(PlaceId P) {
  auto Made = largeStore(P);
  if (!Made || !isSoleHandle(U, Facts, P))
    return;
  unsigned LastUse = *Made;
  for (unsigned I = *Made; I < Facts.Events.size(); ++I)
    if (Facts.Events[I].Kind == EventKind::Use && Facts.Events[I].Place == P)
      LastUse = I;
  if (LastUse == *Made || !isDeadAfter(Facts, P, LastUse))
    return;
  auto Later = allocatedAfter(P, LastUse);
  if (!Later)
    return;
  const ValueDecl *Var = Facts.Places[P].Decl;
  int64_t Bytes = *F.State.AtEvent[*Made].Info.Type.bytes();
  Diagnosis &D = report(Level::Warning, *Var, Var->getLocation(),
                        quoted(*Var) + " keeps " + formatBytes(Bytes) +
                            " after its last use while more is allocated; 'reset()' it, or give "
                            "it a scope of its own");
  D.Bytes = Bytes;
  const Stmt *Use = Facts.Events[LastUse].At;
  D.Notes.push_back({Use->getBeginLoc(), "the last use of " + quoted(*Var) + " is here"});
  D.Notes.push_back({Facts.Events[*Later].At->getBeginLoc(), "more is allocated here"});
  D.Subject.LastUse = Use->getBeginLoc();
  if (const Expr *Maker = producer(Facts, Facts.Events[*Made].Val))
    D.Subject.Producers = {Maker->getExprLoc()};
}

/// A whole model in memory, for nothing.
void Checker::checkLoaded(const Event &E) {
  const auto *Var = dyn_cast<VarDecl>(Facts.Places[E.Place].Decl);
  if (!Var || !Var->isLocalVarDecl() || Var->isReferenced())
    return;
  report(Level::Note, *Var, Var->getLocation(),
         quoted(*Var) + " is loaded and never used; all its parameters stay in memory until the "
                        "end of the scope");
}

/// Whether a round of the loop reads what the round before stored.
bool Checker::isReadInLoop(unsigned Store) const {
  const Event &E = Facts.Events[Store];
  const auto *Assign = dyn_cast<CXXOperatorCallExpr>(E.At);
  const Expr *Target = Assign ? strip(Assign->getArg(0)) : nullptr;
  for (unsigned I = 0; I < Store; ++I) {
    const Event &Use = Facts.Events[I];
    if (Use.Kind == EventKind::Use && Use.Place == E.Place && Use.At != Target &&
        Facts.isInside(Use.InLoop, E.InLoop))
      return true;
  }
  return false;
}

/// `Tensor out; for (...) out = net(x);`: the old result, with its graph, lives
/// while the next one is computed.
void Checker::checkReplaced(unsigned Index) {
  const Event &E = Facts.Events[Index];
  const EventState &At = F.State.AtEvent[Index];
  const Place &P = Facts.Places[E.Place];
  bool Outlives = P.Root == Place::Local && !P.isField() && P.Decl &&
                  !Facts.isInside(Facts.loopOfDecl(E.Place), E.InLoop);
  if (!Outlives || !At.Reached || At.Info.Carries != Graph::Yes ||
      !U.contains(F, E.InLoop, EventKind::Forward) || isReadInLoop(Index) ||
      (U.flow().fateOf(Facts, E.Place) & (ReachesBackward | ReachesUnknown)))
    return;
  Diagnosis &D = report(Level::Note, *P.Decl, E.At->getBeginLoc(),
                        "the result of the last round stays alive in " + quoted(*P.Decl) +
                            ", with all its activations, while the next one is computed; declare " +
                            quoted(*P.Decl) + " inside the loop, or 'reset()' it first");
  D.Notes.push_back({P.Decl->getLocation(), quoted(*P.Decl) + " is declared here"});
  D.Subject.Loop = rangeOfLoop(Facts, E.InLoop);
  D.Subject.Graph = true;
}

} // namespace

void checkOutlivedTensors(Unit &U, std::vector<Diagnosis> &Out) { checkFunctions<Checker>(U, Out); }

} // namespace tensorleak
