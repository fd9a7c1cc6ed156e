//===-- RecordOwnership.cpp -----------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/analysis/resources/RecordOwnership.h"

#include "checks/analysis/Functions.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace tensorleak {
namespace {

/// Nothing for a local variable and for memory behind a pointer.
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

struct Take {
  const FunctionResources *In;
  SiteId Site;
  PathId Holder;
};

class Finder {
public:
  explicit Finder(const ResourceUnit &U) : U(U) {}
  std::vector<ForgottenResource> run();

private:
  void collect(const FunctionResources &F);
  void give(const RecordKey &Key, const FunctionDecl *By);
  bool reportedInside(const FunctionResources &F, SiteId Site) const;
  std::optional<ForgottenResource> judge(const RecordKey &Key, const Take &T) const;
  Family familyOf(const RecordKey &Key) const;
  bool anyGiven(Family What) const;
  std::vector<RecordKey> siblingsIn(const FunctionDecl *G, const RecordKey &Key) const;
  bool findFreeFunction(ForgottenResource &Out) const;
  bool hasNoDestructor(ForgottenResource &Out) const;
  bool isForgottenGlobal(ForgottenResource &Out) const;
  unsigned missingBeside(const RecordKey &Key) const;

  const ResourceUnit &U;
  std::map<RecordKey, std::vector<Take>> Takes;
  std::set<RecordKey> Given;
  std::vector<std::vector<RecordKey>> Shared; ///< members that hold the same resource
  std::vector<const FunctionDecl *> Order; ///< functions that give something, callees first
  std::map<const FunctionDecl *, std::set<RecordKey>> GivenBy;
  std::map<const FunctionDecl *, std::set<const NamedDecl *>> TakenIn; ///< owners
  llvm::DenseSet<const ValueDecl *> NotAllSeen; ///< used by functions with errors
  std::set<const CXXRecordDecl *> GlobalObjects; ///< classes with a static or global object
  std::set<const FunctionDecl *> Incomplete; ///< they hand whole objects to unseen code
};

void Finder::give(const RecordKey &Key, const FunctionDecl *By) {
  Given.insert(Key);
  if (!GivenBy.count(By))
    Order.push_back(By);
  GivenBy[By].insert(Key);
}

void Finder::collect(const FunctionResources &F) {
  std::map<SiteId, std::vector<RecordKey>> KeysOfSite;
  const FunctionDecl *Function = F.Facts.Function;
  for (const HolderUse &Use : F.Taken)
    if (auto Key = keyOf(F.Facts, Use.Path)) {
      KeysOfSite[*Use.Site].push_back(*Key);
      Takes[*Key].push_back({&F, *Use.Site, Use.Path});
      TakenIn[Function].insert(Key->Owner);
    }
  for (const auto *Uses : {&F.Released, &F.MaybeReleased})
    for (const HolderUse &Use : *Uses) {
      if (Use.Site) {
        for (const RecordKey &Key : KeysOfSite[*Use.Site])
          Given.insert(Key);
      } else if (auto Key = keyOf(F.Facts, Use.Path)) {
        if (Uses == &F.Released)
          give(*Key, Function);
        else
          Given.insert(*Key);
      }
    }
  for (const auto &[Site, Keys] : KeysOfSite)
    if (Keys.size() > 1)
      Shared.push_back(Keys);
  for (PathId P = 0; P < F.Facts.Paths.size(); ++P)
    if (const auto *V = dyn_cast_or_null<VarDecl>(F.Facts.Paths.last(P).Decl);
        V && V->hasGlobalStorage())
      if (const auto *Class = V->getType()->getAsCXXRecordDecl())
        GlobalObjects.insert(Class->getDefinition());
  if (F.HasErrors)
    for (const ValueDecl *D : reachOf(*Function).Shared)
      NotAllSeen.insert(D);
  if (llvm::any_of(F.SeenByOthers, [&](PathId P) { return !F.Facts.isOwnStorage(P); }))
    Incomplete.insert(Function);
}

/// A member object with a destructor of its own gives back what it holds, or it is its
/// class that forgets.
static bool isOfCleaningMember(const RecordKey &Key) {
  return llvm::any_of(llvm::ArrayRef(Key.Chain).drop_back(!Key.Chain.empty()), [](const ValueDecl *D) {
    const auto *Class = D->getType()->getAsCXXRecordDecl();
    return Class && Class->hasDefinition() && Class->hasUserDeclaredDestructor();
  });
}

/// Said already, where the function itself loses it.
bool Finder::reportedInside(const FunctionResources &F, SiteId Site) const {
  return llvm::any_of(F.Lost, [&](const LostResource &L) {
    return L.Site == Site && L.How != LostResource::Regrown;
  });
}

unsigned Finder::missingBeside(const RecordKey &Key) const {
  return llvm::count_if(Takes, [&](const auto &Entry) {
    return Entry.first.Owner == Key.Owner && !Given.count(Entry.first);
  });
}

Family Finder::familyOf(const RecordKey &Key) const {
  const Take &T = Takes.at(Key).front();
  return T.In->Facts.Sites[T.Site].What;
}

bool Finder::anyGiven(Family What) const {
  return llvm::any_of(Given, [&](const RecordKey &K) { return Takes.count(K) && familyOf(K) == What; });
}

/// What \p G gives back beside \p Key: as much like it as there is.
std::vector<RecordKey> Finder::siblingsIn(const FunctionDecl *G, const RecordKey &Key) const {
  std::vector<RecordKey> Out;
  auto TakesToo = TakenIn.find(G);
  if (TakesToo != TakenIn.end() && TakesToo->second.count(Key.Owner))
    return Out; // it makes room for something new, and frees only that
  for (const RecordKey &Sibling : GivenBy.at(G))
    if (Sibling.Owner == Key.Owner && Takes.count(Sibling) && infoOf(familyOf(Sibling)).IsHost == infoOf(familyOf(Key)).IsHost)
      Out.push_back(Sibling);
  return Out;
}

/// The destructor or free function that gives back most of what lies beside it.
bool Finder::findFreeFunction(ForgottenResource &Out) const {
  for (const FunctionDecl *G : Order) {
    std::vector<RecordKey> Siblings = siblingsIn(G, Out.Key);
    if (Siblings.size() <= Out.Siblings.size())
      continue;
    Out.Siblings = std::move(Siblings);
    Out.Where = G;
  }
  if (!Out.Where)
    return false;
  Out.Why = ForgottenResource::FreeFunction;
  Out.Sure = Out.Siblings.size() >= missingBeside(Out.Key) && !Incomplete.count(Out.Where) &&
             (familyOf(Out.Key) != Family::Event || anyGiven(Family::Event));
  return true;
}

static bool allMethodsSeen(const CXXRecordDecl &Class) {
  return llvm::all_of(Class.methods(), [](const CXXMethodDecl *M) {
    return M->isImplicit() || M->isDefaulted() || M->isDeleted() || M->isDefined();
  });
}

bool Finder::hasNoDestructor(ForgottenResource &Out) const {
  const auto *Class = dyn_cast<CXXRecordDecl>(Out.Key.Owner);
  const auto *Method = dyn_cast<CXXMethodDecl>(Out.In->Facts.Function);
  bool TakenByItself = Class && Method && Method->getParent() == Class->getDefinition() &&
                       !Out.In->Facts.Paths.variable(Out.Holder);
  if (!TakenByItself || !allMethodsSeen(*Class))
    return false;
  const CXXDestructorDecl *Dtor = Class->getDestructor();
  bool DtorFreesElsewhere = Dtor && Dtor->isUserProvided() && llvm::any_of(Incomplete, [&](const FunctionDecl *F) {
    return F->getCanonicalDecl() == Dtor->getCanonicalDecl();
  });
  if (DtorFreesElsewhere)
    return false;
  Out.Why = ForgottenResource::NoDestructor;
  Out.Where = Dtor && Dtor->isUserProvided() ? Dtor : nullptr;
  bool NonePublic = llvm::all_of(Out.Key.Chain, [](const ValueDecl *D) {
    return D->getAccess() == AS_private || D->getAccess() == AS_protected;
  });
  // Others cannot free what they cannot see; a global object need not be freed.
  Out.Sure = NonePublic && !GlobalObjects.count(Class) &&
             (familyOf(Out.Key) != Family::Event || anyGiven(Family::Event));
  return true;
}

bool Finder::isForgottenGlobal(ForgottenResource &Out) const {
  const auto *V = dyn_cast<VarDecl>(Out.Key.Owner);
  const SourceManager &Sources = Out.In->Facts.Function->getASTContext().getSourceManager();
  if (!V || V->isStaticLocal() || !Sources.isInMainFile(Sources.getExpansionLoc(V->getLocation())))
    return false; // a header's variable belongs to other files as well
  bool OthersAreFreed = llvm::any_of(Given, [&](const RecordKey &K) {
    return K.Chain.empty() && Takes.count(K) && familyOf(K) == familyOf(Out.Key);
  });
  // A library's handle usually lives as long as the program.
  bool IsMemory = infoOf(familyOf(Out.Key)).IsMemory;
  if (!OthersAreFreed && !(U.hasMain() && IsMemory))
    return false;
  Out.Why = ForgottenResource::Global;
  return true;
}

std::optional<ForgottenResource> Finder::judge(const RecordKey &Key, const Take &T) const {
  ForgottenResource Out{ForgottenResource::Global, Key, T.In, T.Site, T.Holder, nullptr, {}, false};
  // What a callee takes and this function hands on may be freed elsewhere too.
  bool IsHandedOn = T.In->Facts.Sites[T.Site].OfCallee;
  bool Found = Key.Chain.empty() ? !IsHandedOn && isForgottenGlobal(Out)
                                 : findFreeFunction(Out) || (!IsHandedOn && hasNoDestructor(Out));
  return Found ? std::optional(Out) : std::nullopt;
}

std::vector<ForgottenResource> Finder::run() {
  for (const auto &F : U.functions())
    collect(*F);
  for (const std::vector<RecordKey> &Keys : Shared)
    if (llvm::any_of(Keys, [&](const RecordKey &K) { return Given.count(K) > 0; }))
      Given.insert(Keys.begin(), Keys.end());
  std::vector<ForgottenResource> Out;
  for (const auto &[Key, Each] : Takes)
    if (!Given.count(Key) && !isOfCleaningMember(Key))
      for (const Take &T : Each)
        if (!reportedInside(*T.In, T.Site))
          if (auto Found = judge(Key, T))
            Out.push_back(std::move(*Found));
  for (ForgottenResource &R : Out)
    R.Sure &= !llvm::any_of(R.Key.Chain, [&](const ValueDecl *D) { return NotAllSeen.count(D); });
  return Out;
}

} // namespace

