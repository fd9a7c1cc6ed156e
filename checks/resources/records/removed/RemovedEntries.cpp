//===-- RemovedEntries.cpp ------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/records/removed/RemovedEntries.h"

#include "checks/resources/facts/calls/Removals.h"
#include "checks/resources/facts/loops/CountedLoops.h"
#include "checks/resources/records/removed/CallOrder.h"
#include "checks/source/Expressions.h"
#include "checks/source/Functions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace tensorleak {
namespace {

class RemovalJudge {
public:
  RemovalJudge(FileAnalyses &File, const FunctionResources &F, const HolderUse &Use,
               const CXXRecordDecl *Whole = nullptr)
      : File(File), Uses(File.recordUses()), F(F), Use(Use), Whole(Whole),
        Of(keyOf(F.Facts, Use.Path)) {
    AnyKnown = llvm::any_of(Uses.Takes, [&](const auto &T) { return isIn(T.first); });
  }
  void run(std::vector<RemovedEntry> &Out) const;

private:
  bool isPartOf(const FunctionDecl &Caller) const;
  bool isOnlyCalledHere(const FunctionDecl &Taker, bool OwnOnly, unsigned Calls = 3) const;
  bool isAlwaysRemoved() const;
  bool callsAgain(const FunctionDecl &Caller, const RecordKey &Key) const;
  bool isCalledAgain(const RecordKey &Key) const;
  bool isOwned(const RecordKey &Key) const;
  bool isListed(const RecordKey &Key) const;
  bool isIn(const RecordKey &Key) const;
  bool isWithin(const RecordKey &Key) const;
  bool mayBeEmpty(const RecordKey &Key, llvm::ArrayRef<RecordTake> Takes, bool IsAgain) const;
  std::set<const ValueDecl *> copies() const;
  bool isCopyHandedOn() const;
  bool isCalledUntilEmpty(const FunctionDecl &Caller, const RecordKey &Key) const;
  bool areOnlyOthersGiven(const RecordKey &Key) const;
  bool isSettled(const RecordKey &Key) const;
  bool isSeenByOthers(const RecordKey &Key) const;
  bool isOfAnotherElement(const HolderUse &Given, const RecordKey &Key) const;
  bool givesAlike(const RecordKey &Key, llvm::ArrayRef<RecordTake> Takes) const;
  bool givesWhatStays(const FunctionDecl &Caller, const RecordKey &Key) const;
  bool callerGives(const RecordKey &Key) const;
  bool isSure(const RecordKey &Key, llvm::ArrayRef<RecordTake> Takes, bool IsAgain) const;

