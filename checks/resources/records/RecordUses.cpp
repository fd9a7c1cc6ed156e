//===-- RecordUses.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/records/RecordUses.h"

#include "checks/source/Functions.h"

using namespace clang;

namespace tensorleak {

std::optional<RecordKey> keyOf(const ResourceFacts &Facts, PathId P) {
  RecordKey Key;
  for (; Facts.Paths.last(P).What != Step::Root; P = Facts.Paths.parent(P)) {
    const Step &Last = Facts.Paths.last(P);
    if (Last.What == Step::Star && Key.Chain.empty())
      return std::nullopt;
    if (Last.What == Step::Star)
      break;
    if (Last.What == Step::Field)
      Key.Chain.insert(Key.Chain.begin(), Last.Decl);
  }
  if (!Key.Chain.empty()) {
    Key.Owner = cast<FieldDecl>(Key.Chain.front())->getParent();
    return Key;
  }
  const auto *V = dyn_cast_or_null<VarDecl>(Facts.Paths.last(P).Decl);
  if (Facts.Paths.last(P).What != Step::Root || !V || !V->hasGlobalStorage())
    return std::nullopt;
  Key.Owner = V;
  return Key;
}

std::string RecordKey::text() const {
  std::string Text;
  for (const ValueDecl *D : Chain)
    Text += (Text.empty() ? "" : ".") + D->getNameAsString();
  return Text;
}

void RecordUses::give(const RecordKey &Key, const FunctionDecl *By) {
  Given.insert(Key);
  if (!GivenBy.count(By))
    Order.push_back(By);
  GivenBy[By].insert(Key);
}

void RecordUses::collectTakes(const FunctionResources &F) {
  KeysOfSite.clear();
  for (const HolderUse &Use : F.Taken)
    if (auto Key = keyOf(F.Facts, Use.Path);
        Key && F.Facts.Sites[*Use.Site].What != Family::Record) {
      KeysOfSite[*Use.Site].push_back(*Key);
      Takes[*Key].push_back({&F, *Use.Site, Use.Path});
      TakenIn[F.Facts.Function].insert(Key->Owner);
    }
  for (const auto &[Site, Keys] : KeysOfSite)
    if (Keys.size() > 1)
      Shared.push_back(Keys);
  for (const HolderUse &Use : F.TakenByCallee)
    if (auto Key = keyOf(F.Facts, Use.Path))
      KeysOfSite[*Use.Site].push_back(*Key);
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

/// \p F takes it at \p Site for its caller, whenever nothing fails.
static bool isLeftBehind(const FunctionResources &F, SiteId Site) {
  return !F.Facts.Function->isMain() &&
         llvm::any_of(F.Summary.Takes, [&](const ResourceSummary::Taken &T) {
           return T.Site == Site && !T.Maybe && !F.Facts.Sites[Site].OfCallee;
         });
}

void RecordUses::collect(const FunctionResources &F) {
  const FunctionDecl *Function = F.Facts.Function;
  collectTakes(F);
  collectRotations(F);
  for (const auto *Uses : {&F.Released, &F.MaybeReleased})
    for (const HolderUse &Use : *Uses) {
      if (Use.Site && isLeftBehind(F, *Use.Site)) {
        continue; // an error's way out cleans up; on the others the member keeps it
      } else if (Use.Site) {
        for (const RecordKey &Key : KeysOfSite[*Use.Site])
          Given.insert(Key);
      } else if (auto Key = keyOf(F.Facts, Use.Path)) {
        if (Uses == &F.Released)
          give(*Key, Function);
        else
          Given.insert(*Key);
      }
    }
  for (const HolderUse &Use : F.HandedOn)
    if (Use.Site)
      HandedOn.insert(KeysOfSite[*Use.Site].begin(), KeysOfSite[*Use.Site].end());
    else if (auto Key = keyOf(F.Facts, Use.Path))
      HandedOn.insert(*Key);
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
  if (llvm::any_of(F.SeenByOthers, [&](PathId P) { return !F.Facts.isOwnStorage(P); }))
    Incomplete.insert(Function);
}

bool RecordUses::refills(const FunctionDecl &F, const NamedDecl &Owner) const {
  auto Taken = TakenIn.find(&F);
  return Taken != TakenIn.end() && Taken->second.count(&Owner);
}

RecordUses::RecordUses(const ResourceUnit &U) {
  for (const auto &F : U.functions())
    collect(*F);
  for (const std::set<RecordKey> &Keys : Rotated)
    if (llvm::any_of(Keys, [&](const RecordKey &K) { return Given.count(K) > 0; }) &&
        !areTakenTogether(Keys)) // what one held may be in the other when that is given back
      Given.insert(Keys.begin(), Keys.end());
  for (const std::vector<RecordKey> &Keys : Shared)
    if (llvm::any_of(Keys, [&](const RecordKey &K) { return Given.count(K) > 0; }))
      Given.insert(Keys.begin(), Keys.end());
}

} // namespace tensorleak
