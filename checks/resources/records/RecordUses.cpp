//===-- RecordUses.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/records/RecordUses.h"

#include "checks/resources/records/Takes.h"
#include "checks/source/Expressions.h"
#include "checks/source/Functions.h"
#include "checks/source/Statements.h"
#include "checks/source/UserCode.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace tensorleak {

void RecordUses::addGiven(const RecordKey &Key) {
  Given.insert(Key);
  for (RecordKey &Within : keysWithin(Key))
    GivenWithin.insert(std::move(Within));
}

void RecordUses::give(const RecordKey &Key, const FunctionDecl *By) {
  if (!GivenBy.count(By))
    Order.push_back(By);
  GivenBy[By].insert(Key);
  for (RecordKey &Within : keysWithin(Key))
    GivenWithinBy[By].insert(std::move(Within));
  addGiven(Key);
}

/// It may be given back at \p At, by whoever has got it.
void RecordUses::believe(const RecordKey &Key, const Stmt *At) {
  Believed[Key].push_back(At);
  addGiven(Key);
}

/// What a record of this function's own holds is not shared with where that is copied: the next
/// copy of such a record may be another's.
void RecordUses::addTakenByCallee(const FunctionResources &F, bool InLocals) {
  for (const HolderUse &Use : F.TakenByCallee)
    if (auto Key = keyOf(F.Facts, Use.Path); Key && F.Facts.isOwnStorage(Use.Path) == InLocals) {
      KeysOfSite[*Use.Site].push_back(*Key);
      TakesByCallee.push_back({*Key, {&F, *Use.Site, Use.Path}});
    }
}

void RecordUses::collectTakes(const FunctionResources &F) {
  KeysOfSite.clear();
  auto IsLent = [&](const HolderUse &Use) { // to `Timer t(stream.get());` by `Stream stream;`
    return F.Facts.Sites[*Use.Site].OfCallee && F.Facts.isOwnStorage(Use.Path) &&
           llvm::any_of(F.Released, [&](const HolderUse &R) { return R.Site == Use.Site; });
  };
  for (const HolderUse &Use : F.Taken)
    if (auto Key = keyOf(F.Facts, Use.Path);
        Key && F.Facts.Sites[*Use.Site].What != Family::Record && !IsLent(Use)) {
      KeysOfSite[*Use.Site].push_back(*Key);
      Takes[*Key].push_back({&F, *Use.Site, Use.Path});
      TakenIn[F.Facts.Function].insert(Key->Owner);
    }
  addTakenByCallee(F, /*InLocals=*/false);
  for (const auto &[Site, Keys] : KeysOfSite) {
    if (Keys.size() > 1 && !F.Facts.Sites[Site].IntoNamed) // else each has its own
      Shared.push_back(Keys);
    for (const RecordKey &Key : Keys)
      for (RecordKey &Within : keysWithin(Key))
        if (llvm::is_contained(Keys, Within))
          Parts.insert(std::move(Within));
  }
  addTakenByCallee(F, /*InLocals=*/true);
}

void RecordUses::collectRotations(const FunctionResources &F) {
  for (const std::vector<PathId> &Places : F.Rotated) {
    std::set<RecordKey> Keys;
    for (PathId P : Places)
      if (auto Key = keyOf(F.Facts, P))
        Keys.insert(*Key);
    Rotated.push_back(std::move(Keys));
  }
}

/// A call that is sure to fail or to do harm: of the host for memory of the device's library, or
/// one for pinned memory where it is the device's, and the other way round; or any that frees
/// memory where it is no memory, such as an event.
static bool isRefusedBy(const Site &S, FamilySet Accepts) {
  constexpr FamilySet Pinned = only(Family::Pinned) | only(Family::DriverPinned);
  constexpr FamilySet Device = deviceMemory();
  if (S.Attached || S.Also || S.SomeWays || infoOf(S.What).IsHost || S.What == Family::Owner)
    return false;
  FamilySet What = only(S.What), Others = Pinned | Device;
  if (What & Others)
    Others = What & Pinned ? Device : Pinned;
  return !(Accepts & ~(hostFamilies() | Others));
}