bool isTakenByConstructor(const ResourceUnit &U, const FunctionResources &F, const LostResource &L) {
  PathId Holder = L.Holder;
  const Site &S = F.Facts.Sites[L.Site];
  SourceLocation Here = S.Inner.isValid() ? S.Inner : S.Call->getExprLoc();
  const auto *Method = dyn_cast<CXXMethodDecl>(F.Facts.Function);
  bool IsMember = !F.Facts.Paths.variable(Holder) && F.Facts.Paths.last(Holder).What == Step::Field;
  if (!Method || isa<CXXConstructorDecl>(Method) || !IsMember)
    return false;
  RelativeResourcePath Member;
  Member.Steps = llvm::SmallVector<Step, 3>(F.Facts.Paths.steps(Holder));
  return llvm::any_of(U.functions(), [&](const auto &Other) {
    const auto *Constructor = dyn_cast<CXXConstructorDecl>(Other->Facts.Function);
    return Constructor && Constructor->getParent() == Method->getParent() &&
           llvm::any_of(Other->Summary.Takes, [&](const ResourceSummary::Taken &T) {
             return !T.Maybe && T.At != Here && llvm::is_contained(T.Where, Member);
           });
  });
}

std::vector<ForgottenResource> findForgotten(const ResourceUnit &U) { return Finder(U).run(); }

} // namespace tensorleak
