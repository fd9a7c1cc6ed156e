//===-- Logic.cpp ---------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/conditions/Logic.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/Support/MathExtras.h"

namespace tensorleak {

using clang::dataflow::Formula;

/// Beyond that, sums and bounds could overflow: nobody counts resources so far.
static constexpr int64_t MaxNumber = int64_t(1) << 40;

//===-- Sums --------------------------------------------------------------===//

std::optional<Linear> Linear::plus(const Linear &O, int64_t Times) const {
  std::map<TermId, int64_t> Sum(Terms.begin(), Terms.end());
  Linear Out;
  bool Overflows = llvm::MulOverflow(O.Constant, Times, Out.Constant) ||
                   llvm::AddOverflow(Out.Constant, Constant, Out.Constant);
  for (const auto &[T, Factor] : O.Terms) {
    int64_t More = 0;
    Overflows |= llvm::MulOverflow(Factor, Times, More) ||
                 llvm::AddOverflow(Sum[T], More, Sum[T]) || std::abs(Sum[T]) > MaxNumber;
  }
  if (Overflows || std::abs(Out.Constant) > MaxNumber)
    return std::nullopt;
  for (const auto &Each : Sum)
    if (Each.second != 0)
      Out.Terms.push_back(Each);
  return Out;
}

TermId Logic::add(Term T) {
  Terms.push_back(std::move(T));
  return Terms.size() - 1;
}

std::optional<bool> Logic::decidedByRange(const Linear &L, int64_t Bound) const {
  if (L.isConstant())
    return 0 < Bound;
  if (L.Terms.size() > 1 || L.Terms.front().second != 1)
    return std::nullopt;
  const Term &T = Terms[L.Terms.front().first];
  if (T.Min && Bound <= *T.Min)
    return false;
  if (T.Max && Bound > *T.Max)
    return true;
  return std::nullopt;
}

Condition Logic::atom(const Linear &L, int64_t Bound) {
  auto [It, New] = SumOf.try_emplace(L.Terms, Sums.size());
  if (New)
    Sums.push_back({L.Terms, 0});
  Condition &Known = AtomOf[{It->second, Bound}];
  if (!Known) {
    Known = &Formulas.makeAtomRef(Formulas.makeAtom());
    Groups.push_back({It->second, Bound});
  }
  return Known;
}

/// \p L, without its constant, is less than \p Bound.
Condition Logic::less(const Linear &L, int64_t Bound) {
  if (!L.isConstant() && L.Terms.front().second < 0) {
    Linear Negated = *Linear().plus({L.Terms, 0}, -1);
    return no(less(Negated, 1 - Bound));
  }
  if (auto Decided = decidedByRange(L, Bound))
    return literal(*Decided);
  return atom(L, Bound);
}

Condition Logic::isNegative(Linear L) { return less(L, -L.Constant); }

Condition Logic::isZero(const Linear &L) {
  return both(no(less(L, -L.Constant)), less(L, 1 - L.Constant));
}

//===-- Formulas ----------------------------------------------------------===//

Condition Logic::no(Condition A) {
  return A->kind() == Formula::Not ? A->operands()[0] : &Formulas.makeNot(*A);
}

Condition Logic::all(llvm::ArrayRef<Condition> Of) {
  Condition Out = always();
  for (Condition C : Of)
    Out = both(Out, C);
  return Out;
}

Condition Logic::any(llvm::ArrayRef<Condition> Of) {
  Condition Out = never();
  for (Condition C : Of)
    Out = either(Out, C);
  return Out;
}

void Logic::addParts(Condition C, Conditions &To) const {
  if (C->kind() == Formula::And) {
    addParts(C->operands()[0], To);
    addParts(C->operands()[1], To);
  } else if (!C->isLiteral(true) && !llvm::is_contained(To, C)) {
    To.push_back(C);
  }
}

const llvm::SetVector<unsigned> &Logic::atomsOf(Condition C) const {
  std::unique_ptr<Atoms> &Known = AtomsOf[C];
  if (Known)
    return *Known;
  auto Out = std::make_unique<Atoms>();
  llvm::SetVector<Condition> All;
  All.insert(C);
  for (size_t I = 0; I < All.size(); ++I) {
    if (All[I]->kind() == Formula::AtomRef)
      Out->insert(unsigned(All[I]->getAtom()));
    for (Condition Part : All[I]->operands())
      All.insert(Part);
  }
  Known = std::move(Out);
  return *Known;
}

bool Logic::mentions(Condition C, TermTest Is) const {
  return llvm::any_of(atomsOf(C), [&](unsigned Atom) {
    return llvm::any_of(sumOf(Atom).Terms, [&](const auto &T) { return Is(Terms[T.first]); });
  });
}

/// Negations are driven inwards; what an atom has to say in favour of \p C is granted.
Condition Logic::weakened(Condition C, bool Positive, TermTest Of, Memo &Known) {
  if (auto It = Known.find({C, Positive}); It != Known.end())
    return It->second;
  auto Part = [&](unsigned I, bool Sign) {
    return weakened(C->operands()[I], Sign == Positive, Of, Known);
  };
  Condition Out = always();
  switch (C->kind()) {
  case Formula::Literal:
    Out = literal(C->literal() == Positive);
    break;
  case Formula::AtomRef:
    if (!mentions(C, Of))
      Out = Positive ? C : no(C);
    break;
  case Formula::Not:
    Out = Part(0, false);
    break;
  case Formula::And:
  case Formula::Or: {
    bool IsAnd = (C->kind() == Formula::And) == Positive;
    Out = IsAnd ? both(Part(0, true), Part(1, true)) : either(Part(0, true), Part(1, true));
    break;
  }
  case Formula::Implies:
    Out = Positive ? either(Part(0, false), Part(1, true)) : both(Part(0, false), Part(1, true));
    break;
  case Formula::Equal:
    if (!mentions(C, Of))
      Out = Positive ? C : no(C);
    break;
  }
  return Known[{C, Positive}] = Out;
}

Condition Logic::without(Condition C, TermTest Of) {
  Memo Known;
  return mentions(C, Of) ? weakened(C, true, Of, Known) : C;
}

//===-- Rounds that are over ----------------------------------------------===//

TermId Logic::endedTerm(TermId T, LoopId L) {
  if (!(Terms[T].Loops & only(L)))
    return T;
  auto [It, New] = EndedOf.try_emplace({T, L}, Terms.size());
  if (New) {
    Term Copy = Terms[T];
    Copy.Loops &= only(L) - 1; // those around L come before it
    Copy.Ended |= only(L);
    add(std::move(Copy));
    BegunOf[It->second] = {T, L};
  }
  return It->second;
}

Condition Logic::replaced(Condition C, NewTerm By, Memo &Known) {
  if (auto It = Known.find({C, true}); It != Known.end())
    return It->second;
  auto Part = [&](unsigned I) { return replaced(C->operands()[I], By, Known); };
  Condition Out = C;
  switch (C->kind()) {
  case Formula::Literal:
    break;
  case Formula::AtomRef: {
    Group G = Groups[unsigned(C->getAtom())];
    Linear Of = Sums[G.Sum], Sum;
    for (const auto &[T, Factor] : Of.Terms)
      Sum = *Sum.plus(Linear::term(By(T)), Factor);
    Out = less(Sum, G.Bound);
    break;
  }
  case Formula::Not:
    Out = no(Part(0));
    break;
  case Formula::And:
    Out = both(Part(0), Part(1));
    break;
  case Formula::Or:
    Out = either(Part(0), Part(1));
    break;
  case Formula::Implies:
    Out = either(no(Part(0)), Part(1));
    break;
  case Formula::Equal:
    Out = same(Part(0), Part(1));
    break;
  }
  return Known[{C, true}] = Out;
}

Condition Logic::ended(Condition C, LoopId L) {
  Memo Known;
  return replaced(C, [&](TermId T) { return endedTerm(T, L); }, Known);
}

Condition Logic::carried(Condition C, LoopId L) {
  Memo Known;
  auto Next = [&](TermId T) {
    auto It = CarriedAs.find({T, L});
    // After `const bool now = first;` more is known of `first` than that.
    return It == CarriedAs.end() || isFollowed(T, L) ? endedTerm(T, L) : It->second;
  };
  return replaced(C, Next, Known);
}

//===-- Questions ---------------------------------------------------------===//

void Logic::addRoots(Condition C, llvm::SetVector<TermId> &To) const {
  for (unsigned Atom : atomsOf(C))
    for (auto [T, Factor] : sumOf(Atom).Terms) {
      for (auto It = BegunOf.find(T); It != BegunOf.end(); It = BegunOf.find(T))
        T = It->second.first;
      To.insert(T);
    }
}

/// The terms of \p C, and those that a round asks where it changes one of them; a term of a round
/// that is over counts as the one that it was.
const llvm::SmallVector<TermId, 4> &Logic::rootsOf(Condition C) const {
  auto &Known = RootsOf[C];
  if (Known)
    return *Known;
  llvm::SetVector<TermId> Roots;
  addRoots(C, Roots);
  for (size_t I = 0; I < Roots.size(); ++I) // more come in
    for (auto It = Settles.lower_bound({Roots[I], 0});
         It != Settles.end() && It->first.first == Roots[I]; ++It)
      for (int64_t Bound : {It->second.Final, It->second.Final + 1}) // of a flag one is trivial
        addRoots(It->second.After(Bound), Roots);
  auto &New = RootsOf[C];
  New = std::make_unique<llvm::SmallVector<TermId, 4>>(Roots.begin(), Roots.end());
  return *New;
}

/// Groups that share no term: each can hold or not by itself.
std::vector<Conditions> Logic::apart(llvm::ArrayRef<Condition> Parts) const {
  llvm::EquivalenceClasses<TermId> Together;
  for (Condition C : Parts)
    for (TermId T : rootsOf(C))
      Together.unionSets(rootsOf(C).front(), T);
  std::map<TermId, size_t> Place;
  std::vector<Conditions> Out;
  for (Condition C : Parts) {
    if (rootsOf(C).empty())
      continue;
    auto [It, New] = Place.try_emplace(Together.getLeaderValue(rootsOf(C).front()), Out.size());
    if (New)
      Out.emplace_back();
    Out[It->second].push_back(C);
  }
  return Out;
}

Conditions Logic::concerning(llvm::ArrayRef<Condition> Seeds, llvm::ArrayRef<Condition> Of) const {
  Conditions All(Seeds.begin(), Seeds.end()), Out;
  All.append(Of.begin(), Of.end());
  for (const Conditions &Group : apart(All))
    if (llvm::any_of(Group, [&](Condition C) { return llvm::is_contained(Seeds, C); }))
      for (Condition C : Group)
        if (!llvm::is_contained(Seeds, C))
          Out.push_back(C);
  return Out;
}

/// Decides what needs no solver: bounds of one sum.
std::optional<bool> Logic::fitsBounds(llvm::ArrayRef<Condition> Literals) const {
  int64_t Least = -MaxNumber * 4, Most = MaxNumber * 4;
  std::optional<unsigned> Sum;
  for (Condition C : Literals) {
    bool IsNot = C->kind() == Formula::Not;
    Condition Atom = IsNot ? C->operands()[0] : C;
    if (Atom->kind() != Formula::AtomRef)
      return std::nullopt;
    const Group &G = Groups[unsigned(Atom->getAtom())];
    if (Sum.value_or(G.Sum) != G.Sum)
      return std::nullopt;
    Sum = G.Sum;
    (IsNot ? Least : Most) = IsNot ? std::max(Least, G.Bound) : std::min(Most, G.Bound - 1);
    if (const auto Decided = decidedByRange(Sums[G.Sum], G.Bound); Decided == IsNot)
      return false;
  }
  return Least <= Most;
}

/// Questions that differ have parts in common.
Answer Logic::solveOnce(Conditions Parts) {
  if (auto Fits = fitsBounds(Parts))
    return *Fits ? Answer::Yes : Answer::No;
  Conditions Key = Parts; // the solver gets them in their order: what it can afford depends on that
  llvm::sort(Key);
  auto [It, New] = Solved.try_emplace(std::move(Key), Answer::Unknown);
  if (New)
    It->second = solve(std::move(Parts));
  return It->second;
}

Answer Logic::solve(Conditions Parts) {
  if (Solver.reachedLimit()) {
    ++Undecided;
    return Answer::Unknown;
  }
  Atoms Of;
  for (Condition C : Parts)
    Of.insert(atomsOf(C).begin(), atomsOf(C).end());
  addAxioms(Parts, Of);
  using Status = clang::dataflow::Solver::Result::Status;
  bool TooMany = isOver(Budget::ConditionParts, Of.size());
  Status Found = TooMany ? Status::TimedOut : Solver.solve(Parts).getStatus();
  Undecided += Found == Status::TimedOut;
  if (!TooMany && Found == Status::TimedOut)
    isOver(Budget::SolverWork, limitOf(Budget::SolverWork) + 1);
  return Found == Status::Satisfiable     ? Answer::Yes
         : Found == Status::Unsatisfiable ? Answer::No
                                          : Answer::Unknown;
}

/// The same is asked again and again, as blocks are visited until nothing changes.
Answer Logic::arePossible(llvm::ArrayRef<Condition> Together) {
  Conditions Key(Together.begin(), Together.end());
  llvm::sort(Key);
  if (auto It = Possible.find(Key); It != Possible.end())
    return It->second;
  return Possible[std::move(Key)] = areAllPossible(Together);
}

Answer Logic::areAllPossible(llvm::ArrayRef<Condition> Together) {
  Conditions Parts;
  for (Condition C : Together)
    addParts(C, Parts);
  if (llvm::any_of(Parts, [](Condition C) { return C->isLiteral(false); }))
    return Answer::No;
  Answer Out = Answer::Yes;
  for (Conditions &Group : apart(Parts)) {
    Answer Each = solveOnce(std::move(Group));
    if (Each == Answer::No)
      return Each;
    if (Each == Answer::Unknown)
      Out = Each;
  }
  return Out;
}

} // namespace tensorleak