/// All that the file puts there is refused.
bool RecordUses::isMisgiven(const RecordKey &Key, const HolderUse &Use) const {
  auto Taken = Takes.find(Key);
  return Taken != Takes.end() && llvm::all_of(Taken->second, [&](const RecordTake &T) {
           return isRefusedBy(T.In->Facts.Sites[T.Site], Use.Accepts);
         });
}

/// `resize(0)`, `set(nullptr)`.
static bool isGivenNothing(const Stmt &At, const ASTContext &Context) {
  const auto *Call = dyn_cast<CallExpr>(&At);
  return !Call || llvm::any_of(Call->arguments(), [&](const Expr *Arg) {
    Expr::EvalResult R;
    bool IsKnown = !Arg->isValueDependent() && Arg->EvaluateAsRValue(R, Context);
    return IsKnown &&
           ((R.Val.isLValue() && R.Val.isNullPointer()) || (R.Val.isInt() && R.Val.getInt() == 0));
  });
}

/// Where a call that gives back what an earlier one took there takes the next; none: it does not.
static PathId replacedAt(const FunctionResources &F, const HolderUse &Use, const RecordKey &Key) {
  if (Use.ByCallee)
    for (const auto *Uses : {&F.Taken, &F.TakenByCallee})
      for (const HolderUse &Taken : *Uses)
        if (Taken.At == Use.At && keyOf(F.Facts, Taken.Path) == Key)
          return Taken.Path;
  return NoPath;
}

bool RecordUses::replaces(const Release &R) const {
  if (isa<CXXDestructorDecl>(R.By))
    return false;
  if (R.Use.ByCallee)
    return replacedAt(*R.In, R.Use, R.Key) != NoPath &&
           !isGivenNothing(*R.Use.At, R.By->getASTContext());
  return llvm::any_of(Takes.at(R.Key),
                      [&](const RecordTake &T) { return T.In->Facts.Function == R.By; });
}

bool RecordUses::leavesEmpty(const FunctionDecl &F, const RecordKey &Key,
                             const FunctionDecl &But) const {
  const auto Gives = GivenBy.find(&F);
  auto IsHere = [&](const Release &R) { return R.By == &F && R.Key == Key; };
  auto IsByBut = [&](const Release &R) {
    return R.Use.ByCallee && R.Use.At && isCallOf(*R.Use.At, But);
  };
  return Gives != GivenBy.end() && Gives->second.count(Key) &&
         (llvm::none_of(Releases, IsHere) || llvm::any_of(Releases, [&](const Release &R) {
            return IsHere(R) && !replaces(R) && !IsByBut(R);
          }));
}

bool RecordUses::isOnlyReplaced(const RecordKey &Key) const {
  if (!Takes.count(Key) || Believed.count(Key) || GivenWithin.count(Key) || isShared(Key))
    return false;
  auto IsOfKey = [&](const Release &R) { return R.Key == Key && !isMisgiven(Key, R.Use); };
  return llvm::any_of(Releases, IsOfKey) &&
         llvm::all_of(Releases, [&](const Release &R) { return !IsOfKey(R) || replaces(R); });
}

bool RecordUses::isShared(const RecordKey &Key) const {
  const auto Parts = keysWithin(Key); // the record that is copied there
  return llvm::any_of(Shared, [&](const auto &Keys) {
    return llvm::is_contained(Keys, Key) && llvm::any_of(Keys, [&](const RecordKey &Other) {
             return !(Other == Key) && !llvm::is_contained(Parts, Other);
           });
  });
}

void RecordUses::settleReleases() {
  for (const Release &R : Releases)
    if (isMisgiven(R.Key, R.Use))
      Misgiven.try_emplace(R.Key, R.Use);
    else if (areOthersLeft(R.Key))
      GivenInPart.try_emplace(R.Key, R.Use);
    else
      give(R.Key, R.By);
}

