//===-- RefilledMembers.cpp -----------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/records/RefilledMembers.h"

#include "checks/resources/facts/calls/FoundElements.h"
#include "checks/resources/losses/keys/FoundByKey.h"
#include "checks/resources/losses/keys/RepeatedKeys.h"
#include "checks/resources/records/LostMembers.h"
#include "checks/resources/records/Takes.h"
#include "checks/source/Expressions.h"
#include "checks/source/Functions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "checks/source/blocks/BlockWalk.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Analysis/Analyses/CFGReachabilityAnalysis.h"
#include "clang/Analysis/CFG.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace tensorleak {
namespace {

class RefillFinder {
public:
  RefillFinder(FileAnalyses &File, const FunctionResources &F)
      : File(File), Uses(File.recordUses()), F(F), Paths(F.Facts.Paths) {}
  void run(std::vector<RefilledMember> &Out) const;

private:
  void addReplaced(const LostResource &L, std::vector<RefilledMember> &Out) const;
  void addRing(const HolderUse &Use, std::vector<RefilledMember> &Out) const;
  void addKeyed(const HolderUse &Use, std::vector<RefilledMember> &Out) const;
  bool fillsNewOnes(const HolderUse &Use, const RecordKey &Key) const;
  bool mayBeLeftEmpty(const RecordKey &Key) const;
  bool isOldGiven(const HolderUse &Filled) const;
  const Stmt *whereFound(const HolderUse &Use, const RecordKey &Key) const;
  void addFound(const HolderUse &Use, std::vector<RefilledMember> &Out) const;
  enum class Repeats : uint8_t { No, Maybe, Yes };
  bool leavesElements(const CXXMethodDecl &Method, const RecordKey &Key) const;
  bool mayBeGivenByCallers(Family What) const;
  Repeats doCallersLose(const HolderUse &Use, const GivenKey &Named, const RecordKey &Key) const;
  Repeats doCallersRepeat(const GivenKey &Named, const RecordKey &Key) const;
  void addForgotten(const HolderUse &Use, std::vector<RefilledMember> &Out) const;
  bool isForgottenBefore(const HolderUse &Taken) const;
  bool isKeptAndGiven(SiteId Site, PathId Holder) const;
  const Stmt *replacedBeside(SiteId Site, PathId Holder, bool IsForgotten) const;
  const Stmt *ringAround(const HolderUse &Use, const FieldDecl &Ring) const;
  bool isOfDevice(SiteId Id) const;
  bool isLeftThere(SiteId Id) const;
  bool isCalledAtEnd(const FunctionDecl &By) const;
  bool isGivenAtEndOnly(const RecordKey &Key) const;

  FileAnalyses &File;
  const RecordUses &Uses;
  const FunctionResources &F;
  const PathTable &Paths;
};

const FieldDecl *fieldAt(const PathTable &Paths, PathId P) {
  return P != NoPath && Paths.last(P).What == Step::Field ? dyn_cast<FieldDecl>(Paths.last(P).Decl)
                                                          : nullptr;
}

/// The function leaves there what it takes.
bool RefillFinder::isLeftThere(SiteId Id) const {
  return llvm::any_of(F.Summary.Takes,
                      [&](const ResourceSummary::Taken &T) { return T.Site == Id; });
}

/// What a method puts into a member of its object is said there; a function gives it to its caller.
bool RefillFinder::isOfDevice(SiteId Id) const {
  const Site &S = F.Facts.Sites[Id];
  return !(S.OfCallee && isa<CXXMemberCallExpr>(S.Call)) && !infoOf(S.What).IsHost &&
         !infoOf(S.What).HoldsTensors;
}

} // namespace

bool isLetGoBy(const FunctionResources &F, PathId P,
               llvm::function_ref<bool(const HolderUse &)> Counts) {
  const PathTable &Paths = F.Facts.Paths;
  auto IsIt = [&](const HolderUse &Use) {
    return (Paths.mayEqual(Use.Path, P) || Paths.isAtOrBelow(P, Use.Path)) && Counts(Use);
  };
  return F.letsGoOf(IsIt) || F.isSeenByOthers(P);
}

bool isLetGo(const FunctionResources &F, PathId P) {
  return isLetGoBy(F, P, [](const HolderUse &) { return true; });
}