  FileAnalyses &File;
  const RecordUses &Uses;
  const FunctionResources &F;
  const HolderUse &Use;
  const CXXRecordDecl *Whole;        ///< the class of the one record that goes; null for elements
  const std::optional<RecordKey> Of; ///< the container, or the record
  bool AnyKnown = false;             ///< the file fills something in it by that name
};

/// It is the function itself, or a lambda that it makes.
bool RemovalJudge::isPartOf(const FunctionDecl &Caller) const {
  return F.Facts.Function->getCanonicalDecl() == Caller.getCanonicalDecl() ||
         F.Facts.Function->Encloses(&Caller);
}

/// Nobody in another file can call \p F.
static bool isOwnToFile(const FunctionDecl &F) {
  return F.getAccess() == AS_private || !F.isExternallyVisible();
}

/// `all.clear(); for (...) add();`, and nothing else in view calls `add`, by itself or through as
/// many others. \p OwnOnly: nor can other files.
bool RemovalJudge::isOnlyCalledHere(const FunctionDecl &Taker, bool OwnOnly, unsigned Calls) const {
  if (OwnOnly && !isOwnToFile(Taker))
    return false;
  bool IsCalled = false;
  for (const auto &Other : File.resources().functions()) {
    const FunctionDecl &Caller = *Other->Facts.Function;
    if (!calls(Caller, Taker))
      continue;
    if (!isPartOf(Caller) && (Calls == 0 || !isOnlyCalledHere(Caller, OwnOnly, Calls - 1)))
      return false;
    IsCalled = true;
  }
  return IsCalled;
}

/// A loop of \p Caller calls the function until the container is empty: `while (!all.empty())
/// pop();`
bool RemovalJudge::isCalledUntilEmpty(const FunctionDecl &Caller, const RecordKey &Key) const {
  auto Asks = [&](const Expr &E) {
    const ValueDecl *Named = variableOrMember(&E);
    return Named && (Named == Key.Owner || llvm::is_contained(Key.Chain, Named));
  };
  const Stmt *Body = Caller.getBody();
  return anyBelow(Body, [&](const Stmt &S) {
    const Stmt *Loop = isCallOf(S, *F.Facts.Function) ? loopAround(Body, S) : nullptr;
    const Expr *Condition = Loop ? conditionOf(*Loop) : nullptr;
    return mentions(Condition, Asks) && !mentions(Condition, comparesWithMore);
  });
}

//===-- Called again for one object -----------------------------------------===//

/// By each call, whatever state the object is in.
bool RemovalJudge::isAlwaysRemoved() const {
  const Stmt *Body = F.Facts.Function->getBody();
  const SourceManager &Sources = F.Facts.Function->getASTContext().getSourceManager();
  return waysTo(*Use.At, Body).empty() && !anyBelow(Body, [&](const Stmt &S) {
           return isa<ReturnStmt>(S) &&
                  Sources.isBeforeInTranslationUnit(S.getBeginLoc(), Use.At->getBeginLoc());
         });
}

/// A loop of \p Caller calls the function for one object, and gives nothing back between two calls.
bool RemovalJudge::callsAgain(const FunctionDecl &Caller, const RecordKey &Key) const {
  auto Gives = [&](const Stmt &S) {
    const auto *Call = dyn_cast<CallExpr>(&S);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    return Callee && llvm::any_of(Uses.GivenBy, [&](const auto &Entry) {
             return Entry.second.count(Key) && isOrComesTo(*Callee, *Entry.first);
           });
  };
  return tensorleak::callsAgain(Caller, *F.Facts.Function, Gives);
}

bool RemovalJudge::isCalledAgain(const RecordKey &Key) const {
  return isAlwaysRemoved() && llvm::any_of(File.resources().functions(), [&](const auto &G) {
           return !isPartOf(*G->Facts.Function) && callsAgain(*G->Facts.Function, Key);
         });
}

//===-- Whose they are ------------------------------------------------------===//

/// Elements are the container's, where some function gives them back and none holds them elsewhere
/// too.
bool RemovalJudge::isOwned(const RecordKey &Key) const {
  return Uses.Given.count(Key) && !Uses.isShared(Key);
}

/// A member of the records in a list that is no member of another: `static std::vector<Block> all;`
bool RemovalJudge::isListed(const RecordKey &Key) const {
  const auto *List = Of && Of->Chain.empty() && !Whole ? dyn_cast<VarDecl>(Of->Owner) : nullptr;
  auto Takes = List && !Key.Chain.empty() ? Uses.Takes.find(Key) : Uses.Takes.end();
  return Takes != Uses.Takes.end() && llvm::any_of(Takes->second, [&](const RecordTake &T) {
           return T.In->Facts.Paths.variable(T.Holder) == List;
         });
}

/// What \p Key names is in the elements, or in the one record, that go there.
bool RemovalJudge::isIn(const RecordKey &Key) const {
  if (!Of || !Key.isWithin(*Of))
    return isListed(Key);
  const size_t Part = Of->Chain.size();
  return !Whole || (Part < Key.Chain.size() &&
                    cast<FieldDecl>(Key.Chain[Part])->getParent()->getCanonicalDecl() ==
                        Whole->getCanonicalDecl());
}

/// A record that the file fills by no name like that, as by one of a parameter, is known by its
/// class.
bool RemovalJudge::isWithin(const RecordKey &Key) const {
  if (AnyKnown || !Whole)
    return isIn(Key);
  auto IsOfRecord = [&](const RecordKey &Part) {
    return Part.Owner->getCanonicalDecl() == Whole->getCanonicalDecl();
  };
  return IsOfRecord(Key) || llvm::any_of(keysWithin(Key), IsOfRecord);
}

/// Who fills it at the same time may have found it empty, unless he is called again.
bool RemovalJudge::mayBeEmpty(const RecordKey &Key, llvm::ArrayRef<RecordTake> Takes,
                              bool IsAgain) const {
  const bool IsUsed =
      !Whole || onlyEmpties(*Use.At) || isAskedBefore(*Use.At, *F.Facts.Function, *Whole);
  return !IsUsed || llvm::any_of(Takes, [&](const RecordTake &T) {
    const FunctionDecl &Taker = *T.In->Facts.Function;
    const bool IsPlain = infoOf(T.what()).IsHost && !infoOf(T.what()).HoldsTensors;
    const bool FillsFirst = (isPartOf(Taker) && !namesElement(*Use.At, *F.Facts.Function)) ||
                            isOnlyCalledHere(Taker, /*OwnOnly=*/true);
    return (FillsFirst && !IsAgain) || isCalledUntilEmpty(Taker, Key) || IsPlain ||
           T.what() == Family::Record;
  });
}

static bool namesAny(const Stmt &S, const std::set<const ValueDecl *> &Variables) {
  return mentions(&S, [&](const Expr &E) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&E);
    return Ref && Variables.count(Ref->getDecl());
  });
}

