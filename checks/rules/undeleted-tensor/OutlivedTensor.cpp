//===-- OutlivedTensor.cpp ------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/undeleted-tensor/OutlivedTensor.h"

#include "checks/model/boxes/Boxes.h"
#include "checks/questions/Handles.h"
#include "checks/rules/Rules.h"
#include "checks/source/Expressions.h"
#include "checks/source/Statements.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {
namespace {

class OutlivedTensorChecker : FunctionChecker {
public:
  OutlivedTensorChecker(Handles &Known, Unit &U, const FunctionUnit &F, std::vector<Diagnosis> &Out)
      : FunctionChecker(U, F, Out), Known(Known) {}

  void run() {
    for (unsigned I = 0; I < Facts.Events.size(); ++I) {
      const Event &E = Facts.Events[I];
      if (E.Kind == EventKind::LoadModule)
        checkLoaded(E);
      else if (E.Kind == EventKind::Store && !E.Declares && E.InLoop != NoId)
        checkReplaced(I);
      if (isLargeStore(I))
        checkStore(I);
    }
  }

private:
  bool isLargeStore(unsigned Store) const;
  void checkStore(unsigned Store);
  void checkLastUse(unsigned Store);
  void checkMember(unsigned Store);
  bool isDeadAt(unsigned Store, unsigned Event, unsigned &LastUse) const;
  bool isLarge(const TensorType &T) const;
  bool allocates(unsigned Event) const;
  void checkLoaded(const Event &E);
  void checkReplaced(unsigned Index);
  bool isReadInLoop(unsigned Store) const;
  bool mayBeFreed(PlaceId P) const;
  Diagnosis &report(Level L, const ValueDecl &Holder, SourceLocation Loc, std::string Message);
  Diagnosis &reportKept(unsigned Store, Level L, SourceLocation Loc, std::string Message);

