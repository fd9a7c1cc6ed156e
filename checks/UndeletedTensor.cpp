//===-- UndeletedTensor.cpp - tensor-undeleted-tensor ---------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor memory that nobody can free any more: raw new, a released reference, a blob without
// a deleter. Large tensors that outlive their last use are in OutlivedTensor.cpp.
//
//===----------------------------------------------------------------------===//
#include "checks/OutlivedTensor.h"
#include "checks/Rules.h"

#include "checks/analysis/FactsGenerator.h"
#include "checks/analysis/HandleResults.h"
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
      else if (E.Kind == EventKind::Link)
        checkLink(I);
    }
  }

private:
  void checkLost(const LostMemory &Lost);
  void reportMember(const LostMember &Lost);
  void checkBlob(const Value &Blob, PlaceId Data);
  void checkDropped(const Event &E);
  void checkLink(unsigned Index);
  bool owns(PlaceId Owner, PlaceId Owned, unsigned Before, unsigned Depth = 0) const;
  const Value *blobOver(PlaceId P) const;
  bool isConsumed(ValueId V) const;
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

} // namespace

/// One mistake of a whole API: the first of its functions, with the others as notes.
static void checkHandles(Unit &U, std::vector<Diagnosis> &Out) {
  std::vector<HandleResult> All = findHandleResults(U);
  if (All.empty())
    return;
  const FunctionDecl *Deleter = findHandleDeleter(U);
  Diagnosis D(UndeletedTensor::Name, Kind::Ownership, Level::Note, All.front().New->getBeginLoc(),
              "the handle that " + quoted(*All.front().Function) +
                  " returns is all that keeps a tensor it computes: a result that is overwritten, "
                  "or nested in another call, is never freed; write to a handle that the caller "
                  "passes, or give every result to " +
                  (Deleter ? quoted(*Deleter) : "a function that deletes it"));
  for (const HandleResult &Result : All) {
    if (Result.New != All.front().New)
      D.Notes.push_back({Result.New->getBeginLoc(),
                         "and the one that " + quoted(*Result.Function) + " returns"});
    D.Subject.Producers.push_back(Result.New->getBeginLoc());
    for (const Expr *Operator : Result.Computed)
      D.Subject.Producers.push_back(Operator->getExprLoc());
  }
  Out.push_back(std::move(D));
}

void UndeletedTensor::check(Unit &U, std::vector<Diagnosis> &Out) {
  checkFunctions<Checker>(U, Out);
  checkHandles(U, Out);
  checkOutlivedTensors(U, Out);
}

} // namespace tensorleak