/// The file makes the array itself, `buffers = (float **)malloc(...)`, and keeps it there.
bool RecordUses::isOwnList(const RecordKey &Key) const {
  const RecordKey List{Key.Owner, Key.Chain};
  auto Made = Takes.find(List);
  return Made != Takes.end() && !HandedOn.count(List) && !Believed.count(List) && !isShared(List) &&
         llvm::all_of(Made->second, [](const RecordTake &T) { return infoOf(T.what()).IsHost; }) &&
         llvm::none_of(Rotated, [&](const auto &Places) { return Places.count(List) > 0; });
}

/// Of elements in an array of somebody else's nothing is known.
void RecordUses::dropElementsOfOthers() {
  for (auto It = Takes.begin(); It != Takes.end();)
    It = It->first.IsBehind && !isOwnList(It->first) ? Takes.erase(It) : std::next(It);
}

/// Some function fills all: as many of them hold something as it says.
bool RecordUses::areTakenTogether(const std::set<RecordKey> &Keys) const {
  std::set<const FunctionResources *> Takers;
  for (const RecordKey &Key : Keys) {
    std::set<const FunctionResources *> Here;
    if (auto Taken = Takes.find(Key); Taken != Takes.end())
      for (const RecordTake &T : Taken->second)
        Here.insert(T.In);
    if (&Key == &*Keys.begin())
      Takers = std::move(Here);
    else
      for (auto It = Takers.begin(); It != Takers.end();)
        It = Here.count(*It) ? std::next(It) : Takers.erase(It);
  }
  return !Takers.empty();
}

/// `start(&p.s); ...; stop(p.s);`: not only on the way out of an error, which may stand behind
/// the `return`, too.
static bool isGivenAnyway(const FunctionResources &F, const HolderUse &Use) {
  const Stmt *Body = F.Facts.Function->getBody();
  if (!Use.At)
    return false;
  const SourceManager &Sources = F.Facts.Function->getASTContext().getSourceManager();
  const auto Ways = waysTo(*F.Facts.Sites[*Use.Site].Call, Body);
  return waysTo(*Use.At, Body) == Ways && !anyBelow(Body, [&](const Stmt &S) {
           return isa<ReturnStmt>(S) &&
                  Sources.isBeforeInTranslationUnit(S.getBeginLoc(), Use.At->getBeginLoc()) &&
                  waysTo(S, Body) == Ways;
         });
}

/// `if (failed) free(c.p); ...; all.push_back(c);`: what goes on from there keeps it.
static bool isKeptBehind(const FunctionResources &F, const HolderUse &Given) {
  const Stmt *Body = F.Facts.Function->getBody();
  const SourceManager &Sources = F.Facts.Function->getASTContext().getSourceManager();
  const auto Ways = waysTo(*F.Facts.Sites[*Given.Site].Call, Body);
  return Given.At && llvm::any_of(F.Taken, [&](const HolderUse &Use) {
           return Use.Site == Given.Site && Use.At && !F.Facts.isOwnStorage(Use.Path) &&
                  Sources.isBeforeInTranslationUnit(Given.At->getBeginLoc(),
                                                    Use.At->getBeginLoc()) &&
                  waysTo(*Use.At, Body) == Ways;
         });
}

/// \p F takes for its caller what \p Given gives back, whenever nothing fails and it needs one.
static bool isLeftBehind(const FunctionResources &F, const HolderUse &Given) {
  return !F.Facts.Function->isMain() && !F.Facts.Sites[*Given.Site].OfCallee &&
         llvm::any_of(F.Summary.Takes, [&](const ResourceSummary::Taken &T) {
           return T.Site == *Given.Site && (!T.Maybe || isKeptBehind(F, Given));
         });
}

/// At the end of a scope, or by `delete`: what the destructor gives back is read off itself.
static bool isDoneByDestructor(const HolderUse &Use) {
  return Use.ByCallee && !isa<CallExpr, CXXConstructExpr>(Use.At);
}

