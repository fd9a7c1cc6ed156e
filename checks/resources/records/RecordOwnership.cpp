//===-- RecordOwnership.cpp -----------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/records/RecordOwnership.h"

#include "checks/model/ClassNames.h"
#include "checks/model/boxes/Boxes.h"
#include "checks/resources/records/GoneRecords.h"
#include "checks/resources/records/Takes.h"
#include "checks/source/Expressions.h"
#include "checks/source/Functions.h"
#include "checks/source/Mentions.h"
#include "checks/source/UserCode.h"
#include "clang/AST/ASTContext.h"

using namespace clang;

namespace tensorleak {
namespace {

class OwnershipFinder {
public:
  OwnershipFinder(const ResourceUnit &U, const RecordUses &Uses, Imports &Others)
      : U(U), Others(Others), Uses(Uses), Given(Uses.Given) {}
  std::vector<ForgottenResource> run();

private:
  void askOthers();
  bool reportedInside(const FunctionResources &F, SiteId Site) const;
  std::optional<ForgottenResource> judge(const RecordKey &Key, const RecordTake &T) const;
  Family familyOf(const RecordKey &Key) const { return Uses.Takes.at(Key).front().what(); }
  bool anyGiven(Family What) const;
  std::vector<std::string> siblingsIn(const FunctionDecl *G, const RecordKey &Key) const;
  std::vector<std::string> siblingsElsewhere(const RecordElsewhere &R,
                                             const std::set<std::string> &Given,
                                             const RecordKey &Key) const;
  bool isDroppedFrom(const FunctionDecl &G, const RecordKey &Key) const;
  bool findFreeFunction(ForgottenResource &Out) const;
  bool findFreeFunctionElsewhere(ForgottenResource &Out) const;
  bool isSeenElsewhere(const CXXMethodDecl &M) const;
  bool areMethodsSeen(const CXXRecordDecl &Class, const RecordKey &Key) const;
  const CXXRecordDecl *takenBy(const ForgottenResource &Out) const;
  bool givesOthers(const CXXDestructorDecl &Dtor, const RecordKey &Key) const;
  bool hasNoDestructor(ForgottenResource &Out) const;
  bool isPassedBy(ForgottenResource &Out) const;
  bool isForgottenGlobal(ForgottenResource &Out) const;
  bool isGivenBadly(ForgottenResource &Out) const;
  bool takesOthersElsewhere(const RecordKey &Key) const;
  unsigned missingBeside(const RecordKey &Key) const;
  bool isAllSeen(const RecordKey &Key) const;
  bool isForgotten(const RecordKey &Key) const;