  Handles &Known;
};

Diagnosis &OutlivedTensorChecker::report(Level L, const ValueDecl &Holder, SourceLocation Loc,
                                         std::string Message) {
  Diagnosis D(UndeletedTensor::Name, Kind::Peak, L, Loc, std::move(Message));
  D.Subject.Producers.push_back(Loc);
  D.Subject.Holder = Holder.getNameAsString();
  D.Subject.HolderDecl = Holder.getLocation();
  Out.push_back(std::move(D));
  return Out.back();
}

//===-- After the last use ------------------------------------------------===//

bool OutlivedTensorChecker::isLarge(const TensorType &T) const {
  auto Bytes = T.leastBytes();
  return Bytes && *Bytes >= U.options().minBytes(UndeletedTensor::Name);
}

/// It puts a large tensor without a graph, which may need it later anyway, into a variable or
/// a member.
bool OutlivedTensorChecker::isLargeStore(unsigned Store) const {
  const Event &E = Facts.Events[Store];
  const EventState &At = F.State.AtEvent[Store];
  return E.Kind == EventKind::Store && E.Place != NoId && E.Val != NoId && At.Reached &&
         At.Info.Carries == Graph::No && isLarge(At.Info.Type);
}

void OutlivedTensorChecker::checkStore(unsigned Store) {
  const Place &P = Facts.Places[Facts.Events[Store].Place];
  if (Facts.Events[Store].In != NoId) // the callee speaks of its own
    return;
  bool IsOfVariable = !P.isField() || (!P.isEntry() && !Facts.Places[P.Parent].isField());
  if (P.Root == Place::Local && IsOfVariable && isa_and_nonnull<VarDecl, FieldDecl>(P.Decl))
    checkLastUse(Store);
  else if (P.Root == Place::This && P.isField() && !Facts.Places[P.Parent].isField())
    checkMember(Store);
}

/// A large allocation, here or in a function in view.
bool OutlivedTensorChecker::allocates(unsigned Index) const {
  const Event &E = Facts.Events[Index];
  if (E.Kind == EventKind::UserCall)
    return Known.largestAllocation(*E.Callee) >= U.options().minBytes(UndeletedTensor::Name);
  return E.Kind == EventKind::Compute && isFresh(Facts.Values[E.Val]) &&
         isLarge(F.State.Values[E.Val].Type);
}

/// Where \p E happens in the function itself: at the call, where it stands in a callee's body.
static const Stmt *ownPlace(const FunctionFacts &Facts, const Event &E) {
  const Stmt *At = E.At;
  for (SpliceId In = E.In; In != NoId; In = Facts.Splices[In].Around)
    At = Facts.Splices[In].Call;
  return At;
}

/// Nothing can be let go of between the two.
static bool inOneExpression(const Stmt &A, const Stmt &B, const FunctionDecl &F) {
  return anyBelow(F.getBody(), [&](const Stmt &S) {
    return isa<Expr>(S) && !isa<LambdaExpr>(S) && contains(&S, &A) && contains(&S, &B);
  });
}

/// What the store \p Store has put there was read, by \p LastUse and in another expression,
/// and nothing reads it from the event on, nor does anybody else refer to it.
bool OutlivedTensorChecker::isDeadAt(unsigned Store, unsigned Event, unsigned &LastUse) const {
  PlaceId P = Facts.Events[Store].Place;
  const Reads &Reads = Known.readsOf(F);
  LastUse = Reads.lastReadBefore(P, Event);
  return F.State.AtEvent[Event].Reached && LastUse != NoId && LastUse > Store &&
         !inOneExpression(*ownPlace(Facts, Facts.Events[Event]),
                          *ownPlace(Facts, Facts.Events[LastUse]), *Facts.Function) &&
         !Reads.reads(Event, P) && !Reads.isReadAfter(P, Event) &&
         Known.isHeldAlone(F, P, Store, Event);
}

Diagnosis &OutlivedTensorChecker::reportKept(unsigned Store, Level L, SourceLocation Loc,
                                             std::string Message) {
  const Event &E = Facts.Events[Store];
  const ValueDecl &Var = *Facts.Places[E.Place].Decl;
  const TensorType &Type = F.State.AtEvent[Store].Info.Type;
  Diagnosis &D = report(L, Var, Loc, quoted(Var) + " keeps " + describeSize(Type) + Message);
  setSize(D, Type);
  if (const Expr *Maker = producer(Facts, E.Val))
    D.Subject.Producers = {Maker->getExprLoc()};
  return D;
}

void OutlivedTensorChecker::checkLastUse(unsigned Store) {
  PlaceId P = Facts.Events[Store].Place;
  unsigned Later = Store + 1, LastUse = NoId;
  while (Later < Facts.Events.size() && !(allocates(Later) && isDeadAt(Store, Later, LastUse)))
    ++Later;
  if (Later == Facts.Events.size())
    return;
  const ValueDecl &Var = *Facts.Places[P].Decl;
  SourceLocation Where =
      isa<VarDecl>(Var) ? Var.getLocation() : Facts.Events[Store].At->getBeginLoc();
  Diagnosis &D = reportKept(Store, Level::Warning, Where,
                            " after its last use while more is allocated; 'reset()' it, or give "
                            "it a scope of its own");
  const Stmt *Use = ownPlace(Facts, Facts.Events[LastUse]);
  D.Notes.push_back({Use->getBeginLoc(), "the last use of " + quoted(Var) + " is here"});
  D.Notes.push_back(
      {ownPlace(Facts, Facts.Events[Later])->getBeginLoc(), "more is allocated here"});
  D.Subject.LastUse = Use->getBeginLoc();
}

/// A member that one method alone fills and reads is a local variable that lives too long.
void OutlivedTensorChecker::checkMember(unsigned Store) {
  PlaceId P = Facts.Events[Store].Place;
  const Reads &Reads = Known.readsOf(F);
  unsigned LastUse = Reads.lastReadBefore(P, Facts.Events.size());
  if (LastUse == NoId || LastUse <= Store || Reads.isReadFirst(P) ||
      !Known.isLeftAlone(F, P, Store))
    return;
  const ValueDecl &Member = *Facts.Places[P].Decl;
  Diagnosis &D = reportKept(Store, Level::Note, Facts.Events[Store].At->getBeginLoc(),
                            " for the life of its object, but only " + quoted(*Facts.Function) +
                                " reads it; make it a local variable");
  const Stmt *Use = ownPlace(Facts, Facts.Events[LastUse]);
  D.Notes.push_back({Use->getBeginLoc(), "the last use of " + quoted(Member) + " is here"});
  D.Subject.LastUse = Use->getBeginLoc();
}

//===-- Loaded modules, and results of the last round ----------------------===//

/// A whole model in memory, for nothing.
void OutlivedTensorChecker::checkLoaded(const Event &E) {
  const auto *Var = dyn_cast<VarDecl>(Facts.Places[E.Place].Decl);
  if (!Var || !Var->isLocalVarDecl() || Var->isReferenced())
    return;
  report(Level::Note, *Var, Var->getLocation(),
         quoted(*Var) + " is loaded and never used; all its parameters stay in memory until the "
                        "end of the scope");
}

/// Whether a round of the loop reads what the round before stored.
bool OutlivedTensorChecker::isReadInLoop(unsigned Store) const {
  const Event &E = Facts.Events[Store];
  const auto *Assign = dyn_cast<CXXOperatorCallExpr>(E.At);
  const Expr *Target = Assign ? outermostBox(Assign->getArg(0)) : nullptr;
  for (unsigned I = 0; I < Store; ++I) {
    const Event &Use = Facts.Events[I];
    if (Use.Kind == EventKind::Use && Use.Place == E.Place && Use.At != Target &&
        Known.readsOf(F).reads(I, E.Place) && Facts.isInside(Use.InLoop, E.InLoop))
      return true;
  }
  return false;
}

/// Somebody may run it backward, and have its graph freed by that.
bool OutlivedTensorChecker::mayBeFreed(PlaceId P) const {
  const uint8_t Fate = U.flow().fateOf(Facts, P);
  bool IsHere = false, Retain = true;
  for (const Event &E : Facts.Events)
    if (E.Kind == EventKind::Backward) {
      IsHere = true;
      Retain &= E.RetainsGraph;
    }
  return (Fate & ReachesUnknown) || ((Fate & ReachesBackward) && !(IsHere && Retain));
}

/// `Tensor out; for (...) out = net(x);`: the old result, with its graph, lives
/// while the next one is computed.
void OutlivedTensorChecker::checkReplaced(unsigned Index) {
  const Event &E = Facts.Events[Index];
  const EventState &At = F.State.AtEvent[Index];
  const Place &P = Facts.Places[E.Place];
  bool Outlives = P.Root == Place::Local && !P.isField() && P.Decl &&
                  !Facts.isInside(Facts.loopOfDecl(E.Place), E.InLoop);
  if (!Outlives || !At.Reached || At.Info.Carries != Graph::Yes ||
      !U.contains(F, E.InLoop, EventKind::Forward) || isReadInLoop(Index) || mayBeFreed(E.Place))
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

void checkOutlivedTensors(Unit &U, std::vector<Diagnosis> &Out) {
  Handles Known(U);
  for (const FunctionUnit &F : U.functions()) {
    FunctionAtHand Here(*F.Facts->Function);
    OutlivedTensorChecker(Known, U, F, Out).run();
  }
}

} // namespace tensorleak