/// What this function has taken itself, into a record, is given back.
void RecordUses::addReleaseOf(const FunctionResources &F, const HolderUse &Use) {
  for (const RecordKey &Key : KeysOfSite[*Use.Site]) {
    HolderUse There = Use;
    There.Path = replacedAt(F, Use, Key);
    if (There.Path != NoPath)
      Releases.push_back({Key, F.Facts.Function, There, &F});
    else if (!isCallees(Use, Key))
      believe(Key, Use.At);
  }
}

void RecordUses::collectReleases(const FunctionResources &F) {
  for (const auto *Uses : {&F.Released, &F.MaybeReleased})
    for (const HolderUse &Use : *Uses) {
      const bool IsError = Use.Site && isLeftBehind(F, Use) && !isGivenAnyway(F, Use);
      if (Use.Site && (IsError || isDoneByDestructor(Use))) {
        continue; // an error's way out cleans up; on the others the member keeps it
      } else if (Use.Site) {
        addReleaseOf(F, Use);
      } else if (auto Key = keyOf(F.Facts, Use.Path)) {
        if (Uses == &F.Released)
          Releases.push_back({*Key, F.Facts.Function, Use, &F});
        else
          believe(*Key, Use.At);
      }
    }
}

void RecordUses::handOn(const FunctionResources &F, const HolderUse &Use) {
  if (isNamedHere(F, Use))
    return;
  std::set<RecordKey> Keys;
  if (Use.Site)
    Keys.insert(KeysOfSite[*Use.Site].begin(), KeysOfSite[*Use.Site].end());
  else if (auto Key = keyOf(F.Facts, Use.Path))
    Keys.insert(*Key);
  HandedOn.insert(Keys.begin(), Keys.end());
  if (!isa_and_nonnull<ReturnStmt>(Use.At))
    HandedToOthers.insert(Keys.begin(), Keys.end());
}

void RecordUses::collect(const FunctionResources &F) {
  const FunctionDecl *Function = F.Facts.Function;
  collectTakes(F);
  collectReleases(F);
  collectRotations(F);
  for (const HolderUse &Use : F.Overwritten)
    if (auto Key = keyOf(F.Facts, Use.Path); Key && !isTakenAt(F.Taken, Use))
      FilledOtherwise.insert(*Key);
  for (const HolderUse &Use : F.HandedOn)
    handOn(F, Use);
  for (PathId P = 0; P < F.Facts.Paths.size(); ++P)
    if (const auto *V = dyn_cast_or_null<VarDecl>(F.Facts.Paths.last(P).Decl);
        V && V->hasGlobalStorage())
      if (const auto *Class = V->getType()->getAsCXXRecordDecl())
        GlobalObjects.insert(Class->getDefinition());
  if (F.HasErrors)
    for (const ValueDecl *D : reachOf(*Function).Shared)
      NotAllSeen.insert(D);
  for (PathId P : F.SeenByOthers)
    ReachedByOthers.insert(F.Facts.Paths.variable(P));
  collectHandedObjects(F);
}

bool RecordUses::refills(const FunctionDecl &F, const NamedDecl &Owner) const {
  auto Taken = TakenIn.find(&F);
  return Taken != TakenIn.end() && Taken->second.count(&Owner);
}

RecordUses::RecordUses(const ResourceUnit &U) : Unit(U) {
  for (const auto &F : U.functions())
    collect(*F);
  for (const auto &F : U.functions())
    addMoved(*F);
  settleReleases();
  dropElementsOfOthers();
  for (const std::set<RecordKey> &Keys : Rotated)
    if (llvm::any_of(Keys, [&](const RecordKey &K) { return Given.count(K) > 0; }) &&
        !areTakenTogether(Keys)) // what one held may be in the other when that is given back
      Given.insert(Keys.begin(), Keys.end());
  for (const std::vector<RecordKey> &Keys : Shared)
    if (llvm::any_of(Keys, [&](const RecordKey &K) { return Given.count(K) > 0; }))
      Given.insert(Keys.begin(), Keys.end());
}

} // namespace tensorleak
