//===-- UndeletedTensor.cpp - tensor-undeleted-tensor ---------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor memory that nobody can free any more (raw new, a released reference,
// a blob without a deleter), and large tensors that outlive their last use.
//
//===----------------------------------------------------------------------===//
#include "checks/Rules.h"

#include "checks/analysis/FactsGenerator.h"
#include "checks/analysis/Handles.h"
#include "checks/analysis/OwnedMembers.h"
#include "checks/analysis/Ownership.h"
#include "checks/model/OptimizerModel.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {
namespace {

class Checker : FunctionChecker {
public:
  using FunctionChecker::FunctionChecker;

  void run() {
    for (const LostMemory &Lost : findLostMemory(Facts))
      checkLost(Lost);
    for (const LostMember &Lost : findLostMembers(U, F))
      reportMember(Lost);
    for (unsigned I = 0; I < Facts.Events.size(); ++I) {
      const Event &E = Facts.Events[I];
      if (E.Kind == EventKind::Compute)
        checkDropped(E);
      else if (E.Kind == EventKind::LoadModule)
        checkLoaded(E);
      else if (E.Kind == EventKind::Link)
        checkLink(I);
      else if (E.Kind == EventKind::Store && !E.Declares && E.InLoop != NoId)
        checkReplaced(I);
    }
    for (PlaceId P = 0; P < Facts.Places.size(); ++P)
      checkLastUse(P);
  }

private:
  void checkLost(const LostMemory &Lost);
  void reportMember(const LostMember &Lost);
  void checkBlob(const Value &Blob, PlaceId Data);
  void checkDropped(const Event &E);
  void checkLastUse(PlaceId P);
  void checkLoaded(const Event &E);
  void checkLink(unsigned Index);
  bool owns(PlaceId Owner, PlaceId Owned, unsigned Before, unsigned Depth = 0) const;
  void checkReplaced(unsigned Index);
  bool isReadInLoop(unsigned Store) const;
  const Value *blobOver(PlaceId P) const;
  bool isConsumed(ValueId V) const;
  std::optional<unsigned> largeStore(PlaceId P) const;
  std::optional<unsigned> allocatedAfter(PlaceId P, unsigned LastUse) const;
  Level levelOf(ValueId Allocation, bool Overwritten) const;
  Diagnosis &report(Kind K, Level L, SourceLocation Loc, std::string Message);
};

Diagnosis &Checker::report(Kind K, Level L, SourceLocation Loc, std::string Message) {
  Diagnosis D(UndeletedTensor::Name, K, L, Loc, std::move(Message));
  D.Subject.Producers.push_back(Loc);
  Out.push_back(std::move(D));
  return Out.back();
}

//===-- Memory without an owner -------------------------------------------===//

/// Once per run of main is no leak that grows.
Level Checker::levelOf(ValueId Allocation, bool Overwritten) const {
  if (!Facts.Function->isMain() || Overwritten)
    return Level::Warning;
  for (const Event &E : Facts.Events)
    if (E.Kind == EventKind::Compute && E.Val == Allocation)
      return E.InLoop == NoId ? Level::Note : Level::Warning;
  return Level::Note;
}

static bool hasDeleter(const Expr *E) {
  const auto *Call = dyn_cast<CallExpr>(E);
  return Call && llvm::any_of(Call->arguments(), [](const Expr *Arg) {
           QualType T = strip(Arg)->getType().getNonReferenceType();
           const auto *R = T->getAsCXXRecordDecl();
           bool Callable = R && (R->isLambda() || (R->isInStdNamespace() && R->getIdentifier() &&
                                                   R->getName() == "function"));
           return Callable || T->isFunctionType() || T->isFunctionPointerType();
         });
}

const Value *Checker::blobOver(PlaceId P) const {
  for (const Value &V : Facts.Values)
    if (V.From == Source::Api && V.Api.What == Does::Blob && !V.Inputs.empty())
      if (const Value &Data = Facts.Values[V.Inputs.front()];
          Data.From == Source::Load && Data.Loaded == P)
        return &V;
  return nullptr;
}

void Checker::checkBlob(const Value &Blob, PlaceId Data) {
  if (hasDeleter(Blob.E))
    return;
  Diagnosis &D = report(Kind::Ownership, Level::Warning, Blob.E->getBeginLoc(),
                        "this tensor does not own " + quoted(*Facts.Places[Data].Decl) +
                            ", and nothing frees it; give 'from_blob' a deleter");
  D.Subject.Holder = Facts.Places[Data].Decl->getNameAsString();
  D.Subject.HolderDecl = Facts.Places[Data].Decl->getLocation();
  D.Notes.push_back({Facts.Places[Data].Decl->getLocation(), "the memory is allocated here"});
}

/// "the optimizer, with its state, ...": the state is often larger than anything else.
static std::string nameOfOptimizer(const CXXNewExpr &New) {
  unsigned Times = stateOfOptimizer(New.getAllocatedType());
  std::string Size = (Times == 1 ? "" : std::to_string(Times) + " times ") + "the size";
  return "the optimizer, with its state" +
         (Times ? " (" + Size + " of its parameters once it has stepped)" : "") + ", that";
}

/// What \p New makes, for "... that it points to".
static std::string nameOfObject(ApiModel &Model, const CXXNewExpr &New) {
  switch (Model.classify(New.getAllocatedType())) {
  case TypeClass::Tensor:
    return "the tensor that";
  case TypeClass::Optimizer:
    return nameOfOptimizer(New);
  default:
    return "the module, with its parameters, that";
  }
}

void Checker::reportMember(const LostMember &Lost) {
  bool IsLost = Lost.Why == LostMember::Overwritten;
  std::string How = IsLost ? " pointed to is not deleted before it is overwritten here"
                           : " points to is never deleted: no method of its class does";
  Diagnosis &D = report(Kind::Ownership, IsLost ? Level::Warning : Level::Note, Lost.New->getBeginLoc(),
                        nameOfObject(U.model(), *Lost.New) + " " + quoted(*Lost.Member) + How +
                            "; hold it by value or in a 'std::unique_ptr'");
  if (Lost.CalledAgain)
    D.Notes.push_back({Lost.CalledAgain->getBeginLoc(), "called here after it was made once"});
  D.Subject.Holder = Lost.Member->getNameAsString();
  D.Subject.HolderDecl = Lost.Member->getLocation();
}

void Checker::checkLost(const LostMemory &Lost) {
  const Value &V = Facts.Values[Lost.Allocation];
  const auto *New = dyn_cast_or_null<CXXNewExpr>(V.E);
  TypeClass Class = New ? U.model().classify(New->getAllocatedType()) : TypeClass::Other;
  bool IsRawMemory = Class == TypeClass::Other;
  bool IsRelease = V.From == Source::Api && V.Api.What == Does::Release;
  if (IsRawMemory && !IsRelease) {
    // Plain heap memory is other tools' business, until a tensor is made over it.
    if (const Value *Blob = blobOver(Lost.Owner))
      checkBlob(*Blob, Lost.Owner);
    return;
  }
  const ValueDecl *Owner = Facts.Places[Lost.Owner].Decl;
  std::string What = IsRelease ? "the released tensor" : nameOfObject(U.model(), *New);
  std::string How = Lost.Overwritten ? " is overwritten before it is deleted"
                                     : " is not deleted on every path";
  Diagnosis &D = report(Kind::Ownership, levelOf(Lost.Allocation, Lost.Overwritten),
                        V.E->getBeginLoc(),
                        What + (IsRelease ? " in " : " ") + quoted(*Owner) +
                            (IsRelease ? "" : " points to") + How +
                            "; hold it by value or in a 'std::unique_ptr'");
  D.Subject.Holder = Owner->getNameAsString();
  D.Subject.HolderDecl = Owner->getLocation();
}

bool Checker::isConsumed(ValueId V) const {
  for (const Value &Other : Facts.Values)
    if (llvm::is_contained(Other.Inputs, V))
      return true;
  return llvm::any_of(Facts.Events, [&](const Event &E) {
    return E.Kind != EventKind::Compute && (E.Val == V || llvm::is_contained(E.Args, V));
  });
}

void Checker::checkDropped(const Event &E) {
  const Value &V = Facts.Values[E.Val];
  if (V.From != Source::Api || V.Api.What != Does::Release || isConsumed(E.Val))
    return;
  report(Kind::Ownership, Level::Warning, V.E->getBeginLoc(),
         "the released reference is dropped, so that nothing can free the tensor any more; use "
         "'reset()' to let go of it");
}

//===-- Large tensors past their last use ---------------------------------===//

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

/// Whether \p P's tensor is an operand of what \p V computes.
static bool reads(const FunctionFacts &Facts, ValueId V, PlaceId P, unsigned Depth = 0) {
  const Value &Val = Facts.Values[V];
  if (Val.From == Source::Load)
    return Val.Loaded == P;
  return Depth < 16 && llvm::any_of(Val.Inputs, [&](ValueId In) {
           return reads(Facts, In, P, Depth + 1);
         });
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
  Diagnosis &D = report(Kind::Peak, Level::Warning, Var->getLocation(),
                        quoted(*Var) + " keeps " + formatBytes(Bytes) +
                            " after its last use while more is allocated; 'reset()' it, or give "
                            "it a scope of its own");
  D.Bytes = Bytes;
  const Stmt *Use = Facts.Events[LastUse].At;
  D.Notes.push_back({Use->getBeginLoc(), "the last use of " + quoted(*Var) + " is here"});
  D.Notes.push_back({Facts.Events[*Later].At->getBeginLoc(), "more is allocated here"});
  D.Subject.Holder = Var->getNameAsString();
  D.Subject.HolderDecl = Var->getLocation();
  D.Subject.LastUse = Use->getBeginLoc();
  if (const Expr *Maker = producer(Facts, Facts.Events[*Made].Val))
    D.Subject.Producers = {Maker->getExprLoc()};
}

/// Through shared pointers set before the event, \p Owner keeps \p Owned alive.
bool Checker::owns(PlaceId Owner, PlaceId Owned, unsigned Before, unsigned Depth) const {
  constexpr unsigned MaxDepth = 8; // modules on the way
  if (Owner == Owned)
    return true;
  for (unsigned I = 0; Depth < MaxDepth && I < Before; ++I) {
    const Event &E = Facts.Events[I];
    if (E.Kind == EventKind::Link && E.Val != NoId && Facts.rootOf(E.Place) == Owner &&
        owns(Facts.rootOf(Facts.Values[E.Val].Loaded), Owned, Before, Depth + 1))
      return true;
  }
  return false;
}

/// Modules that own each other.
void Checker::checkLink(unsigned Index) {
  const Event &E = Facts.Events[Index];
  if (E.Val == NoId || E.Callee)
    return;
  PlaceId Owner = Facts.rootOf(E.Place), Owned = Facts.rootOf(Facts.Values[E.Val].Loaded);
  auto Unties = [&](const Event &Other) {
    return Other.Kind == EventKind::Link && Other.Place == E.Place && Other.Val == NoId;
  };
  if (!owns(Owned, Owner, Index) || llvm::any_of(Facts.Events, Unties))
    return;
  const ValueDecl &Field = *Facts.Places[E.Place].Decl;
  Diagnosis &D = report(Kind::Ownership, Level::Warning, E.At->getBeginLoc(),
                        "the modules own each other through " + quoted(Field) +
                            ": nothing frees them or their parameters; make " + quoted(Field) +
                            " a 'std::weak_ptr'");
  D.Subject.Holder = Field.getNameAsString();
  D.Subject.HolderDecl = Field.getLocation();
}

/// A whole model in memory, for nothing.
void Checker::checkLoaded(const Event &E) {
  const auto *Var = dyn_cast<VarDecl>(Facts.Places[E.Place].Decl);
  if (!Var || !Var->isLocalVarDecl() || Var->isReferenced())
    return;
  Diagnosis &D = report(Kind::Peak, Level::Note, Var->getLocation(),
                        quoted(*Var) + " is loaded and never used; all its parameters stay in "
                                       "memory until the end of the scope");
  D.Subject.Holder = Var->getNameAsString();
  D.Subject.HolderDecl = Var->getLocation();
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
  Diagnosis &D = report(
      Kind::Peak, Level::Note, E.At->getBeginLoc(),
      "the result of the last round stays alive in " + quoted(*P.Decl) +
          ", with all its activations, while the next one is computed; declare " + quoted(*P.Decl) +
          " inside the loop, or 'reset()' it first");
  D.Notes.push_back({P.Decl->getLocation(), quoted(*P.Decl) + " is declared here"});
  D.Subject.Holder = P.Decl->getNameAsString();
  D.Subject.HolderDecl = P.Decl->getLocation();
  D.Subject.Loop = rangeOfLoop(Facts, E.InLoop);
  D.Subject.Graph = true;
}

} // namespace

void UndeletedTensor::check(Unit &U, std::vector<Diagnosis> &Out) {
  checkFunctions<Checker>(U, Out);
}

} // namespace tensorleak
