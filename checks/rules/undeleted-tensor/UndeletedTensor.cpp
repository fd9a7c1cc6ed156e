//===-- UndeletedTensor.cpp - tensor-undeleted-tensor ---------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor memory that nobody can free any more: raw new, a released reference, a blob without
// a deleter. Large tensors that outlive their last use are in OutlivedTensor.cpp.
//
//===----------------------------------------------------------------------===//
#include "checks/rules/Rules.h"
#include "checks/rules/undeleted-tensor/OutlivedTensor.h"

#include "checks/model/ClassNames.h"
#include "checks/model/OptimizerModel.h"
#include "checks/questions/ownership/OwnershipCycles.h"
#include "checks/resources/facts/ResourceBoxes.h"
#include "checks/resources/losses/LostTogether.h"
#include "checks/resources/losses/Refusals.h"
#include "checks/resources/records/DestroyedAsBase.h"
#include "checks/resources/records/LostMembers.h"
#include "checks/resources/records/removed/RemovedEntries.h"
#include "checks/rules/undeleted-tensor/HandleResults.h"
#include "checks/source/Expressions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"

using namespace clang;

namespace tensorleak {
namespace {

Diagnosis diagnosisAt(SourceLocation Loc, Level TheLevel, std::string Message) {
  Diagnosis D(UndeletedTensor::Name, Kind::Ownership, TheLevel, Loc, std::move(Message));
  D.Subject.Producers.push_back(Loc);
  return D;
}

void setHolder(Diagnosis &D, const ValueDecl &Holder) {
  D.Subject.Holder = Holder.getNameAsString();
  D.Subject.HolderDecl = Holder.getLocation();
}

//===-- Words -------------------------------------------------------------===//

/// "the optimizer, with its state, ...": the state is often larger than anything else.
std::string nameOfOptimizer(QualType Class) {
  unsigned Times = stateOfOptimizer(Class);
  std::string Size = (Times == 1 ? "" : std::to_string(Times) + " times ") + "the size";
  return "the optimizer, with its state" +
         (Times ? " (" + Size + " of its parameters once it has stepped)" : "") + ", that";
}

/// The object of class \p Class, for "... that it points to".
std::string nameOfObject(ApiModel &Model, QualType Class) {
  switch (Class.isNull() ? TypeClass::Other : Model.classify(Class)) {
  case TypeClass::Tensor:
    return "the tensor that";
  case TypeClass::Optimizer:
    return nameOfOptimizer(Class);
  case TypeClass::Module:
    return "the module, with its parameters, that";
  default:
    return "the object, with its tensors, that";
  }
}

/// What the resource is, where it is taken as a pointer.
QualType classOf(const Site &S) { return S.Call->getType()->getPointeeType(); }

//===-- Memory that a tensor is asked for -----------------------------------===//

/// `t.data_ptr<float>()`, or a variable that begins with it.
bool isMemoryOfTensor(ApiModel &Model, const Expr *E) {
  E = bare(E);
  const auto *V = dyn_cast_or_null<VarDecl>(variableOrMember(E));
  const auto *Call =
      dyn_cast_or_null<CXXMemberCallExpr>(V && V->getInit() ? bare(V->getInit()) : E);
  return Call && Call->getType()->isPointerType() &&
         Model.isTensor(Call->getImplicitObjectArgument()->getType());
}

/// `delete[] t.data_ptr<float>()`, `std::free(t.data_ptr())`, `owner.reset(t.data_ptr<float>())`:
/// a tensor of the program leads back to the memory that it was made over.
bool freesByTensor(Unit &U) {
  auto IsMemory = [&](const Expr *E) { return isMemoryOfTensor(U.model(), E); };
  auto Frees = [&](const Stmt &S) {
    if (const auto *D = dyn_cast<CXXDeleteExpr>(&S))
      return IsMemory(D->getArgument());
    const auto *Made = dyn_cast<CXXConstructExpr>(&S);
    if (Made && isOwningPointer(Made->getType()))
      return llvm::any_of(Made->arguments(), IsMemory);
    const auto *Call = dyn_cast<CallExpr>(&S);
    return Call && Call->getType()->isVoidType() && Call->getNumArgs() == 1 &&
           IsMemory(Call->getArg(0));
  };
  return llvm::any_of(U.functions(), [&](const FunctionUnit &F) {
    return anyBelow(F.Facts->Function->getBody(), Frees);
  });
}

//===-- Local pointers ------------------------------------------------------===//

/// Phrases what one function loses.
class OwnershipChecker {
public:
  OwnershipChecker(Unit &U, const FunctionResources &F, std::vector<Diagnosis> &Out)
      : U(U), F(F), Facts(F.Facts), Out(Out) {}

