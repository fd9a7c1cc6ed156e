//===-- Guards.cpp --------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/conditions/Guards.h"

#include "checks/Budgets.h"

namespace tensorleak {
namespace {

using Atoms = llvm::SetVector<unsigned>;

bool isUncertain(const Term &T) { return !T.IsCertain; }

void addAtoms(const Logic &L, const Conditions &Of, Atoms &To) {
  for (Condition C : Of)
    To.insert(L.atomsOf(C).begin(), L.atomsOf(C).end());
}

/// What an atom is about: the values, and what a reader would think of where the analysis
/// does not understand them. That a loop went on until it ended says nothing of what comes
/// after it.
struct Subject {
  bool IsCertain = true, IsComputed = false;
  std::set<TermId> Terms;
  std::set<const clang::Decl *> Mentions, AskedAbout;
};

std::optional<Subject> subjectOf(const Logic &L, unsigned Atom) {
  Subject Out;
  for (const auto &[Id, Factor] : L.sumOf(Atom).Terms) {
    const Term &T = L.term(Id);
    if (T.Loops || T.Ended)
      return std::nullopt;
    Out.IsCertain &= T.IsCertain;
    Out.IsComputed |= T.IsComputed;
    Out.Terms.insert(Id);
    Out.Mentions.insert(T.Mentions.begin(), T.Mentions.end());
    Out.AskedAbout.insert(T.AskedAbout.begin(), T.AskedAbout.end());
  }
  return Out;
}

template <typename T> bool intersect(const std::set<T> &A, const std::set<T> &B) {
  return llvm::any_of(A, [&](const T &Each) { return B.count(Each) > 0; });
}

std::vector<std::pair<unsigned, Subject>> subjectsOf(const Logic &L, const Atoms &A,
                                                     const Atoms &Without) {
  std::vector<std::pair<unsigned, Subject>> Out;
  for (unsigned Atom : A)
    if (auto S = Without.count(Atom) ? std::nullopt : subjectOf(L, Atom))
      Out.push_back({Atom, std::move(*S)});
  return Out;
}

/// What a call said of something, and a condition on that: `bool ok = fits(n)` and `n > 4`.
bool isAnswerAbout(const Subject &A, const Subject &B) {
  return intersect(A.AskedAbout, B.Mentions) || intersect(A.AskedAbout, B.AskedAbout);
}

bool areRelated(const Subject &A, const Subject &B) {
  const bool AreCertain = A.IsCertain && B.IsCertain;
  const bool ByName = !AreCertain || A.IsComputed || B.IsComputed;
  return (AreCertain && intersect(A.Terms, B.Terms)) ||
         (ByName && intersect(A.Mentions, B.Mentions)) || isAnswerAbout(A, B) ||
         isAnswerAbout(B, A);
}

/// Some of both are about the same thing, and the logic does not know how they go together:
/// `n > 4` and `fits(n)`.
bool areUnclear(const Logic &L, const Atoms &A, const Atoms &B) {
  auto OnlyB = subjectsOf(L, B, A);
  for (const auto &[AtomA, InA] : subjectsOf(L, A, B))
    for (const auto &[AtomB, InB] : OnlyB)
      if (&L.sumOf(AtomA) != &L.sumOf(AtomB) && areRelated(InA, InB))
        return true;
  return false;
}

} // namespace

void GuardQuestions::take(ResourceGuard &G, SiteId Id, const Conditions &Path) {
  Tenure T{Path, {}};
  L.addParts(Paths.taken(Id), T.Taken);
  auto IsSame = [&](const Tenure &Each) { return Each.Taken == T.Taken && Each.Released.empty(); };
  if (auto Same = llvm::find_if(G, IsSame); Same != G.end())
    Same->Before = 0;
  else if (!isOver(Budget::Tenures, G.size() + 1))
    G.push_back(std::move(T));
}

/// \p Path without what is not understood of it.
static Conditions understood(Logic &L, const Conditions &Path, Logic::TermTest IsNot) {
  Conditions Out;
  for (Condition C : Path)
    L.addParts(L.without(C, IsNot), Out);
  return Out;
}

void GuardQuestions::release(ResourceGuard &G, const Conditions &Path) {
  Conditions Here = understood(L, Path, isUncertain);
  for (Tenure &T : G)
    if (!llvm::is_contained(T.Released, Here))
      T.Released.push_back(Here);
}

Conditions GuardQuestions::answered(const CallAnswer &A, const Conditions &Path) {
  Conditions Out = Path;
  L.addParts(Paths.answered(A), Out);
  return Out;
}

void GuardQuestions::join(ResourceGuard &Into, const ResourceGuard &From) const {
  for (const Tenure &T : From) {
    auto Same = llvm::find_if(Into, [&](const Tenure &Each) { return Each.Taken == T.Taken; });
    if (Same == Into.end()) {
      if (!isOver(Budget::Tenures, Into.size() + 1))
        Into.push_back(T);
      continue;
    }
    Same->Before &= T.Before;
    for (const Conditions &C : T.Released)
      if (!llvm::is_contained(Same->Released, C))
        Same->Released.push_back(C);
  }
}

void GuardQuestions::restrict(ResourceGuard &G, const Conditions &Path) {
  for (Tenure &T : G)
    for (Condition C : Path)
      if (!llvm::is_contained(T.Taken, C))
        T.Taken.push_back(C);
}

void GuardQuestions::retake(ResourceGuard &Old, const ResourceGuard &New,
                            const Conditions &Path) const {
  ResourceGuard Here = New;
  restrict(Here, Path);
  for (const Tenure &T : Here)
    llvm::erase_if(Old, [&](const Tenure &Each) { return Each.Taken == T.Taken; });
  join(Old, Here);
}

/// What was taken in the round that ends is known to the last detail. Of what was taken
/// before it, some round may have released it where its condition held.
ResourceGuard GuardQuestions::afterRound(const ResourceGuard &G, LoopId Loop,
                                         const Conditions &Path) {
  auto IsOfRound = [&](const Term &T) { return (T.Loops & only(Loop)) != 0; };
  const LoopSet Around = only(Loop) - 1; // those within it begin anew
  ResourceGuard Out;
  for (const Tenure &T : G) {
    if (llvm::none_of(T.Taken, [&](Condition C) { return L.mentions(C, IsOfRound); })) {
      Tenure Known{T.Taken, {}, (T.Before & Around) | only(Loop)};
      for (const Conditions &Each : T.Released)
        if (Conditions C = understood(L, Each, IsOfRound); !llvm::is_contained(Known.Released, C))
          Known.Released.push_back(std::move(C));
      join(Out, {Known});
    } else if (auto Owned = ownedThere(T, Path); Owned && L.arePossible(*Owned) != Answer::No) {
      Conditions Taken;
      Owned->append(T.Taken.begin(), T.Taken.end());
      for (Condition C : *Owned)
        L.addParts(L.carried(C, Loop), Taken);
      for (const RoundLink &Flag : Paths.linksOf(Loop))
        if (llvm::is_contained(*Owned, Flag.Ends) || !L.concerning({Flag.Ends}, *Owned).empty())
          L.addParts(L.same(Flag.Begins, L.carried(Flag.Ends, Loop)), Taken);
      Tenure Ended{std::move(Taken), {}, (T.Before & Around) | only(Loop)};
      join(Out, {Ended});
    }
  }
  return Out;
}

std::optional<Conditions> GuardQuestions::ownedThere(const Tenure &T, const Conditions &Path) {
  llvm::DenseSet<Condition> OnPath(Path.begin(), Path.end()), Known = OnPath;
  Known.insert(T.Taken.begin(), T.Taken.end());
  Conditions Seeds;
  for (Condition C : T.Taken)
    if (!OnPath.count(C))
      L.addParts(C, Seeds);
  for (const Conditions &Each : T.Released) {
    Condition Rest = L.always();
    for (Condition C : Each)
      if (!Known.count(C))
        Rest = L.both(Rest, C);
    if (Rest->isLiteral(true))
      return std::nullopt;
    L.addParts(L.no(Rest), Seeds);
  }
  Conditions Else = Path;
  Paths.addLaterRounds(T.Before, Else);
  for (Condition C : L.concerning(Seeds, Else))
    L.addParts(C, Seeds);
  return Seeds;
}

void GuardQuestions::forget(SharedGuard &G, const Conditions &True) const {
  auto IsTrue = [&](Condition C) { return llvm::is_contained(True, C); };
  auto Speaks = [&](const Conditions &Of) { return llvm::any_of(Of, IsTrue); };
  const bool IsConcerned = llvm::any_of(
      *G, [&](const Tenure &T) { return Speaks(T.Taken) || llvm::any_of(T.Released, Speaks); });
  if (!IsConcerned)
    return;
  for (Tenure &T : G.edit()) {
    llvm::erase_if(T.Taken, IsTrue);
    for (Conditions &Each : T.Released)
      llvm::erase_if(Each, IsTrue);
  }
}

bool GuardQuestions::isReleased(const ResourceGuard &G, const Conditions &Path) const {
  return llvm::all_of(G, [&](const Tenure &T) {
    return llvm::any_of(T.Released, [&](const Conditions &Each) {
      return llvm::all_of(Each, [&](Condition C) {
        return llvm::is_contained(T.Taken, C) || llvm::is_contained(Path, C);
      });
    });
  });
}

Answer GuardQuestions::isOwned(const Tenure &T, const Conditions &Path) {
  auto Question = ownedThere(T, Path);
  return Question ? L.arePossible(*Question) : Answer::No;
}

bool GuardQuestions::mayBeOwned(const ResourceGuard &G, const Conditions &Path) {
  return llvm::any_of(G, [&](const Tenure &T) { return isOwned(T, Path) != Answer::No; });
}

bool GuardQuestions::dependUnclearly(const Tenure &T, const Conditions &Path) const {
  Atoms Taken, There, Back;
  addAtoms(L, T.Taken, Taken);
  addAtoms(L, Path, There);
  for (const Conditions &Each : T.Released)
    addAtoms(L, Each, Back);
  Atoms All = Taken;
  All.insert(There.begin(), There.end());
  return areUnclear(L, Taken, There) || areUnclear(L, Back, All);
}

/// That no call failed of which \p Of speaks.
Conditions GuardQuestions::withoutFailure(llvm::ArrayRef<Condition> Of, bool OfTakesOnly) {
  std::set<TermId> Statuses;
  for (Condition C : Of)
    for (unsigned Atom : L.atomsOf(C))
      for (const auto &[T, Factor] : L.sumOf(Atom).Terms)
        if (Term::StatusKind S = L.term(T).Status;
            S == Term::OfTake || (S == Term::OfCall && !OfTakesOnly))
          Statuses.insert(T);
  Conditions Out(Of.begin(), Of.end());
  for (TermId T : Statuses) {
    Condition IsZero = L.isZero(Linear::term(T));
    L.addParts(L.term(T).ZeroMeansFailed ? L.no(IsZero) : IsZero, Out);
  }
  return Out;
}

After GuardQuestions::whenReached(const Conditions &Path) {
  if (L.arePossible(withoutFailure(Path, /*OfTakesOnly=*/true)) == Answer::No)
    return After::FailedTake;
  if (L.arePossible(withoutFailure(Path, /*OfTakesOnly=*/false)) == Answer::No)
    return After::FailedCall;
  return After::Anything;
}

std::optional<After> GuardQuestions::ownedAfter(const ResourceGuard &G, const Conditions &Path) {
  std::optional<After> Worst;
  for (const Tenure &T : G) {
    auto Question = ownedThere(T, Path);
    if (!Question || L.arePossible(*Question) != Answer::Yes || dependUnclearly(T, Path) ||
        isReleasedUnclearly(T, Path))
      continue;
    for (Condition C : Path)
      L.addParts(C, *Question);
    After When = whenReached(*Question);
    Worst = Worst ? std::min(*Worst, When) : When;
  }
  return Worst;
}

/// Whether some round has released it hangs on what rounds leave behind, as where the size grows:
/// `if (size > 0) free; alloc; size = n;`, or where every other round does: `if (k % 2) free;`.
bool GuardQuestions::isReleasedUnclearly(const Tenure &T, const Conditions &Path) const {
  auto IsUnclear = [&](const auto &Each) {
    const Term &Of = L.term(Each.first);
    return L.changesUnclearly(Each.first) || (Of.IsComputed && (Of.Loops & T.Before) != 0);
  };
  auto Changes = [&](unsigned Atom) { return llvm::any_of(L.sumOf(Atom).Terms, IsUnclear); };
  return llvm::any_of(T.Released, [&](const Conditions &Each) {
    return llvm::any_of(Each, [&](Condition C) {
      return !llvm::is_contained(Path, C) && llvm::any_of(L.atomsOf(C), Changes);
    });
  });
}

bool GuardQuestions::isOverwritten(const ResourceGuard &G, const Conditions &Path) {
  return llvm::any_of(G, [&](const Tenure &T) {
    return isOwned(T, Path) == Answer::Yes && !dependUnclearly(T, Path) &&
           !isReleasedUnclearly(T, Path);
  });
}

bool GuardQuestions::mayBeMissing(const ResourceGuard &G, const Conditions &Path) {
  Conditions Question = Path;
  for (const Tenure &T : G) {
    Condition Rest = L.always();
    for (Condition C : T.Taken)
      if (!llvm::is_contained(Path, C))
        Rest = L.both(Rest, C);
    L.addParts(L.no(Rest), Question);
  }
  return L.arePossible(withoutFailure(Question, /*OfTakesOnly=*/false)) != Answer::No;
}

} // namespace tensorleak