static void forEachStore(const ResourceFacts &Facts,
                         llvm::function_ref<void(PathId To, PathId From)> Visit) {
  for (const std::vector<ResourceEvent> &Events : Facts.Blocks)
    for (const ResourceEvent &E : Events)
      for (PathId From : E.storedFrom())
        Visit(E.Path, From);
}

/// Variables of the function that got an element, or a copy of one.
std::set<const ValueDecl *> RemovalJudge::copies() const {
  const PathTable &Paths = F.Facts.Paths;
  std::set<const ValueDecl *> Copies;
  size_t Before;
  do {
    Before = Copies.size();
    forEachStore(F.Facts, [&](PathId To, PathId From) {
      const bool IsCopied = Paths.isAtOrBelow(From, Use.Path) ||
                            (F.Facts.isOwnStorage(From) && Copies.count(Paths.variable(From)));
      if (IsCopied && F.Facts.isOwnStorage(To))
        Copies.insert(Paths.variable(To));
    });
  } while (Copies.size() != Before);
  return Copies;
}

/// A variable that got an element is handed on, or stored in what outlives the function:
/// `first = all.front(); all.pop(); keep(first);`.
bool RemovalJudge::isCopyHandedOn() const {
  const PathTable &Paths = F.Facts.Paths;
  const std::set<const ValueDecl *> Copies = copies();
  bool IsStored = false;
  forEachStore(F.Facts, [&](PathId To, PathId From) {
    IsStored |= Copies.count(Paths.variable(From)) && !F.Facts.isOwnStorage(To);
  });
  auto IsSeen = [&](PathId P) {
    return Copies.count(Paths.variable(P)) && F.Facts.isOwnStorage(P);
  };
  return IsStored || llvm::any_of(F.SeenByOthers, IsSeen) ||
         llvm::any_of(F.HandedOn, [&](const HolderUse &U) {
           return !U.Site && Paths.isAtOrBelow(U.Path, Use.Path) && namesAny(*U.At, Copies);
         });
}

/// Of an element another member, as the key in `index.erase(all.back().key)`, tells nothing.
bool RemovalJudge::isSeenByOthers(const RecordKey &Key) const {
  const PathTable &Paths = F.Facts.Paths;
  auto IsAround = [&](PathId P) {
    auto Seen = keyOf(F.Facts, P);
    return (Whole || !Seen || Seen->Chain.empty() || Seen->isWithin(Key) || Key.isWithin(*Seen)) &&
           (Paths.isAtOrBelow(Use.Path, P) || Paths.isAtOrBelow(P, Paths.parent(Use.Path)));
  };
  auto IsUseAround = [&](const HolderUse &U) { return !U.Site && IsAround(U.Path); };
  return llvm::any_of(F.SeenByOthers, IsAround) || llvm::any_of(F.MaybeReleased, IsUseAround);
}

static bool givesItself(const FunctionResources &G, const RecordKey &Key) {
  return llvm::any_of(G.Released, [&](const HolderUse &U) {
    return !U.Site && !U.ByCallee && keyOf(G.Facts, U.Path) == Key;
  });
}

/// `free(it->p); all.erase(it);`: what stays in the container keeps what it has.
static bool takesOneOut(const FunctionResources &G) {
  return !G.Removed.empty() && llvm::all_of(G.Removed, [&](const HolderUse &U) {
    return namesElement(*U.At, *G.Facts.Function);
  });
}

/// `retire();` gives back an element that it takes out itself, and so no other.
bool RemovalJudge::isOfAnotherElement(const HolderUse &Given, const RecordKey &Key) const {
  const FunctionResources *Callee = File.resources().calleeOf(Given);
  return Callee && givesItself(*Callee, Key) && takesOneOut(*Callee);
}

/// All that is given back of the elements is what `retire();` takes out itself, and none is stored.
bool RemovalJudge::areOnlyOthersGiven(const RecordKey &Key) const {
  bool IsStored = false, IsGiven = false;
  forEachStore(F.Facts, [&](PathId To, PathId From) {
    IsStored |= F.Facts.Paths.isAtOrBelow(From, Use.Path) && !F.Facts.isOwnStorage(To);
  });
  for (const HolderUse &U : F.Released)
    if (!U.Site && keyOf(F.Facts, U.Path) == Key) {
      IsGiven = true;
      if (!isOfAnotherElement(U, Key))
        return false;
    }
  return IsGiven && !IsStored;
}

/// Somebody has what the elements hold there, or has given it back.
bool RemovalJudge::isSettled(const RecordKey &Key) const {
  auto IsIt = [&](const HolderUse &U) {
    auto Of = U.At == Use.At ? keyOf(F.Facts, U.Path) : std::nullopt;
    return Of && (Key.isWithin(*Of) || (Whole && !Of->Chain.empty() && !Key.Chain.empty() &&
                                        Of->Chain.back() == Key.Chain.back()));
  };
  return llvm::any_of(F.Settled, IsIt) && !areOnlyOthersGiven(Key);
}