  void run() {
    for (const LostResource &L : F.Lost)
      check(L);
  }

private:
  void check(const LostResource &L);
  void checkLost(const LostResource &L);
  void checkDropped(const LostResource &L);
  void checkRefused(const LostResource &L);
  void checkBlob(const HolderUse &Blob, const LostResource &L);
  std::string nameOfMemory(const LostResource &L) const;
  bool isOfReturnedRecord(const LostResource &L) const;
  bool isLost(const LostResource &L) const;
  std::optional<ResourceExit> wayOut(const LostResource &L) const;
  const ValueDecl &holder(const LostResource &L) const;
  std::string name(const LostResource &L) const { return "'" + Facts.Paths.text(L.Holder) + "'"; }
  Level levelOf(const LostResource &L) const;
  void report(Diagnosis D, const Site &S);

  Unit &U;
  const FunctionResources &F;
  const ResourceFacts &Facts;
  std::vector<Diagnosis> &Out;
};

/// `auto sweep = acquire();`: the record, which frees nothing, is this function's.
bool OwnershipChecker::isOfReturnedRecord(const LostResource &L) const {
  const QualType Returned = Facts.Sites[L.Site].Call->getType();
  const ValueDecl *Holder = L.Holder == NoPath ? nullptr : Facts.Paths.variable(L.Holder);
  return Holder && freesNothing(Returned) &&
         Holder->getASTContext().hasSameUnqualifiedType(Holder->getType(), Returned);
}

/// Not where only the callee knows whether it was taken, nor where a function of another
/// file was given it too.
bool OwnershipChecker::isLost(const LostResource &L) const {
  const Site &S = Facts.Sites[L.Site];
  // What a callee puts into a member is its class's to delete, unless it puts another there.
  const bool IsOthers = S.OfCallee && L.How != LostResource::Overwritten && !isOfReturnedRecord(L);
  if (L.Doubtful || IsOthers || S.SomeWays || L.Holder == NoPath || !Facts.Paths.variable(L.Holder))
    return false;
  switch (L.How) {
  case LostResource::NeverFreed:
  case LostResource::Overwritten:
    return true;
  case LostResource::SomeExit:
    return wayOut(L).has_value();
  default:
    return false;
  }
}

/// The first way out that loses it, where others do not.
std::optional<ResourceExit> OwnershipChecker::wayOut(const LostResource &L) const {
  if (L.How != LostResource::SomeExit)
    return std::nullopt;
  std::vector<LostTogether> Together = lostTogether(F, {&L});
  return Together.empty() ? std::nullopt : std::optional(Together.front().Exit);
}

const ValueDecl &OwnershipChecker::holder(const LostResource &L) const {
  return *Facts.Paths.variable(L.Holder);
}

/// Once per run of main is no leak that grows.
Level OwnershipChecker::levelOf(const LostResource &L) const {
  bool Once = Facts.Function->isMain() && L.How != LostResource::Overwritten && !L.InLoop;
  return Once ? Level::Note : Level::Warning;
}

void OwnershipChecker::report(Diagnosis D, const Site &S) {
  if (S.Inner.isValid()) {
    D.Subject.Producers.push_back(S.Inner);
    D.Notes.push_back({S.Inner, "it is allocated here"});
  }
  Out.push_back(std::move(D));
}

void OwnershipChecker::checkLost(const LostResource &L) {
  const Site &S = Facts.Sites[L.Site];
  bool IsReference = S.What == Family::Reference;
  std::string What = IsReference
                         ? "the released tensor in " + name(L)
                         : nameOfObject(U.model(), classOf(S)) + " " + name(L) + " points to";
  std::optional<ResourceExit> Exit = wayOut(L);
  std::string How = L.How == LostResource::Overwritten ? " is overwritten before it is deleted"
                    : Exit && Exit->Throws             ? " is not deleted when this function throws"
                                                       : " is not deleted on every path";
  Diagnosis D = diagnosisAt(S.Call->getBeginLoc(), levelOf(L),
                            What + How + "; hold it by value or in a 'std::unique_ptr'");
  setHolder(D, holder(L));
  if (Exit) {
    D.Subject.LastUse = Exit->At ? Exit->At->getBeginLoc() : Facts.Function->getEndLoc();
    D.Notes.push_back({D.Subject.LastUse, "this way out leaves it behind"});
  }
  noteRefusal(F, L.Site, D);
  report(std::move(D), S);
}

void OwnershipChecker::checkDropped(const LostResource &L) {
  const Site &S = Facts.Sites[L.Site];
  std::string Message =
      S.What == Family::Reference
          ? "the released reference is dropped, so that nothing can free the tensor any more; use "
            "'reset()' to let go of it"
          : nameOfObject(U.model(), classOf(S)) +
                " this call returns is dropped, so that nothing can delete it; hold it by value "
                "or in a 'std::unique_ptr'";
  report(diagnosisAt(S.Call->getBeginLoc(), Level::Warning, std::move(Message)), S);
}

void OwnershipChecker::checkRefused(const LostResource &L) {
  const Site &S = Facts.Sites[L.Site];
  std::string What =
      S.What == Family::Reference ? "the released reference" : nameOfObject(U.model(), classOf(S));
  Diagnosis D = diagnosisAt(S.Call->getBeginLoc(), Level::Warning,
                            What + lostByRefusal(L, infoOf(S.What).Release));
  noteRefusal(F, L.Site, D);
  report(std::move(D), S);
}

/// `p.release()` of a smart pointer that was the only one to own the memory.
const ValueDecl *formerOwner(const Site &S) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(S.Call);
  return Call && S.Inner.isInvalid() ? variableOrMember(bare(Call->getImplicitObjectArgument()))
                                     : nullptr;
}

std::string OwnershipChecker::nameOfMemory(const LostResource &L) const {
  if (L.Holder != NoPath)
    return name(L);
  const ValueDecl *Owner = formerOwner(Facts.Sites[L.Site]);
  return Owner ? "what " + quoted(*Owner) + " gives up" : "the memory that it is made over";
}

/// Plain memory is other tools' business, until a tensor is made over it.
void OwnershipChecker::checkBlob(const HolderUse &Blob, const LostResource &L) {
  const Site &S = Facts.Sites[L.Site];
  const auto *Call = Blob.ByCallee ? dyn_cast<CallExpr>(Blob.At) : nullptr;
  const FunctionDecl *Maker = Call ? Call->getDirectCallee() : nullptr;
  Diagnosis D = diagnosisAt(
      Blob.At->getBeginLoc(), Level::Warning,
      (Maker ? "the tensor that " + quoted(*Maker) + " makes" : "this tensor") + " does not own " +
          nameOfMemory(L) + ", and nothing frees it; give 'from_blob' a deleter that calls '" +
          infoOf(S.What).Release.str() + "'");
  if (L.Holder != NoPath)
    setHolder(D, holder(L));
  D.Subject.Producers = {S.Call->getBeginLoc()};
  D.Notes.push_back({S.Call->getBeginLoc(), formerOwner(S) ? "its owner lets go of it here"
                                                           : "the memory is allocated here"});
  report(std::move(D), S);
}

void OwnershipChecker::check(const LostResource &L) {
  const Site &S = Facts.Sites[L.Site];
  if (L.How == LostResource::Dropped && infoOf(S.What).HoldsTensors)
    return checkDropped(L);
  if (L.How == LostResource::Refused && infoOf(S.What).HoldsTensors)
    return checkRefused(L);
  const bool IsUnnamed = L.How == LostResource::Dropped && !S.OfCallee && !S.SomeWays;
  if (!IsUnnamed && !isLost(L))
    return;
  if (infoOf(S.What).HoldsTensors)
    return checkLost(L);
  auto Blob = llvm::find_if(F.Views, [&](const HolderUse &Use) { return Use.Site == L.Site; });
  if (Blob != F.Views.end() && !freesByTensor(U))
    checkBlob(*Blob, L);
}

//===-- Members -------------------------------------------------------------===//

/// Of others, such as the nodes of a list, the class may be one of many owners.
bool isModelObject(ApiModel &Model, QualType Class) {
  TypeClass Is = Class.isNull() ? TypeClass::Other : Model.classify(Class);
  return Is == TypeClass::Tensor || Is == TypeClass::Optimizer || Is == TypeClass::Module;
}

void reportMember(ApiModel &Model, const LostMember &Lost, std::vector<Diagnosis> &Out) {
  const Site &S = Lost.In->Facts.Sites[Lost.Site];
  if (Lost.Why == LostMember::SetUpAgain || !isModelObject(Model, classOf(S)))
    return;
  bool IsLost = Lost.Why == LostMember::Overwritten;
  std::string How = IsLost ? " pointed to is not deleted before it is overwritten here"
                           : " points to is never deleted: no method of its class does";
  Diagnosis D = diagnosisAt(S.Call->getBeginLoc(), IsLost ? Level::Warning : Level::Note,
                            nameOfObject(Model, classOf(S)) + " " + quoted(*Lost.Member) + How +
                                "; hold it by value or in a 'std::unique_ptr'");
  if (Lost.CalledAgain)
    D.Notes.push_back({Lost.CalledAgain->getBeginLoc(), "called here after it was made once"});
  setHolder(D, *Lost.Member);
  Out.push_back(std::move(D));
}

void reportAssignedOver(ApiModel &Model, const AssignedOver &Lost, std::vector<Diagnosis> &Out) {
  const Site &S = Lost.Takes.front().In->Facts.Sites[Lost.Takes.front().Site];
  if (!infoOf(S.What).HoldsTensors || !isModelObject(Model, classOf(S)))
    return;
  Diagnosis D = diagnosisAt(Lost.At->getBeginLoc(), Level::Warning,
                            nameOfObject(Model, classOf(S)) + " " + quoted(*Lost.Member) +
                                " pointed to is lost here: the destructor deletes only what is "
                                "assigned; hold it by value or in a 'std::unique_ptr'");
  for (const RecordTake &Take : Lost.Takes)
    D.Subject.Producers.push_back(Take.In->Facts.Sites[Take.Site].Call->getBeginLoc());
  setHolder(D, *Lost.Member);
  Out.push_back(std::move(D));
}

void reportRemoved(ApiModel &Model, const RemovedEntry &Lost, std::vector<Diagnosis> &Out) {
  const Site &S = Lost.Takes.front().In->Facts.Sites[Lost.Takes.front().Site];
  if (!infoOf(S.What).HoldsTensors || !isModelObject(Model, classOf(S)))
    return;
  Diagnosis D = diagnosisAt(
      Lost.At->getBeginLoc(), Lost.Sure ? Level::Warning : Level::Note,
      nameOfObject(Model, classOf(S)) + " " + (Lost.IsWhole ? "'" : "an element of '") +
          Lost.Key.text() + "' points to is lost here: what " +
          (Lost.IsWhole ? "a record that is replaced points to" : "is taken out of a container") +
          " is not deleted by that; hold it by value or in a "
          "'std::unique_ptr'");
  D.Subject.Producers.clear();
  for (const RecordTake &Take : Lost.Takes) {
    D.Subject.Producers.push_back(Take.In->Facts.Sites[Take.Site].Call->getBeginLoc());
    D.Notes.push_back({D.Subject.Producers.back(), "it is allocated here"});
  }
  setHolder(D, Lost.holder());
  Out.push_back(std::move(D));
}

//===-- Objects that own each other ------------------------------------------===//

void reportCycle(const OwnershipCycle &C, std::vector<Diagnosis> &Out) {
  Diagnosis D = diagnosisAt(C.At, Level::Warning, C.message("tensors"));
  if (C.Member)
    setHolder(D, *C.Member);
  Out.push_back(std::move(D));
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
      D.Notes.push_back(
          {Result.New->getBeginLoc(), "and the one that " + quoted(*Result.Function) + " returns"});
    D.Subject.Producers.push_back(Result.New->getBeginLoc());
    for (const Expr *Operator : Result.Computed)
      D.Subject.Producers.push_back(Operator->getExprLoc());
  }
  Out.push_back(std::move(D));
}

void UndeletedTensor::check(FileAnalyses &File, std::vector<Diagnosis> &Out) {
  for (const auto &F : File.resources().functions())
    if (!F->Lost.empty())
      OwnershipChecker(File.unit(), *F, Out).run();
  for (const LostMember &Lost : findLostMembers(File))
    reportMember(File.unit().model(), Lost, Out);
  for (const AssignedOver &Lost : findAssignedOver(File))
    reportAssignedOver(File.unit().model(), Lost, Out);
  for (const RemovedEntry &Lost : findRemovedEntries(File))
    reportRemoved(File.unit().model(), Lost, Out);
  for (const DestroyedAsBase &Lost : File.destroyedAsBase())
    if (!Lost.IsOfDevice)
      Out.push_back(Lost.diagnosis(Name));
  auto Keeps = [&](QualType T) { return keepsTensors(File.unit().model(), T); };
  for (const OwnershipCycle &C : findOwnershipCycles(File.unit(), Keeps))
    reportCycle(C, Out);
  checkHandles(File.unit(), Out);
  checkOutlivedTensors(File.unit(), Out);
}

} // namespace tensorleak