namespace {

//===-- Beside others -----------------------------------------------------===//

/// No code behind \p From, which leaves for a failure, say, comes to \p To.
bool neverLeadsTo(const CFG &Cfg, const Stmt &From, const Stmt &To) {
  const CFGBlock *Begin = blockOf(Cfg, &From), *End = blockOf(Cfg, &To);
  CFGReverseBlockReachabilityAnalysis Reaches(Cfg);
  return Begin && End && Begin != End && !Reaches.isReachable(Begin, End);
}

/// What gives back another member of the same record that is filled on the same way; or, of a
/// member that is forgotten before in any case, on one that leads there.
const Stmt *RefillFinder::replacedBeside(SiteId Site, PathId Holder, bool IsForgotten) const {
  const SourceManager &Sources = F.Facts.Function->getASTContext().getSourceManager();
  const Expr *Taking = F.Facts.Sites[Site].Call;
  const Stmt *Body = F.Facts.Function->getBody();
  const auto Ways = waysTo(*Taking, Body);
  auto IsOnWay = [&](const Expr &Beside) {
    const auto Others = waysTo(Beside, Body);
    return IsForgotten
               ? llvm::all_of(Others, [&](const Stmt *W) { return llvm::is_contained(Ways, W); })
               : Others == Ways;
  };
  for (const HolderUse &Given : F.Released) {
    if (Given.Site || Given.Path == Holder || !fieldAt(Paths, Given.Path) ||
        Paths.parent(Given.Path) != Paths.parent(Holder))
      continue;
    for (const HolderUse &Taken : F.Taken) {
      const Expr *Beside = F.Facts.Sites[*Taken.Site].Call;
      if (Taken.Path == Given.Path && isOfDevice(*Taken.Site) &&
          Sources.isBeforeInTranslationUnit(Given.At->getBeginLoc(), Beside->getBeginLoc()) &&
          IsOnWay(*Beside) && !neverLeadsTo(*F.Facts.Cfg, *Given.At, *Beside))
        return Given.At;
    }
  }
  return nullptr;
}

//===-- In a ring ---------------------------------------------------------===//

const FieldDecl *memberNamed(const Expr *E) {
  const auto *Member = dyn_cast<MemberExpr>(bare(E));
  return Member ? dyn_cast<FieldDecl>(Member->getMemberDecl()) : nullptr;
}

/// The member that says which element of \p Ring is meant in \p S: `ring[next]`.
const FieldDecl *positionIn(const Stmt &S, const FieldDecl &Ring) {
  const FieldDecl *Found = nullptr;
  anyBelow(&S, [&](const Stmt &Part) {
    const ElementNamed Element = elementNamed(Part);
    if (Element.Base && memberNamed(Element.Base) == &Ring)
      Found = memberNamed(Element.Key);
    return Found != nullptr;
  });
  return Found;
}

/// `next = (next + 1) % n`, `next %= n`, `next = 0`.
bool turnsBack(const Stmt &S, const FieldDecl &Position) {
  const auto *Set = dyn_cast<BinaryOperator>(&S);
  if (!Set || !Set->isAssignmentOp() || memberNamed(Set->getLHS()) != &Position)
    return false;
  if (Set->getOpcode() != BO_Assign)
    return Set->getOpcode() == BO_RemAssign;
  const auto *To = dyn_cast<BinaryOperator>(bare(Set->getRHS()));
  const auto *Zero = dyn_cast<IntegerLiteral>(bare(Set->getRHS()));
  return (To && To->getOpcode() == BO_Rem) || (Zero && Zero->getValue() == 0);
}

/// What turns the position of \p Ring back, where \p Use puts something there.
const Stmt *RefillFinder::ringAround(const HolderUse &Use, const FieldDecl &Ring) const {
  const Stmt *Body = F.Facts.Function->getBody();
  const Expr *Taking = F.Facts.Sites[*Use.Site].Call;
  const FieldDecl *Position = positionIn(*Use.At, Ring);
  if (!Position)
    Position = positionIn(*Taking, Ring);
  if (!Position || anyBelow(Body, [&](const Stmt &S) { return asksAbout(S, Ring); }))
    return nullptr;
  const Stmt *Turn = nullptr;
  anyBelow(Body, [&](const Stmt &S) { return turnsBack(S, *Position) && (Turn = &S); });
  return Turn;
}

bool RefillFinder::isCalledAtEnd(const FunctionDecl &By) const {
  return isa<CXXDestructorDecl>(By) ||
         llvm::any_of(File.resources().functions(), [&](const auto &G) {
           return isa<CXXDestructorDecl>(G->Facts.Function) && calls(*G->Facts.Function, By);
         });
}

/// By destructors, and by what they call.
bool RefillFinder::isGivenAtEndOnly(const RecordKey &Key) const {
  return Uses.Given.count(Key) && llvm::all_of(Uses.GivenBy, [&](const auto &Entry) {
           return !Entry.second.count(Key) || isCalledAtEnd(*Entry.first);
         });
}

/// The function leaves it in a member that other functions give back, and no constructor fills.
bool RefillFinder::isKeptAndGiven(SiteId Site, PathId Holder) const {
  auto Key = fieldAt(Paths, Holder) ? keyOf(F.Facts, Holder) : std::nullopt;
  return Key && isOfDevice(Site) && isLeftThere(Site) && Uses.Given.count(*Key) &&
         !isLetGo(F, Holder) && !isFilledByConstructor(File.resources(), F, Holder);
}

/// What a constructor fills, or more than a limit asks for, is said elsewhere.
void RefillFinder::addReplaced(const LostResource &L, std::vector<RefilledMember> &Out) const {
  if (L.How != LostResource::Regrown || L.Grows || L.IsAsked || !isKeptAndGiven(L.Site, L.Holder))
    return;
  if (const Stmt *Beside = replacedBeside(L.Site, L.Holder, /*IsForgotten=*/false))
    Out.push_back({RefilledMember::BesideOthers, &F, L.Site, fieldAt(Paths, L.Holder), Beside,
                   !Uses.HandedOn.count(*keyOf(F.Facts, L.Holder))});
}

/// `b = nullptr; ... cudaMalloc(&b, n);`: the first one loses what was there.
bool RefillFinder::isForgottenBefore(const HolderUse &Taken) const {
  const SourceManager &Sources = F.Facts.Function->getASTContext().getSourceManager();
  return llvm::any_of(F.Overwritten, [&](const HolderUse &Use) {
    return Use.Path == Taken.Path && !Use.ByCallee && Use.At && Taken.At && Use.At != Taken.At &&
           Sources.isBeforeInTranslationUnit(Use.At->getBeginLoc(), Taken.At->getBeginLoc());
  });
}

void RefillFinder::addForgotten(const HolderUse &Use, std::vector<RefilledMember> &Out) const {
  if (!isForgottenBefore(Use) || !isKeptAndGiven(*Use.Site, Use.Path))
    return;
  if (const Stmt *Beside = replacedBeside(*Use.Site, Use.Path, /*IsForgotten=*/true))
    Out.push_back({RefilledMember::BesideOthers, &F, *Use.Site, fieldAt(Paths, Use.Path), Beside,
                   !Uses.HandedOn.count(*keyOf(F.Facts, Use.Path))});
}

void RefillFinder::addRing(const HolderUse &Use, std::vector<RefilledMember> &Out) const {
  const bool IsElement = !Paths.isExact(Use.Path) && Paths.isElementOfOne(Use.Path);
  const FieldDecl *Ring = IsElement ? fieldAt(Paths, Paths.parent(Use.Path)) : nullptr;
  auto Key = Ring ? keyOf(F.Facts, Use.Path) : std::nullopt;
  if (!Key || F.Facts.Sites[*Use.Site].LoopBegin || !isOfDevice(*Use.Site) ||
      !isLeftThere(*Use.Site) || isLetGo(F, Use.Path) || !isGivenAtEndOnly(*Key))
    return;
  if (const Stmt *Turn = ringAround(Use, *Ring))
    Out.push_back({RefilledMember::InRing, &F, *Use.Site, Ring, Turn, !Uses.HandedOn.count(*Key)});
}

//===-- Under a key -------------------------------------------------------===//

/// The member whose elements \p P is one of, or a part of one.
const FieldDecl *mapAround(const PathTable &Paths, PathId P) {
  while (P != NoPath && Paths.last(P).What != Step::Elem)
    P = Paths.parent(P);
  return P == NoPath ? nullptr : fieldAt(Paths, Paths.parent(P));
}

/// It is in view, and lets go of nothing that \p Key names.
bool RefillFinder::leavesElements(const CXXMethodDecl &Method, const RecordKey &Key) const {
  const FunctionResources *Body = File.resources().find(Method);
  auto IsIt = [&](const HolderUse &Use) { return keyOf(Body->Facts, Use.Path) == Key; };
  return Body && !Body->HasErrors && !Uses.handsItself(*Body->Facts.Function) &&
         Body->Removed.empty() && !Body->letsGoOf(IsIt);
}

/// A method for users of the class of whom none is in view, or one names the same element in each
/// round.
RefillFinder::Repeats RefillFinder::doCallersRepeat(const GivenKey &Named,
                                                    const RecordKey &Key) const {
  const auto *Method = dyn_cast<CXXMethodDecl>(F.Facts.Function);
  if (!Method || Method->getAccess() != AS_public)
    return Repeats::No;
  Repeats Out = Repeats::Maybe;
  for (const auto &G : File.resources().functions()) {
    if (!Named.Parameters.empty() &&
        repeatsKey(*G->Facts.Function, *Method, Named,
                   [&](const CXXMethodDecl &Other) { return leavesElements(Other, Key); }))
      return Repeats::Yes;
    if (calls(*G->Facts.Function, *Method))
      Out = Repeats::No;
  }
  return Out;
}

/// A cache that returns what it has keeps that.
static bool isLetGoButReturned(const FunctionResources &F, PathId P) {
  return isLetGoBy(F, P, [](const HolderUse &Use) { return !isa_and_nonnull<ReturnStmt>(Use.At); });
}

/// Whoever gets an element by the result of a method may give it back: some function that calls the
/// method gives back such resources.
bool RefillFinder::mayBeGivenByCallers(Family What) const {
  const auto *Method = dyn_cast<CXXMethodDecl>(F.Facts.Function);
  auto Gives = [&](const ResourceEvent &E) {
    return E.Kind == ResourceEventKind::Release && !E.ByCallee && (E.Accepts & only(What));
  };
  return llvm::any_of(File.resources().functions(), [&](const auto &G) {
    return Method && calls(*G->Facts.Function, *Method) &&
           llvm::any_of(G->Facts.Blocks,
                        [&](const auto &Block) { return llvm::any_of(Block, Gives); });
  });
}

/// How far callers lose elements of \p Map by naming one again. Where they also get them, only
/// those count that are seen to name one again, and to give none back.
RefillFinder::Repeats RefillFinder::doCallersLose(const HolderUse &Use, const GivenKey &Named,
                                                  const RecordKey &Key) const {
  const Repeats Callers = Named.At ? doCallersRepeat(Named, Key) : Repeats::No;
  const bool IsShown = isLetGo(F, Use.Path) || Uses.HandedOn.count(Key);
  if (IsShown && (Callers == Repeats::Maybe || mayBeGivenByCallers(F.Facts.Sites[*Use.Site].What)))
    return Repeats::No;
  return Callers == Repeats::Maybe && !isGivenAtEndOnly(Key) ? Repeats::No : Callers;
}

void RefillFinder::addKeyed(const HolderUse &Use, std::vector<RefilledMember> &Out) const {
  const FieldDecl *Map = Paths.isElementOfOne(Use.Path) ? mapAround(Paths, Use.Path) : nullptr;
  auto Key = Map ? keyOf(F.Facts, Use.Path) : std::nullopt;
  if (!Key || F.Facts.Sites[*Use.Site].LoopBegin || !isOfDevice(*Use.Site) ||
      !isLeftThere(*Use.Site) || isLetGoButReturned(F, Use.Path) || !Uses.Given.count(*Key) ||
      Uses.isHandedOut(*Key))
    return;
  const GivenKey Named = onlyKeyedIn(*F.Facts.Function, *Map);
  const Repeats Callers = doCallersLose(Use, Named, *Key);
  if (Callers != Repeats::No)
    Out.push_back(
        {isa<CXXMemberCallExpr>(Named.At) ? RefilledMember::KeyIsTaken : RefilledMember::UnderKey,
         &F, *Use.Site, Map, Named.At, /*Sure=*/Callers == Repeats::Yes});
}

//===-- Where an element is found -------------------------------------------===//

/// The function fills new elements too and leaves them there, as `if (isFound) it->second = p; else
/// all.emplace(key, p);` does, and so none is there without one.
bool RefillFinder::fillsNewOnes(const HolderUse &Use, const RecordKey &Key) const {
  bool IsLeft = false, IsElsewhere = false;
  for (const HolderUse &Other : F.Taken)
    if (keyOf(F.Facts, Other.Path) == Key) {
      IsLeft |= isLeftThere(*Other.Site); // callers are told of one for several branches
      IsElsewhere |= Other.At != Use.At;
    }
  return IsLeft && IsElsewhere;
}

/// Some function gives back what an element holds, leaves the element where it is, and puts nothing
/// else into it.
bool RefillFinder::mayBeLeftEmpty(const RecordKey &Key) const {
  return llvm::any_of(File.resources().functions(), [&](const auto &G) {
    auto IsIt = [&](const HolderUse &U) { return keyOf(G->Facts, U.Path) == Key; };
    return G->Removed.empty() && !isCalledAtEnd(*G->Facts.Function) &&
           llvm::none_of(G->Taken, IsIt) && llvm::any_of(G->Released, [&](const HolderUse &U) {
             return !U.Site && !U.ByCallee && IsIt(U);
           });
  });
}

/// The function gives back what was in the element, or hands it to others but by its result: a
/// cache that returns what it has keeps that. What it evicts to make room for a new one is another.
bool RefillFinder::isOldGiven(const HolderUse &Filled) const {
  return isLetGoBy(F, Filled.Path, [&](const HolderUse &Use) {
    return !isa_and_nonnull<ReturnStmt>(Use.At) &&
           !(Use.At && runsOnlyUnlessFound(*Use.At, *Filled.At, *F.Facts.Function, *F.Facts.Cfg));
  });
}

/// Where what \p Use gives something was found before.
const Stmt *RefillFinder::whereFound(const HolderUse &Use, const RecordKey &Key) const {
  const Stmt *Found = fillsNewOnes(Use, Key) ? foundBefore(*Use.At, *F.Facts.Function) : nullptr;
  return Found ? Found : foundByKey(*Use.At, *F.Facts.Function, *F.Facts.Cfg);
}

void RefillFinder::addFound(const HolderUse &Use, std::vector<RefilledMember> &Out) const {
  auto Key = Paths.isElementOfOne(Use.Path) ? keyOf(F.Facts, Use.Path) : std::nullopt;
  const FamilyInfo &Info = infoOf(F.Facts.Sites[*Use.Site].What);
  if (!Key || Info.IsHost || Info.HoldsTensors || !Uses.Given.count(*Key) ||
      Uses.FilledOtherwise.count(*Key) || isOldGiven(Use))
    return;
  const auto *Holder = Key->Chain.empty() ? cast<ValueDecl>(Key->Owner) : Key->Chain.front();
  const Stmt *Found = whereFound(Use, *Key);
  if (Found && !mayBeLeftEmpty(*Key)) // reads the whole file, and so comes last
    Out.push_back(
        {RefilledMember::WhereFound, &F, *Use.Site, Holder, Found, !Uses.HandedOn.count(*Key)});
}

void RefillFinder::run(std::vector<RefilledMember> &Out) const {
  for (const LostResource &L : F.Lost)
    addReplaced(L, Out);
  for (const HolderUse &Use : F.Taken) {
    addForgotten(Use, Out);
    addRing(Use, Out);
    addKeyed(Use, Out);
    addFound(Use, Out);
  }
}

} // namespace

std::vector<RefilledMember> findRefilledMembers(FileAnalyses &File) {
  std::vector<RefilledMember> Out;
  for (const auto &F : File.resources().functions())
    if (!F->HasErrors && !isa<CXXConstructorDecl, CXXDestructorDecl>(F->Facts.Function))
      RefillFinder(File, *F).run(Out);
  return Out;
}

} // namespace tensorleak