/// `free(p); all.erase(find(p));`: what is given back may be that element, unless the function has
/// taken it itself and put it nowhere there.
bool RemovalJudge::givesAlike(const RecordKey &Key, llvm::ArrayRef<RecordTake> Takes) const {
  return llvm::any_of(F.Released, [&](const HolderUse &U) {
    auto MayBeOf = [&](const RecordTake &T) {
      return (U.Accepts & only(T.what())) && (!U.Site || (T.In == &F && T.Site == *U.Site));
    };
    return llvm::any_of(Takes, MayBeOf) && !isOfAnotherElement(U, Key);
  });
}

/// \p Caller gives back elements, and not only one that it takes out at the same time.
bool RemovalJudge::givesWhatStays(const FunctionDecl &Caller, const RecordKey &Key) const {
  bool IsOneOnly = false;
  for (const auto &G : File.resources().functions()) {
    if (!givesItself(*G, Key) || !isOrComesTo(Caller, *G->Facts.Function))
      continue;
    if (!takesOneOut(*G))
      return true;
    IsOneOnly = true;
  }
  return !IsOneOnly; // functions of other files give it
}

/// By itself or by what it calls, and not as its variables end; before it comes to \p Callee.
static bool givesBefore(const FunctionResources &G, const FunctionDecl &Callee,
                        const RecordKey &Key) {
  return llvm::any_of(G.Released, [&](const HolderUse &U) {
    return !U.Site && isa_and_nonnull<CallExpr, CXXDeleteExpr>(U.At) &&
           keyOf(G.Facts, U.Path) == Key && mayCallAfter(*G.Facts.Function, Callee, *U.At);
  });
}

/// `free_all(); forget_all();`
bool RemovalJudge::callerGives(const RecordKey &Key) const {
  return llvm::any_of(File.resources().functions(), [&](const auto &G) {
    const FunctionDecl &Caller = *G->Facts.Function;
    return isOrComesTo(Caller, *F.Facts.Function) && givesBefore(*G, *F.Facts.Function, Key) &&
           givesWhatStays(Caller, Key);
  });
}

/// What only this function calls in view may fill it for other files when it is empty, and may not.
bool RemovalJudge::isSure(const RecordKey &Key, llvm::ArrayRef<RecordTake> Takes,
                          bool IsAgain) const {
  auto IsOnlyHere = [&](const RecordTake &T) {
    return isOnlyCalledHere(*T.In->Facts.Function, /*OwnOnly=*/false);
  };
  return (IsAgain || llvm::none_of(Takes, IsOnlyHere)) && !Uses.HandedOn.count(Key) &&
         (Whole || !Uses.FilledOtherwise.count(Key)) && // by what replaces it
         llvm::none_of(Key.Chain, [&](const ValueDecl *D) { return Uses.NotAllSeen.count(D); });
}

static SourceLocation takenAt(llvm::ArrayRef<RecordTake> Takes) {
  return Takes.front().In->Facts.Sites[Takes.front().Site].Call->getBeginLoc();
}

void RemovalJudge::run(std::vector<RemovedEntry> &Out) const {
  if (removesNew(*Use.At, *F.Facts.Function) || isCopyHandedOn())
    return;
  std::optional<RemovedEntry> First; // in the order of the calls that take
  for (const auto &[Key, Takes] : Uses.Takes) {
    const bool IsLeft = isWithin(Key) && isOwned(Key) && !isSettled(Key) && !isSeenByOthers(Key) &&
                        !givesAlike(Key, Takes) && !callerGives(Key);
    const bool IsAgain = IsLeft && !Whole && isCalledAgain(Key); // else its callers are told
    if (IsLeft && !mayBeEmpty(Key, Takes, IsAgain) &&
        (!First || takenAt(Takes) < takenAt(First->Takes)))
      First = {&F, Use.At, Key, Takes, isSure(Key, Takes, IsAgain), false, Whole != nullptr};
  }
  if (First)
    Out.push_back(std::move(*First));
}

} // namespace

std::vector<RemovedEntry> findRemovedEntries(FileAnalyses &File) {
  std::vector<RemovedEntry> Out;
  for (const auto &F : File.resources().functions()) {
    if (F->HasErrors || isa<CXXConstructorDecl, CXXDestructorDecl>(F->Facts.Function))
      continue;
    for (const HolderUse &Use : F->Removed)
      RemovalJudge(File, *F, Use).run(Out);
    for (const ReplacedRecord &Each : F->Replaced)
      RemovalJudge(File, *F, Each.Use, Each.Record).run(Out);
  }
  return Out;
}

} // namespace tensorleak
