//===-- StateConditions.cpp - Of what outlives the function ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/conditions/PathConditions.h"

#include "checks/resources/facts/MemberWrites.h"
#include "checks/source/UserCode.h"
#include "clang/AST/Decl.h"

using namespace clang;

namespace tensorleak {

static bool isAbout(const Term &T, const ValueDecl &D) {
  return llvm::is_contained(T.Mentions, &D);
}

static bool isAnyAbout(const Logic &L, unsigned Atom, const ValueDecl &D) {
  return llvm::any_of(L.sumOf(Atom).Terms,
                      [&](const auto &T) { return isAbout(L.term(T.first), D); });
}

bool PathConditions::asksAbout(const ValueDecl &D) const {
  return llvm::any_of(Branches, [&](const auto &Of) {
    return llvm::any_of(Of, [&](const Edge &E) {
      return E.When && L.mentions(E.When, [&](const Term &T) { return isAbout(T, D); });
    });
  });
}

/// Whether \p Block may run where all that \p Part asks about \p D is as \p Sign says.
Answer PathConditions::mayRunWith(unsigned Block, Condition Part, const ValueDecl &D, bool Sign) {
  Conditions All = L.concerning({Part}, In[Block]);
  All.push_back(Part);
  for (unsigned Atom : L.atomsOf(Part))
    if (isAnyAbout(L, Atom, D))
      All.push_back(Sign ? L.atom(Atom) : L.no(L.atom(Atom)));
  return L.arePossible(All);
}

/// \p Part asks about nothing but \p D, or about D whatever else it asks: where a call may have
/// set D, `if (!d)` is "not called, and the old one was null; or called, and the new one is".
bool PathConditions::tests(unsigned Block, Condition Part, const ValueDecl &D) {
  auto IsAboutD = [&](unsigned Atom) { return isAnyAbout(L, Atom, D); };
  return llvm::all_of(L.atomsOf(Part), IsAboutD) ||
         (llvm::any_of(L.atomsOf(Part), IsAboutD) &&
          (mayRunWith(Block, Part, D, true) == Answer::No ||
           mayRunWith(Block, Part, D, false) == Answer::No));
}

bool PathConditions::dependsOn(unsigned Block, const ValueDecl &D) {
  return llvm::any_of(In[Block], [&](Condition Part) { return tests(Block, Part, D); });
}

/// That \p D was null when the function began, where \p Part asks for that.
Condition PathConditions::nullAtBegin(Condition Part, const ValueDecl &D) {
  for (unsigned Atom : L.atomsOf(Part)) {
    const Linear Sum = L.sumOf(Atom);
    auto P = Sum.Terms.size() == 1 ? Values.beganAs(Sum.Terms.front().first) : std::nullopt;
    if (P && &Values.places()[*P].last() == &D)
      return L.isZero(Linear::term(Sum.Terms.front().first));
  }
  return nullptr;
}

/// Whether \p Block may run where \p Began holds.
Answer PathConditions::mayRunWhere(unsigned Block, Condition Began) {
  Conditions All = L.concerning({Began}, In[Block]);
  All.push_back(Began);
  return L.arePossible(All);
}

bool PathConditions::asksButRuns(unsigned Block, const ValueDecl &D) {
  for (Condition Part : In[Block])
    if (Condition Null = nullAtBegin(Part, D))
      return mayRunWhere(Block, Null) == Answer::Yes &&
             mayRunWhere(Block, L.no(Null)) == Answer::Yes;
  return false;
}

bool PathConditions::runsWithOld(unsigned Block, const ValueDecl &D) {
  return llvm::any_of(In[Block], [&](Condition Part) {
    Condition Null = nullAtBegin(Part, D);
    return Null && mayRunWhere(Block, Null) == Answer::No &&
           mayRunWhere(Block, L.no(Null)) == Answer::Yes;
  });
}

bool PathConditions::dependsOnState(unsigned Block) const {
  auto IsState = [](const Decl *D) {
    const auto *V = dyn_cast<VarDecl>(D);
    return isa<FieldDecl>(D) || (V && V->hasGlobalStorage());
  };
  return llvm::any_of(In[Block], [&](Condition Part) {
    return L.mentions(Part, [&](const Term &T) { return llvm::any_of(T.Mentions, IsState); });
  });
}

/// \p Sum compares what outlives the function, and is set under the condition \p Part, with
/// something else. An enumeration is no size: what is left where one state becomes another was
/// given back by another way there.
bool PathConditions::comparesState(const Linear &Sum, Condition Part) const {
  return Sum.Terms.size() > 1 && llvm::any_of(Sum.Terms, [&](const auto &T) {
           auto P = Values.beganAs(T.first);
           return P && Values.places()[*P].outlivesCall() &&
                  !Values.places()[*P].type()->isPointerType() &&
                  !Values.places()[*P].type()->isEnumeralType() && isSetUnder(Part, *P);
         });
}

/// \p Sum is a flag that outlives the function, and \p Block runs whatever that says.
bool PathConditions::isFlagEitherWay(unsigned Block, const Linear &Sum) {
  auto P = Sum.Terms.size() == 1 ? Values.beganAs(Sum.Terms.front().first) : std::nullopt;
  if (!P || !Values.places()[*P].outlivesCall() || !Values.places()[*P].type()->isBooleanType())
    return false;
  const Condition IsClear = L.isZero(Linear::term(Sum.Terms.front().first));
  return mayRunWhere(Block, IsClear) == Answer::Yes &&
         mayRunWhere(Block, L.no(IsClear)) == Answer::Yes;
}

static bool comparesNumbers(const Linear &Sum, ValueTable &Values) {
  return Sum.Terms.size() > 1 && llvm::all_of(Sum.Terms, [&](const auto &T) {
           auto P = Values.beganAs(T.first);
           return P && Values.places()[*P].type()->isArithmeticType();
         });
}

/// \p Sum is about one thing that outlives the function, which \p Compared is about as well.
static bool asksPartOf(const Linear &Compared, const Linear &Sum, ValueTable &Values) {
  auto P = Sum.Terms.size() == 1 ? Values.beganAs(Sum.Terms.front().first) : std::nullopt;
  return P && Values.places()[*P].outlivesCall() &&
         llvm::any_of(Compared.Terms,
                      [&](const auto &T) { return T.first == Sum.Terms.front().first; });
}

/// `n != size`, `!ready || n != size || m != others`: another size than the one before. What else
/// is compared there decides nothing: `if (n > most) n = most; if (n != size)`. But
/// `size == 0 && n != size` holds for the first one only.
bool PathConditions::isLimit(unsigned Block, Condition Part) {
  auto IsAskedAlone = [&](const Linear &Compared) {
    return llvm::any_of(In[Block], [&](Condition Each) {
      return llvm::any_of(L.atomsOf(Each), [&](unsigned Atom) {
        return asksPartOf(Compared, L.sumOf(Atom), Values);
      });
    });
  };
  auto IsEitherWay = [&](Condition C) {
    return mayRunWhere(Block, C) == Answer::Yes && mayRunWhere(Block, L.no(C)) == Answer::Yes;
  };
  bool Compares = false;
  for (unsigned Atom : L.atomsOf(Part)) {
    const Linear &Sum = L.sumOf(Atom);
    const bool IsOne = comparesState(Sum, Part);
    bool IsNoLimit = !isFlagEitherWay(Block, Sum) &&
                     !(comparesNumbers(Sum, Values) && IsEitherWay(L.atom(Atom)));
    if (IsOne ? IsAskedAlone(Sum) : IsNoLimit)
      return false;
    Compares |= IsOne;
  }
  return Compares;
}

/// What outlives the function and a function that is called here sets: `allocate(n);`, which ends
/// with `size = n;`.
void PathConditions::addAssignedBy(const CallExpr &Call, std::set<PlaceId> &Out) const {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || !Facts.Writes || isInLibraryHeader(*Callee))
    return;
  for (PlaceId P = 0; P < Values.places().size(); ++P)
    if (Values.places()[P].outlivesCall() &&
        Facts.Writes->namesToWrite(*Callee, Values.places()[P].last()))
      Out.insert(P);
}

bool PathConditions::isSetUnder(Condition Part, PlaceId P) const {
  for (unsigned Block = 0; Block < In.size(); ++Block)
    if (Assigned[Block].count(P) && llvm::is_contained(In[Block], Part))
      return true;
  return false;
}

bool PathConditions::growsWithInput(unsigned Block) {
  return llvm::any_of(In[Block], [&](Condition Part) { return isLimit(Block, Part); });
}

} // namespace tensorleak
