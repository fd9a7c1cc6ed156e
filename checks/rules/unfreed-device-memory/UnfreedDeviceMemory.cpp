//===-- UnfreedDeviceMemory.cpp - tensor-unfreed-device-memory ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device memory, streams, events, handles and the host memory beside them that
// a path, a class or a whole program never gives back.
//
//===----------------------------------------------------------------------===//
#include "checks/rules/Rules.h"

#include "checks/resources/losses/LostTogether.h"
#include "checks/resources/losses/Refusals.h"
#include "checks/resources/records/Takes.h"
#include "checks/rules/unfreed-device-memory/ClassFindings.h"
#include "checks/rules/unfreed-device-memory/DeviceCycles.h"
#include "checks/rules/unfreed-device-memory/FilledObjects.h"
#include "checks/rules/unfreed-device-memory/MissingRelease.h"
#include "checks/rules/unfreed-device-memory/Origins.h"
#include "checks/rules/unfreed-device-memory/OwnThreads.h"
#include "checks/rules/unfreed-device-memory/ResourceDiagnosis.h"
#include "checks/source/Mentions.h"

#include <map>

using namespace clang;

namespace tensorleak {
namespace {

/// Phrases what one function loses.
class UnfreedMemoryChecker {
public:
  UnfreedMemoryChecker(const ResourceUnit &U, const FunctionResources &F,
                       std::vector<Diagnosis> &Out)
      : U(U), F(F), Facts(F.Facts), Out(Out) {}

  void run() {
    checkExits();
    for (const LostResource &L : F.Lost)
      check(L);
    // One fix-it for all: they end up at the same place.
    if (auto Fix = releaseAtEnd(*Facts.Function, Releasable))
      Out[FirstReleasable].Fixes.push_back(*Fix);
  }

private:
  void check(const LostResource &L);
  void checkNever(const LostResource &L);
  void considerRelease(const LostResource &L);
  void checkExits();
  void checkExit(const LostTogether &Each);
  void checkOverwritten(const LostResource &L);
  void checkDropped(const LostResource &L);
  void checkRefused(const LostResource &L);
  void checkOneByOne(const LostResource &L);
  void checkWrongCall(const LostResource &L);
  void checkRegrown(const LostResource &L);
  bool replacesConstructors(const LostResource &L) const;
  void checkOfCallee(const LostResource &L);
  bool isBesideDevice(const LostResource &L) const;
  bool isWorthwhile(const LostResource &L) const;
  bool isTensors(const LostResource &L) const;
  bool mayBeFreedUnseen(const LostResource &L) const;
  bool othersAreFreed(Family What) const;
  bool belongsToCaller(const LostResource &L) const;
  bool endsWithReset() const;
  std::string name(const LostResource &L) const;
  Level lower(Level L, const LostResource &Lost) const;
  Diagnosis &report(const LostResource &L, Level TheLevel, std::string Message);
  void noteFreedBeside(Diagnosis &D, const LostResource &L) const;