  const ResourceUnit &U;
  Imports &Others;
  const RecordUses &Uses;
  std::set<RecordKey> Given; ///< here and in other files
  std::map<const NamedDecl *, RecordElsewhere> Elsewhere;
};

/// What another file gives back is given back, and what is given back as a part of an object.
void OwnershipFinder::askOthers() {
  Given.insert(Uses.GivenWithin.begin(), Uses.GivenWithin.end());
  for (const auto &[Key, Each] : Uses.Takes) {
    auto [It, New] = Elsewhere.try_emplace(Key.Owner);
    if (New)
      It->second = Others.record(*Key.Owner);
    if (It->second.Given.count(Key.text()))
      Given.insert(Key);
  }
}

/// Said already, where the function itself loses it. What a constructor loses when it throws, the
/// member keeps when it does not.
bool OwnershipFinder::reportedInside(const FunctionResources &F, SiteId Site) const {
  return llvm::any_of(F.Lost, [&](const LostResource &L) {
    return L.Site == Site && L.How != LostResource::Regrown && L.How != LostResource::Thrown;
  });
}

/// Members of the same record that nothing gives back, here and in other files.
unsigned OwnershipFinder::missingBeside(const RecordKey &Key) const {
  const RecordElsewhere &R = Elsewhere.at(Key.Owner);
  std::set<std::string> Missing;
  for (const auto &[Taken, Families] : R.Taken)
    if (!R.Given.count(Taken))
      Missing.insert(Taken);
  for (const RecordKey &Each : Given)
    if (Each.Owner == Key.Owner)
      Missing.erase(Each.text());
  for (const auto &[Each, Takes] : Uses.Takes)
    if (Each.Owner == Key.Owner && !Given.count(Each))
      Missing.insert(Each.text());
  return Missing.size();
}

bool OwnershipFinder::anyGiven(Family What) const {
  return llvm::any_of(
      Given, [&](const RecordKey &K) { return Uses.Takes.count(K) && familyOf(K) == What; });
}

/// What \p G gives back beside \p Key: as much like it as there is.
std::vector<std::string> OwnershipFinder::siblingsIn(const FunctionDecl *G,
                                                     const RecordKey &Key) const {
  std::vector<std::string> Out;
  auto Gives = [&](const auto &F) {
    return F->Facts.Function == G &&
           (F->givesArgument(familyOf(Key)) || F->Summary.ReleasesAll); // cudaDeviceReset()
  };
  if (Uses.refills(*G, *Key.Owner) || llvm::any_of(U.functions(), Gives))
    return Out;
  const RecordElsewhere &R = Elsewhere.at(Key.Owner);
  bool IsHost = infoOf(familyOf(Key)).IsHost;
  std::set<RecordKey> All = Uses.GivenBy.at(G);
  if (auto Within = Uses.GivenWithinBy.find(G);
      Within != Uses.GivenWithinBy.end() && !Uses.Parts.count(Key))
    All.insert(Within->second.begin(), Within->second.end());
  for (const RecordKey &Sibling : All) {
    if (Uses.isOnlyReplaced(Sibling))
      continue;
    bool TakenHere = Uses.Takes.count(Sibling);
    if (Sibling.Owner == Key.Owner &&
        (TakenHere ? infoOf(familyOf(Sibling)).IsHost == IsHost : R.takes(Sibling.text(), IsHost)))
      Out.push_back(Sibling.text());
  }
  llvm::sort(Out); // keys are in no order of their own
  return Out;
}

std::vector<std::string> OwnershipFinder::siblingsElsewhere(const RecordElsewhere &R,
                                                            const std::set<std::string> &Given,
                                                            const RecordKey &Key) const {
  std::vector<std::string> Out;
  bool IsHost = infoOf(familyOf(Key)).IsHost;
  for (const std::string &Member : Given) {
    bool TakenHere = llvm::any_of(Uses.Takes, [&](const auto &Entry) {
      return Entry.first.Owner == Key.Owner && Entry.first.text() == Member &&
             infoOf(Entry.second.front().what()).IsHost == IsHost;
    });
    if (TakenHere || R.takes(Member, IsHost))
      Out.push_back(Member);
  }
  return Out;
}

/// A free function of another file, where it gives back more than those of this one.
bool OwnershipFinder::findFreeFunctionElsewhere(ForgottenResource &Out) const {
  const RecordElsewhere &R = Elsewhere.at(Out.Key.Owner);
  bool Found = false;
  for (const auto &[Name, Given] : R.GivenBy) {
    std::vector<std::string> Siblings = siblingsElsewhere(R, Given, Out.Key);
    if (Siblings.size() <= Out.Siblings.size())
      continue;
    Out.Siblings = std::move(Siblings);
    Out.Where = nullptr;
    Out.WhereName = Name;
    Out.Sure = !R.Open.count(Name);
    Found = true;
  }
  return Found;
}

/// \p G has errors, and the compiler has dropped what it does to the member.
bool OwnershipFinder::isDroppedFrom(const FunctionDecl &G, const RecordKey &Key) const {
  return llvm::any_of(U.functions(), [&](const auto &F) {
    return F->HasErrors && F->Facts.Function == &G && lacksMentionsOf(*Key.Chain.back(), G);
  });
}

/// The destructor or free function that gives back most of what lies beside it.
bool OwnershipFinder::findFreeFunction(ForgottenResource &Out) const {
  if (llvm::any_of(Uses.Order, [&](const auto *G) { return isDroppedFrom(*G, Out.Key); }))
    return false;
  for (const FunctionDecl *G : Uses.Order) {
    std::vector<std::string> Siblings = siblingsIn(G, Out.Key);
    if (Siblings.size() <= Out.Siblings.size())
      continue;
    Out.Siblings = std::move(Siblings);
    Out.Where = G;
    Out.WhereName = G->getNameAsString();
    Out.Sure = !Uses.mayReach(*G, Out.Key);
  }
  if (!findFreeFunctionElsewhere(Out) && !Out.Where)
    return false;
  Out.Why = ForgottenResource::FreeFunction;
  Out.Sure &= Out.Siblings.size() >= missingBeside(Out.Key) &&
              (familyOf(Out.Key) != Family::Event || anyGiven(Family::Event));
  return true;
}

/// Another file of the project defines \p M, and it does not hand the object to unseen code.
bool OwnershipFinder::isSeenElsewhere(const CXXMethodDecl &M) const {
  const ImportedFunction *Known = Others.function(M);
  const ResourceSummary *Told = Others.resources(M);
  if (!Told)
    return Known && (isa<CXXConstructorDecl>(M) || !Known->IsOpen);
  return llvm::none_of(Told->TreesEscape, [](const RelativeResourcePath &P) {
    return P.Root == RelativeResourcePath::This &&
           llvm::none_of(P.Steps, [](const Step &S) { return S.What == Step::Field; });
  });
}

/// What its methods do to the member is known, those in other files as well.
bool OwnershipFinder::areMethodsSeen(const CXXRecordDecl &Class, const RecordKey &Key) const {
  return allMethodsSeen(Class, Key.Chain) ||
         llvm::all_of(Class.methods(), [&](const CXXMethodDecl *M) {
           return isSeenHere(*M) || M->isPureVirtual() || isSeenElsewhere(*M);
         });
}

/// The class whose method has put it into the member of its own object; null for none. It may
/// inherit the member.
const CXXRecordDecl *OwnershipFinder::takenBy(const ForgottenResource &Out) const {
  const auto *Class = dyn_cast<CXXRecordDecl>(Out.Key.Owner);
  const auto *Method = dyn_cast<CXXMethodDecl>(Out.In->Facts.Function);
  if (!Class || !Method || Out.In->Facts.Paths.variable(Out.Holder))
    return nullptr;
  const CXXRecordDecl *Taker = Method->getParent();
  return Taker == Class->getDefinition() || Taker->isDerivedFrom(Class) ? Taker : nullptr;
}

/// All of \p Dtor is in view and some member is given back there; or another file of the same run
/// has it, where what the device's API gives back is known.
bool OwnershipFinder::givesOthers(const CXXDestructorDecl &Dtor, const RecordKey &Key) const {
  const std::set<std::string> &Open = Elsewhere.at(Dtor.getParent()).Open;
  if (!Dtor.isDefined())
    return !Open.count(Dtor.getNameAsString()) && isSeenElsewhere(Dtor);
  const FunctionResources *Body = U.find(Dtor);
  return Body && !Body->HasErrors && !Body->Summary.ReleasesAll &&
         Uses.GivenBy.count(Body->Facts.Function) && !Uses.mayReach(*Body->Facts.Function, Key);
}

/// Not all methods are in view, but the destructor is: it gives back other members and passes this
/// one by. Who calls what another file may have for it is not seen.
bool OwnershipFinder::isPassedBy(ForgottenResource &Out) const {
  const auto *Class = dyn_cast<CXXRecordDecl>(Out.Key.Owner);
  if (!Class || takenBy(Out) != Class->getDefinition() || Uses.HandedOn.count(Out.Key))
    return false;
  const CXXDestructorDecl *Dtor = Class->getDestructor();
  if (!Dtor || !Dtor->isUserProvided() || !givesOthers(*Dtor, Out.Key))
    return false;
  Out.Why = ForgottenResource::NoDestructor;
  Out.Where = Dtor;
  Out.WhereName = Dtor->getNameAsString();
  return true;
}

static bool isPublic(const ValueDecl *Member) {
  return Member->getAccess() != AS_private && Member->getAccess() != AS_protected;
}

bool OwnershipFinder::hasNoDestructor(ForgottenResource &Out) const {
  const auto *Class = dyn_cast<CXXRecordDecl>(Out.Key.Owner);
  const CXXRecordDecl *Taker = takenBy(Out);
  if (!Taker || !areMethodsSeen(*Class, Out.Key) || !areMethodsSeen(*Taker, Out.Key))
    return false;
  const CXXDestructorDecl *Dtor = Taker->getDestructor();
  const std::set<std::string> &Open = Elsewhere.at(Out.Key.Owner).Open;
  if (Dtor && Open.count(Dtor->getNameAsString()))
    return false;
  const FunctionDecl *Body = Dtor && Dtor->isUserProvided() ? Dtor->getDefinition() : nullptr;
  const bool NonePublic = llvm::none_of(Out.Key.Chain, isPublic);
  const bool IsReached = Body && Uses.mayReach(*Body, Out.Key);
  if (IsReached && (!NonePublic || Uses.isHandedOut(Out.Key) || Uses.handsItself(*Body)))
    return false; // others give it back
  const FunctionResources *End = Body ? U.find(*Body) : nullptr;
  if (End && (letsGoOf(*End, Out.Key) || End->Summary.ReleasesAll))
    return false; // `~Scope() { queue.end(event); }`
  Out.Why = ForgottenResource::NoDestructor;
  Out.Where = Dtor && Dtor->isUserProvided() ? Dtor : nullptr;
  Out.WhereName = Out.Where ? Out.Where->getNameAsString() : "";
  // Others cannot free what they cannot see; a global object need not be freed.
  Out.Sure = NonePublic && !IsReached && !handsItself(*Class) && Open.empty() &&
             !Uses.GlobalObjects.count(Class) &&
             (familyOf(Out.Key) != Family::Event || anyGiven(Family::Event));
  return true;
}

/// No other file can name it, or none would: nothing declares it for others. What another file of
/// the project gives back all the same is known before (see askOthers()).
static bool isOfThisFile(const VarDecl &V) {
  return !V.isExternallyVisible() || llvm::all_of(V.redecls(), [](const VarDecl *D) {
    return isInMainFile(*D) && D->getStorageClass() != SC_Extern;
  });
}

bool OwnershipFinder::isForgottenGlobal(ForgottenResource &Out) const {
  const auto *V = dyn_cast<VarDecl>(Out.Key.Owner);
  if (!V || !isInMainFile(*V))
    return false; // a header's variable belongs to other files as well
  bool IsOurs = isOfThisFile(*V) && !Uses.HandedOn.count(Out.Key) && !Uses.ReachedByOthers.count(V);
  Out.EachCall = IsOurs && isTakenByEachCall(*Out.In, Out.Site);
  Out.EachThread = V->getTLSKind() != VarDecl::TLS_None && isNowhereGiven(U, familyOf(Out.Key));
  if (Out.EachThread)
    return true;
  const bool IsOne = Out.In->Facts.Paths.last(Out.Holder).What != Step::Elem;
  if (V->isStaticLocal() && IsOne && !Out.EachCall) // a list of them grows
    return false;
  bool OthersAreFreed = llvm::any_of(Given, [&](const RecordKey &K) {
    return K.Chain.empty() && Uses.Takes.count(K) && familyOf(K) == familyOf(Out.Key);
  });
  // A library's handle usually lives as long as the program, where not each call makes another.
  bool IsMemory = infoOf(familyOf(Out.Key)).IsMemory;
  bool EndsHere = U.hasMain() || (IsOurs && isTakenAlways(*Out.In, Out.Site));
  if (!OthersAreFreed && !Out.EachCall && !(EndsHere && IsMemory))
    return false;
  Out.Why = ForgottenResource::Global;
  return true;
}

/// Given to a call that refuses it, or only a part of it. What other files put there may be what
/// that call is for.
bool OwnershipFinder::isGivenBadly(ForgottenResource &Out) const {
  auto Is = [&](const std::map<RecordKey, HolderUse> &Gifts, ForgottenResource::WhyKind Why) {
    auto Gift = Gifts.find(Out.Key);
    if (Gift == Gifts.end())
      return false;
    Out.Why = Why;
    Out.At = Gift->second.At;
    Out.Sure = !Uses.HandedOn.count(Out.Key) && !Uses.FilledOtherwise.count(Out.Key);
    return true;
  };
  return Is(Uses.Misgiven, ForgottenResource::Misgiven) ||
         Is(Uses.GivenInPart, ForgottenResource::InPart);
}

bool OwnershipFinder::takesOthersElsewhere(const RecordKey &Key) const {
  const auto &Taken = Elsewhere.at(Key.Owner).Taken;
  auto There = Taken.find(Key.text());
  return There != Taken.end() &&
         llvm::any_of(There->second, [&](Family What) { return What != familyOf(Key); });
}

std::optional<ForgottenResource> OwnershipFinder::judge(const RecordKey &Key,
                                                        const RecordTake &T) const {
  ForgottenResource Out{
      ForgottenResource::Global, Key, T.In, T.Site, T.Holder, nullptr, "", {}, false};
  // What a callee takes and this function hands on may be freed elsewhere too.
  bool IsHandedOn = T.In->Facts.Sites[T.Site].OfCallee;
  if (isGivenBadly(Out))
    return takesOthersElsewhere(Key) ? std::nullopt : std::optional(Out);
  bool Found = !IsHandedOn && goesWithThread(Uses, Out);
  if (!Found)
    Found = Key.Chain.empty() ? !IsHandedOn && isForgottenGlobal(Out)
                              : findFreeFunction(Out) ||
                                    (!IsHandedOn && (hasNoDestructor(Out) || isPassedBy(Out) ||
                                                     goesWithRecord(U, Uses, Out)));
  return Found ? std::optional(Out) : std::nullopt;
}

/// Nothing that the compiler has not understood mentions it.
bool OwnershipFinder::isAllSeen(const RecordKey &Key) const {
  bool HereToo =
      llvm::none_of(Key.Chain, [&](const ValueDecl *D) { return Uses.NotAllSeen.count(D); });
  return HereToo && (Key.Chain.empty() || !Elsewhere.at(Key.Owner).NotAllSeen.count(
                                              Key.Chain.front()->getNameAsString()));
}

/// Nothing gives it back, or a method of its class makes room for more and no more than that.
bool OwnershipFinder::isForgotten(const RecordKey &Key) const {
  const bool Ends = !Key.Chain.empty() || isOfThread(Key.Owner);
  return !Given.count(Key) ||
         (Ends && Uses.isOnlyReplaced(Key) && !Elsewhere.at(Key.Owner).Given.count(Key.text()));
}

/// Where the file takes it for the object itself; what calls that is no other place.
static std::vector<RecordTake> placesOf(const std::vector<RecordTake> &All) {
  std::vector<RecordTake> Own;
  llvm::copy_if(All, std::back_inserter(Own), [](const RecordTake &T) {
    return T.In->Facts.Sites[T.Site].Inner.isInvalid(); // else in a callee
  });
  return Own.empty() ? All : Own;
}

std::vector<ForgottenResource> OwnershipFinder::run() {
  askOthers();
  std::vector<ForgottenResource> Out;
  for (const auto &[Key, Each] : Uses.Takes)
    if (isForgotten(Key) && !isOfCleaningMember(Key))
      for (const RecordTake &T : placesOf(Each))
        if (!reportedInside(*T.In, T.Site) && (!Uses.GivenInPart.count(Key) || Uses.isLeft(Key, T)))
          if (auto Found = judge(Key, T))
            Out.push_back(std::move(*Found));
  for (ForgottenResource &R : Out)
    R.Sure &= isAllSeen(R.Key);
  return Out;
}

} // namespace

std::vector<ForgottenResource> findForgotten(const ResourceUnit &U, const RecordUses &Uses,
                                             Imports &Others) {
  return OwnershipFinder(U, Uses, Others).run();
}

} // namespace tensorleak
