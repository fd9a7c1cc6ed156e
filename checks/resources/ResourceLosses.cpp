//===-- ResourceLosses.cpp - What happens to resources on the way ---------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/FunctionFlow.h"

#include "checks/resources/facts/ResourceGenerator.h"
#include "checks/source/Handlers.h"
#include "checks/source/Statements.h"

using namespace clang;

namespace tensorleak {

void FunctionFlow::onLost(const ResourceEvent &E, HeldValue V, PathId Holder) {
  const Site &S = Facts.Sites[V.Id];
  // Whether this call was one that takes it is known to the callee alone.
  if (S.SomeWays || !Lost.insert(V.Id).second)
    return;
  F.Lost.push_back(lost(LostResource::Overwritten, V.Id, Holder, E.At));
}

/// Some element of a container goes to the call; the resource of \p Id has a place of its own
/// beside, as where one element names what another member owns.
bool FunctionFlow::mayMeanOther(const ResourceEvent &E, SiteId Id) const {
  auto IsBeside = [&](const HolderUse &Use, PathId P) {
    return Use.Site == Id && !Facts.Paths.mayEqual(Use.Path, P);
  };
  return llvm::any_of(E.Value, [&](const Atom &A) {
    return A.What == Atom::Load && !Facts.Paths.isExact(A.Id) &&
           (llvm::any_of(F.Taken, [&](const HolderUse &Use) { return IsBeside(Use, A.Id); }) ||
            llvm::any_of(F.TakenByCallee,
                         [&](const HolderUse &Use) { return IsBeside(Use, A.Id); }));
  });
}

void FunctionFlow::onRelease(const ResourceEvent &E, const HeldValues &Values) {
  Summarize.release(E, Values);
  bool Wrong = !Values.empty() && !E.onlyDetaches();
  for (const HeldValue &V : Values) {
    if (V.What == HeldValue::Initial)
      F.Released.push_back(
          {V.Id, std::nullopt, E.At, E.ByCallee, E.Accepts, E.Element, E.Spared, E.Until});
    if (V.isResource()) {
      F.Released.push_back({NoPath, V.Id, E.At, E.ByCallee});
      EndsOf[V.Id].Freed |= Facts.Sites[V.Id].isAcceptedBy(E.Accepts);
    }
    if (V.What == HeldValue::Address && Facts.Paths.last(V.Id).What == Step::Root)
      Summarize.treeEscape(V.Id); // delete this
    Wrong &= V.isResource() && !Facts.Sites[V.Id].isAcceptedBy(E.Accepts) &&
             !Facts.Sites[V.Id].Attached && !mayMeanOther(E, V.Id) &&
             !infoOf(Facts.Sites[V.Id].What).IsHost; // new and free are other tools' business
  }
  if (!Wrong)
    return;
  Lost.insert(Values.begin()->Id);
  F.Lost.push_back(lost(LostResource::WrongCall, Values.begin()->Id, NoPath, E.At));
}

/// `const float *data() const`: who gets that cannot free it.
static bool onlyLends(const FunctionDecl &F) {
  const QualType Result = F.getReturnType();
  return Result->isPointerType() && Result->getPointeeType().isConstQualified();
}

/// Whoever gets the pointer may be the one that deletes it.
void FunctionFlow::handOn(const ResourceEvent &E, HeldValue V) {
  const bool IsLent = E.Kind == ResourceEventKind::Return && onlyLends(*Facts.Function);
  if (V.What == HeldValue::Initial && !IsLent)
    F.HandedOn.push_back({V.Id, std::nullopt, E.At, E.ByCallee});
  else if (V.isResource())
    F.HandedOn.push_back({NoPath, V.Id, E.At, E.ByCallee});
}

void FunctionFlow::onOffer(HeldValue V, const CallAnswer &When) {
  EndsOf[V.Id].Freed = true;
  F.Offered.push_back({V.Id, When});
}

void FunctionFlow::onView(const ResourceEvent &E, HeldValue V) {
  if (V.isResource())
    F.Views.push_back({NoPath, V.Id, E.At, E.ByCallee});
  else
    Summarize.view(V);
}

void FunctionFlow::onEscape(const ResourceEvent &E, HeldValue V) {
  handOn(E, V);
  if (E.Kind == ResourceEventKind::Return)
    return;
  Summarize.escape(E, V);
  if (V.isResource() && E.Kind == ResourceEventKind::Doubt)
    Doubtful.insert(V.Id);
  else if (V.isResource())
    EndsOf[V.Id].Freed = true;
  if (V.What == HeldValue::Initial && E.Kind != ResourceEventKind::Doubt)
    F.MaybeReleased.push_back({V.Id, std::nullopt, E.At, E.ByCallee});
}

void FunctionFlow::onTreeEscape(const ResourceEvent &E, PathId P) {
  if (E.Kind == ResourceEventKind::Return)
    return;
  Summarize.treeEscape(P);
  F.SeenByOthers.push_back(P);
}

void FunctionFlow::onReturn(const ResourceEvent &E, HeldValue V, llvm::ArrayRef<Step> Part) {
  handOn(E, V);
  if (V.isResource())
    EndsOf[V.Id].Freed = true;
  Summarize.returned(V, Part);
}

/// Who catches it goes on; where nobody is seen to do that, it may well end the program.
void FunctionFlow::onThrow(const ResourceEvent &E, const ResourceState &S) {
  WayOut &Way = WaysOut[E.At];
  const CXXTryStmt *Try = Facts.Tries.lookup(E.At);
  Way.Exit = {E.At, !Try, After::Anything, /*ByCallee=*/true, !Facts.AreThrowsCaught};
  if (Paths)
    Way.Path = Paths->at(*Reading);
  if (E.OnFailure)
    Way.Exit.When = E.Value.empty() ? After::FailedCall : After::FailedTake;
  ResourceState Left = S;
  for (const Atom &A : E.Value)
    Left.Guards.erase(current(A.Id));
  if (Try && !Left.Guards.empty())
    for (const auto &[P, Values] : S.Holders)
      if (!isForgotten(P, *Try))
        for (const HeldValue &V : Values)
          Left.Guards.erase(V);
  Transfer.join(Way.State, std::move(Left));
}

/// Where an exception goes on in a handler of \p Try, nothing speaks of \p Holder any more.
bool FunctionFlow::isForgotten(PathId Holder, const CXXTryStmt &Try) {
  const ValueDecl *V = Facts.Paths.variable(Holder);
  return V && Facts.isOwnStorage(Holder) && !isa<ParmVarDecl>(V) && !isNamedAfter(Try, *V);
}

/// Many calls in one block throw, and the body is read for each only once.
bool FunctionFlow::isNamedAfter(const CXXTryStmt &Try, const ValueDecl &Variable) {
  auto [It, IsNew] = NamedAfter.try_emplace({&Try, &Variable}, false);
  if (IsNew)
    It->second = mayBeNamedAfterThrow(Variable, Try, *Facts.Function);
  return It->second;
}

void FunctionFlow::onRotate(llvm::ArrayRef<PathId> Places, bool IsWhole) {
  F.Rotated.emplace_back(Places.begin(), Places.end());
  if (IsWhole)
    Summarize.rotate(Places);
}

static bool isHeld(HeldValue V, const ResourceState &S) {
  return llvm::any_of(S.Holders, [&](const auto &Entry) { return Entry.second.count(V) > 0; });
}

/// Not when this function hands it on, into another object than the callee filled:
/// `all.push_back(make())`.
static bool isPutThereByCallee(const Site &S, const ResourceEvent &E) {
  const bool IsHandedOn = isa_and_nonnull<CallExpr>(E.At) && E.At != S.Call && !E.ByCallee;
  return S.OfCallee && ((E.Kind == ResourceEventKind::Acquire && !IsHandedOn) || E.At == S.Call);
}

/// A constructor begins a member with null, which held nothing before.
static bool beginsWithNull(const FunctionDecl &F, const ResourceEvent &E) {
  const auto *Value = dyn_cast<Expr>(E.At);
  if (const auto *Default = dyn_cast_or_null<CXXDefaultInitExpr>(Value))
    Value = Default->getExpr();
  return isa<CXXConstructorDecl>(F) && Value && isZeroOrNull(F.getASTContext(), *Value);
}

void FunctionFlow::onStore(const ResourceEvent &E, PathId P, const HeldValues &New,
                           const ResourceState &S) {
  bool Outside = !Transfer.isOwnStorage(P, S);
  HeldValue Before{HeldValue::Initial, P};
  // Nothing on the way here has freed what was there before.
  bool Replaces =
      Outside && Facts.Paths.isExact(P) && !S.Holders.count(P) && !S.GivenBack.count(Before);
  if (Replaces && !New.count(Before) && !isHeld(Before, S) && !beginsWithNull(*Facts.Function, E))
    F.Overwritten.push_back({P, std::nullopt, E.At, E.ByCallee});
  for (const HeldValue &V : New) {
    if (Outside && V.What == HeldValue::Initial && V.Id != P)
      handOn(E, V);
    if (V.What != HeldValue::Resource)
      continue;
    if (isPutThereByCallee(Facts.Sites[V.Id], E)) {
      F.TakenByCallee.push_back({P, V.Id, E.At, E.ByCallee});
      if (Replaces && !Facts.Sites[V.Id].SomeWays &&
          (runsWithOld(P) || Paths->growsWithInput(Reading->getBlockID())))
        regrow(E, P, V.Id, isHeld(Before, S), isAmong(P, S.Emptied));
      continue;
    }
    F.Taken.push_back({P, V.Id, E.At, E.ByCallee});
    if (Replaces || isFilledAnew(P, V.Id, S))
      regrow(E, P, V.Id, isHeld(Before, S), isAmong(P, S.Emptied));
  }
}

bool FunctionFlow::isAmong(PathId P, const std::set<PathId> &Elements) const {
  return llvm::any_of(Elements, [&](PathId All) { return Facts.Paths.isAtOrBelow(P, All); });
}

/// Elements that nothing on the way here has given back: a loop fills them, or others were there,
/// `all.clear(); all.push_back(p);`.
bool FunctionFlow::isFilledAnew(PathId P, SiteId Site, const ResourceState &S) const {
  return (Facts.Sites[Site].LoopBegin || isAmong(P, S.Emptied)) && Facts.Paths.isElementOfOne(P) &&
         !Transfer.isOwnStorage(P, S) && !S.GivenBack.count({HeldValue::Initial, P});
}

static const ValueDecl *memberAround(const PathTable &Paths, PathId P) {
  while (Paths.last(P).What == Step::Elem)
    P = Paths.parent(P);
  return Paths.last(P).Decl;
}

/// `else if (!update(p)) make(&p);` behind `if (!p)`
bool FunctionFlow::runsWithOld(PathId P) const {
  const ValueDecl *Member = memberAround(Facts.Paths, P);
  return Member && Paths->runsWithOld(Reading->getBlockID(), *Member);
}

/// Unless it runs only where the place passed a test of its own: that it is null, or another.
void FunctionFlow::regrow(const ResourceEvent &E, PathId P, SiteId Site, bool IsOldNamed,
                          bool IsEmptied) {
  const ValueDecl *Member = memberAround(Facts.Paths, P);
  unsigned Block = Reading->getBlockID();
  const bool RunsWithOld = runsWithOld(P);
  if (Member && !RunsWithOld && Paths->dependsOn(Block, *Member))
    return;
  const bool FindsOld = RunsWithOld || (Member && Paths->asksButRuns(Block, *Member));
  // What a method with its body elsewhere was called for before may be to give it back.
  if (!FindsOld && F.isSeenByOthers(P))
    return;
  LostResource L = lost(LostResource::Regrown, Site, P, E.At);
  L.Grows = Paths->growsWithInput(Block);
  L.FindsOld = FindsOld;
  L.EachCall = !Paths->dependsOnState(Block) || isFilledEachTime(Site);
  L.IsAsked = Member && Paths->asksAbout(*Member);
  L.IsOldNamed = IsOldNamed || IsEmptied;
  L.IsEmptied = IsEmptied;
  F.Lost.push_back(std::move(L));
}

/// `old = p; p = bigger; cudaFree(old);`, or others were shown a container before it was emptied.
bool FunctionFlow::isOldLetGo(const LostResource &L) const {
  auto IsOld = [&](const HolderUse &Use) { return !Use.Site && Use.Path == L.Holder; };
  return L.How == LostResource::Regrown && L.IsOldNamed &&
         (llvm::any_of(F.Released, IsOld) || llvm::any_of(F.MaybeReleased, IsOld) ||
          llvm::any_of(F.HandedOn, IsOld) ||
          (!Facts.Paths.isExact(L.Holder) && F.isSeenByOthers(L.Holder)));
}

//===-- Destructors -------------------------------------------------------===//

/// A destructor of the user's runs when such a variable ends, its own or those of its elements.
static bool endsWithDestructor(QualType Type) {
  const auto *Class = Type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  if (!Class || !Class->hasDefinition())
    return false;
  return isContainer(Type) ? !endsQuietly(Type)
                           : !Class->isInStdNamespace() && Class->hasUserDeclaredDestructor();
}

static bool declares(const CXXTryStmt &Try, const ValueDecl &Variable) {
  return anyBelow(Try.getTryBlock(), [&](const Stmt &S) {
    const auto *D = dyn_cast<DeclStmt>(&S);
    return D && llvm::is_contained(D->decls(), &Variable);
  });
}

/// `throw` in a `try`: the destructors of what the block has declared run before the handler does.
ResourceState FunctionFlow::unwound(const CFGBlock &From, const CFGBlock &To, ResourceState S) {
  const auto *Try = dyn_cast_or_null<CXXTryStmt>(To.getTerminatorStmt());
  const bool Throws = Try && llvm::any_of(From, [](const CFGElement &Element) {
                        auto Each = Element.getAs<CFGStmt>();
                        return Each && isa<CXXThrowExpr>(Each->getStmt());
                      });
  if (!Throws || !Paths)
    return S;
  for (const auto &[P, Values] : S.Holders)
    if (const ValueDecl *V = Facts.Paths.variable(P);
        V && Facts.isOwnStorage(P) && endsWithDestructor(V->getType()) && declares(*Try, *V))
      for (const HeldValue &Each : Values)
        if (auto It = S.Guards.find(Each); It != S.Guards.end())
          Transfer.questions()->release(It->second.edit(), Paths->at(From));
  return S;
}

/// The destructor of an object whose constructor throws does not run; those of its
/// bases and members do.
bool FunctionFlow::leavesObjectBehind(PathId Holder, const ResourceExit &Exit) const {
  const auto *Constructor = dyn_cast<CXXConstructorDecl>(Facts.Function);
  const auto Steps = Facts.Paths.steps(Holder);
  auto IsPart = [](const Step &S) { return S.What == Step::Field || S.What == Step::Elem; };
  if (!Exit.Throws || !Constructor || Constructor->isDelegatingConstructor() ||
      Facts.Paths.variable(Holder) || !llvm::all_of(Steps, IsPart))
    return false;
  const ValueDecl *Member = Steps.front().Decl;
  const auto *Class = Member ? Member->getType()->getAsCXXRecordDecl() : nullptr;
  const bool IsPlainList =
      Member && isContainer(Member->getType()) && endsQuietly(Member->getType());
  bool MemberCleansUp = Class && Class->hasDefinition() && Class->hasUserDeclaredDestructor();
  return Member && Member->getDeclContext()->Equals(Constructor->getParent()) &&
         (!MemberCleansUp || IsPlainList);
}

/// What an exception leaves in a variable whose destructor runs then, and is not just a box.
bool FunctionFlow::isCleanedUp(PathId Holder, const ResourceExit &Exit) const {
  const ValueDecl *V = Facts.Paths.variable(Holder);
  const auto *Class = V ? V->getType()->getAsCXXRecordDecl() : nullptr;
  if (V && Exit.Throws && !Exit.ByCallee)
    return endsWithDestructor(V->getType());
  return Exit.ByCallee && Class && Class->hasDefinition() && Class->hasUserDeclaredDestructor() &&
         Facts.Paths.last(Holder).What != Step::Held;
}

/// By one of several that hold it: `Scope scope; handle_t handle = scope.handle;`.
bool FunctionFlow::isCleanedUp(HeldValue V, const ResourceState &S,
                               const ResourceExit &Exit) const {
  return llvm::any_of(S.Holders, [&](const auto &Entry) {
    return Entry.second.count(V) && isCleanedUp(Entry.first, Exit);
  });
}

/// What the caller's places hold where the function says whether it succeeded.
void FunctionFlow::readAnswer(const WayOut &Way) {
  GuardQuestions *Ask = Transfer.questions();
  const auto IsZero = Summarize.isZero(Way.Exit.At, Facts.Function->getASTContext());
  if (!Ask || !IsZero)
    return;
  for (const auto &[P, Values] : Way.State.Holders)
    for (const HeldValue &V : Values) {
      auto It = Way.State.Guards.find(V);
      if (!V.isResource() || It == Way.State.Guards.end() || !Transfer.mayOwn(V, Way.State) ||
          Transfer.isOwnStorage(P, Way.State))
        continue;
      if (const auto When = Ask->ownedAfter(*It->second, Way.Path))
        F.Left.push_back({V.Id, P, Way.Exit.At, *IsZero, *When});
    }
}

/// It was in what a call returned, and that got no name.
static bool wasTemporary(const LostResource &L, const PathTable &Paths) {
  const ValueDecl *Root = L.Holder == NoPath ? nullptr : Paths.variable(L.Holder);
  const bool IsAlways = L.How == LostResource::NeverFreed || L.How == LostResource::Overwritten;
  return IsAlways && isa_and_nonnull<VarDecl>(Root) && !isa<ParmVarDecl>(Root) &&
         !isa<DecompositionDecl>(Root) && !Root->getIdentifier();
}

void FunctionFlow::addDropped() {
  for (LostResource &L : F.Lost)
    if (wasTemporary(L, Facts.Paths)) {
      L.How = LostResource::Dropped;
      L.Holder = NoPath;
      L.Exits.clear();
    }
  for (SiteId Id = 0; Id < Facts.Sites.size(); ++Id)
    if (Facts.Sites[Id].Dropped)
      F.Lost.push_back(lost(LostResource::Dropped, Id, NoPath, Facts.Sites[Id].Call));
}

} // namespace tensorleak