  const ResourceUnit &U;
  const FunctionResources &F;
  const ResourceFacts &Facts;
  std::vector<Unreleased> Releasable;
  size_t FirstReleasable = 0; ///< in Out
  std::vector<Diagnosis> &Out;
};

Diagnosis &UnfreedMemoryChecker::report(const LostResource &L, Level TheLevel,
                                        std::string Message) {
  Diagnosis D = diagnosisAt(Facts.Sites[L.Site], TheLevel, std::move(Message));
  setHolder(D, Facts, L.Holder);
  setOriginsOfOwner(D, U, Facts, Facts.Sites[L.Site]);
  Out.push_back(std::move(D));
  return Out.back();
}

std::string UnfreedMemoryChecker::name(const LostResource &L) const {
  return "'" + (L.Holder == NoPath ? std::string("it") : Facts.Paths.text(L.Holder)) + "'";
}

/// What is only likely, or only once per run, is worth a look and no more.
Level UnfreedMemoryChecker::lower(Level TheLevel, const LostResource &L) const {
  bool Note = L.Doubtful || F.HasErrors || infoOf(Facts.Sites[L.Site].What).IsHost;
  return Note ? Level::Note : TheLevel;
}

static bool gives(const ResourceFacts &Facts, Family What) {
  return llvm::any_of(Facts.Blocks, [&](const auto &Block) {
    return llvm::any_of(Block, [&](const ResourceEvent &E) {
      return E.Kind == ResourceEventKind::Release && (E.Accepts & only(What));
    });
  });
}

bool UnfreedMemoryChecker::othersAreFreed(Family What) const { return gives(Facts, What); }

static bool takes(const ResourceFacts &Facts, Family What) {
  return llvm::any_of(Facts.Sites, [&](const Site &S) { return S.What == What; });
}

/// A registration of memory that the caller passed in, where a function of its own ends
/// such registrations.
bool UnfreedMemoryChecker::belongsToCaller(const LostResource &L) const {
  const Site &S = Facts.Sites[L.Site];
  const ValueDecl *Holder = L.Holder == NoPath ? nullptr : Facts.Paths.variable(L.Holder);
  return S.Attached && isa_and_nonnull<ParmVarDecl>(Holder) &&
         llvm::any_of(U.functions(), [&](const auto &Other) {
           return gives(Other->Facts, S.What) && !takes(Other->Facts, S.What);
         });
}

/// main calls cudaDeviceReset, and relies on it.
bool UnfreedMemoryChecker::endsWithReset() const {
  return Facts.Function->isMain() && llvm::any_of(Facts.Blocks, [](const auto &Block) {
           return llvm::any_of(Block, [](const ResourceEvent &E) {
             return E.Kind == ResourceEventKind::ReleaseAll;
           });
         });
}

/// See UndeletedTensor.
bool UnfreedMemoryChecker::isTensors(const LostResource &L) const {
  return infoOf(Facts.Sites[L.Site].What).HoldsTensors ||
         llvm::any_of(F.Views, [&](const HolderUse &Use) { return Use.Site == L.Site; });
}

/// A member of an object whose methods use the device.
bool UnfreedMemoryChecker::isBesideDevice(const LostResource &L) const {
  const auto *Method = dyn_cast<CXXMethodDecl>(Facts.Function);
  bool IsMember = L.Holder != NoPath && !Facts.Paths.variable(L.Holder);
  return Method && IsMember && U.usesDevice(*Method->getParent());
}

/// Host memory is other tools' business, except beside device memory where its
/// siblings are freed.
bool UnfreedMemoryChecker::isWorthwhile(const LostResource &L) const {
  const FamilyInfo &Info = infoOf(Facts.Sites[L.Site].What);
  if (isTensors(L) || Facts.Sites[L.Site].What == Family::Record)
    return false;
  if (!Info.IsHost)
    return !endsWithReset() || othersAreFreed(Facts.Sites[L.Site].What);
  return (U.usesDevice(*Facts.Function) || isBesideDevice(L)) && L.How != LostResource::WrongCall &&
         (!Facts.Function->isMain() || othersAreFreed(Facts.Sites[L.Site].What));
}

/// What ends with its scope frees nothing that a reader could see there.
void UnfreedMemoryChecker::noteFreedBeside(Diagnosis &D, const LostResource &L) const {
  for (const auto &Block : Facts.Blocks)
    for (const ResourceEvent &E : Block)
      if (E.Kind == ResourceEventKind::Release && isa<Expr>(E.At) &&
          (E.Accepts & only(Facts.Sites[L.Site].What))) {
        D.Notes.push_back({E.At->getBeginLoc(), "others are freed here"});
        return;
      }
}

//===-- Never, or not on every way out ------------------------------------===//

void UnfreedMemoryChecker::checkNever(const LostResource &L) {
  const Site &S = Facts.Sites[L.Site];
  if (belongsToCaller(L))
    return;
  bool IsLight = S.What == Family::Event && !othersAreFreed(S.What);
  bool Once = Facts.Function->isMain() || IsLight;
  std::string When = Facts.Function->isMain() ? " is still there when the program ends"
                                              : " is not given back before '" +
                                                    Facts.Function->getNameAsString() + "' returns";
  Diagnosis &D = report(L, lower(Once ? Level::Note : Level::Warning, L),
                        sized(S) + " in " + name(L) + When + "; nothing calls '" +
                            infoOf(S.What).Release.str() + "' on it");
  noteFreedBeside(D, L);
  if (D.TheLevel == Level::Warning)
    considerRelease(L);
}

/// Of the finding that was just reported.
void UnfreedMemoryChecker::considerRelease(const LostResource &L) {
  const Site &S = Facts.Sites[L.Site];
  bool IsVariable = L.Holder != NoPath && Facts.Paths.last(L.Holder).What == Step::Root;
  const auto *V = IsVariable ? dyn_cast_or_null<VarDecl>(Facts.Paths.variable(L.Holder)) : nullptr;
  Unreleased What{V, S.Call, infoOf(S.What).Release};
  if (!V || S.OfCallee || !infoOf(S.What).IsMemory || !canRelease(*Facts.Function, What))
    return;
  if (Releasable.empty())
    FirstReleasable = Out.size() - 1;
  Releasable.push_back(What);
}

/// What is said at once: lost in the same way, and as surely.
void UnfreedMemoryChecker::checkExits() {
  std::map<std::pair<bool, bool>, std::vector<const LostResource *>> Alike;
  for (const LostResource &L : F.Lost) {
    bool OnSome = L.How == LostResource::SomeExit &&
                  (!Facts.Sites[L.Site].OfCallee || isFilledAndFreed(F, L));
    bool Thrown = L.How == LostResource::Thrown;
    if ((OnSome || Thrown) && isWorthwhile(L) && !mayBeFreedUnseen(L))
      Alike[{Thrown, lower(Level::Warning, L) == Level::Note}].push_back(&L);
  }
  for (const auto &[Kind, Lost] : Alike)
    for (const LostTogether &Each : lostTogether(F, Lost))
      checkExit(Each);
}

void UnfreedMemoryChecker::checkExit(const LostTogether &Each) {
  bool IsMain = Facts.Function->isMain();
  if (IsMain && Each.When != After::Anything) // the program fails
    return;
  bool Once = IsMain || Each.When == After::FailedCall || Each.Unhandled;
  const LostResource &First = *Each.Lost.front();
  Diagnosis D = diagnosisOf(Facts, Each, lower(Once ? Level::Note : Level::Warning, First));
  noteFreedBeside(D, First);
  noteRefusal(F, First.Site, D);
  Out.push_back(std::move(D));
}

//===-- Overwritten -------------------------------------------------------===//

void UnfreedMemoryChecker::checkOverwritten(const LostResource &L) {
  const Site &S = Facts.Sites[L.Site];
  Level TheLevel = Facts.Function->isMain() && !L.InLoop ? Level::Note : Level::Warning;
  std::string How = L.InLoop ? " is taken anew in each round, and the one before is lost"
                             : " is overwritten before it is given back";
  Diagnosis &D = report(L, lower(TheLevel, L),
                        sized(S) + " in " + name(L) + How + "; call '" +
                            infoOf(S.What).Release.str() + "' first");
  if (L.At != S.Call)
    D.Notes.push_back({L.At->getBeginLoc(), "it is overwritten here"});
}

/// What a `new` drops is other tools' business.
void UnfreedMemoryChecker::checkDropped(const LostResource &L) {
  const Site &S = Facts.Sites[L.Site];
  if (!infoOf(S.What).IsHost && isa<CallExpr>(S.Call))
    report(L, lower(Level::Warning, L),
           sized(S) +
               " that this call returns is dropped, so that nothing can give it back; "
               "keep it, and call '" +
               infoOf(S.What).Release.str() + "'");
}

void UnfreedMemoryChecker::checkRefused(const LostResource &L) {
  const FamilyInfo &Info = infoOf(Facts.Sites[L.Site].What);
  const bool IsFailure = L.Exits.front().When != After::Anything;
  if (!Info.IsHost && !(Facts.Function->isMain() && IsFailure))
    noteRefusal(F, L.Site,
                report(L, lower(IsFailure ? Level::Note : Level::Warning, L),
                       sized(Facts.Sites[L.Site]) + lostByRefusal(L, Info.Release)));
}

void UnfreedMemoryChecker::checkOneByOne(const LostResource &L) {
  const Site &S = Facts.Sites[L.Site];
  Level TheLevel = Facts.Function->isMain() || S.OfCallee ? Level::Note : Level::Warning;
  Diagnosis &D = report(L, lower(TheLevel, L), sized(S) + " in " + name(L) + notAllGivenBack(S));
  if (L.At)
    D.Notes.push_back({L.At->getBeginLoc(), OnlySingleOnes});
}

void UnfreedMemoryChecker::checkWrongCall(const LostResource &L) {
  const Site &S = Facts.Sites[L.Site];
  Diagnosis &D = report(L, lower(Level::Warning, L),
                        infoOf(S.What).What.str() + " must be given back with '" +
                            infoOf(S.What).Release.str() + "', and another call gets it");
  D.Notes.push_back({L.At->getBeginLoc(), isa<CXXConstructExpr>(L.At)
                                              ? "it is given to this pointer, and to its deleter"
                                              : "it is given to this call"});
}

/// A method takes anew what the constructor has taken, and never asks for the old.
bool UnfreedMemoryChecker::replacesConstructors(const LostResource &L) const {
  return isTakenByConstructor(U, F, L) && F.SeenByOthers.empty() && !L.IsAsked;
}

void UnfreedMemoryChecker::checkRegrown(const LostResource &L) {
  const Site &S = Facts.Sites[L.Site];
  const bool FindsOld = L.FindsOld && !isLetGo(F, L.Holder);
  // What a callee takes anew is the callee's to speak of, unless a test here has found the old.
  if (!L.Grows && !FindsOld && (S.OfCallee || !replacesConstructors(L)))
    return;
  // An object of another constructor may have held nothing.
  const bool IsSure = L.Grows || FindsOld || isTakenByEachConstructor(U, F, L);
  report(L, lower(IsSure ? Level::Warning : Level::Note, L),
         sized(S) + " in " + name(L) +
             " replaces what it held before, which nothing gives back; call '" +
             infoOf(S.What).Release.str() + "' first");
}

//===-- Objects that a function of the file filled --------------------------===//

void UnfreedMemoryChecker::checkOfCallee(const LostResource &L) {
  // What is forgotten by the object's own free function is said there; not what is forgotten here.
  // Who fills an object anew gives back what it held before, and not what it holds then.
  PathId Root = Facts.Paths.rootOf(L.Holder);
  for (const auto &Block : Facts.Blocks)
    for (const ResourceEvent &E : Block)
      if (E.Kind == ResourceEventKind::Release && E.ByCallee && E.At != Facts.Sites[L.Site].Call)
        for (const Atom &A : E.Value)
          if (A.What != Atom::Fresh && Facts.Paths.rootOf(A.Id) == Root)
            return;
  const ValueDecl *V = Facts.Paths.variable(Root);
  bool Said = llvm::any_of(Out, [&](const Diagnosis &D) {
    return D.Subject.HolderDecl == V->getLocation() && D.Rule == UnfreedDeviceMemory::Name &&
           D.TheLevel == Level::Warning;
  });
  if (Said)
    return;
  const Site &S = Facts.Sites[L.Site];
  Diagnosis D = diagnosisAt(
      S, lower(Facts.Function->isMain() ? Level::Note : Level::Warning, L),
      (isa<DecompositionDecl>(V) ? "'" + Facts.Paths.text(L.Holder) + "'" : quoted(*V)) +
          " is filled here with " + sized(S) + ", and nothing gives it back");
  setHolder(D, *V);
  Out.push_back(std::move(D));
}

/// In a function with errors, the call that frees it may be what is missing.
bool UnfreedMemoryChecker::mayBeFreedUnseen(const LostResource &L) const {
  const ValueDecl *Holder = L.Holder == NoPath ? nullptr : Facts.Paths.variable(L.Holder);
  return F.HasErrors &&
         (!Holder || !Holder->getIdentifier() || lacksMentionsOf(*Holder, *Facts.Function));
}

void UnfreedMemoryChecker::check(const LostResource &L) {
  if (!isWorthwhile(L) || mayBeFreedUnseen(L))
    return;
  switch (L.How) {
  case LostResource::NeverFreed:
    if (isFreedByOwnThread(U, Facts, L))
      return;
    return Facts.Sites[L.Site].OfCallee ? checkOfCallee(L) : checkNever(L);
  case LostResource::SomeExit:
  case LostResource::Thrown:
    return; // see checkExits
  case LostResource::Dropped:
    return checkDropped(L);
  case LostResource::Refused:
    return checkRefused(L);
  case LostResource::Overwritten:
    return checkOverwritten(L);
  case LostResource::OneByOne:
    return checkOneByOne(L);
  case LostResource::WrongCall:
    return checkWrongCall(L);
  case LostResource::Regrown:
    return checkRegrown(L);
  }
}

} // namespace

void UnfreedDeviceMemory::check(FileAnalyses &File, std::vector<Diagnosis> &Out) {
  const ResourceUnit &Resources = File.resources();
  for (const DestroyedAsBase &Lost : File.destroyedAsBase())
    if (Lost.IsOfDevice)
      Out.push_back(Lost.diagnosis(Name));
  if (!Resources.usesDevice())
    return;
  for (const auto &F : Resources.functions()) {
    UnfreedMemoryChecker(Resources, *F, Out).run();
    if (auto Late = findLateRelease(*F, Resources.model(), File.unit().options().minBytes(Name)))
      reportLate(*F, *Late, Out);
  }
  reportClasses(File, Out);
  reportDeviceCycles(File, Out);
}

} // namespace tensorleak
