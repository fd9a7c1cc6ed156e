//===-- Axioms.cpp - What is known of integers and of rounds ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The solver knows nothing of its atoms. Each question is asked together with what holds
// between those that it has: `n < 1` implies `n < 5`; what counts up was less in an
// earlier round; a flag that a round has set stays as it is.
//
//===----------------------------------------------------------------------===//
#include "checks/resources/conditions/Logic.h"

namespace tensorleak {

Logic::Asked Logic::asked(const Atoms &Of) {
  Asked All;
  for (unsigned Atom : Of)
    All[Groups[Atom].Sum][Groups[Atom].Bound] = AtomOf.at({Groups[Atom].Sum, Groups[Atom].Bound});
  return All;
}

/// The same sum in the round at hand, when \p Sum speaks of an earlier one.
std::optional<std::pair<unsigned, LoopId>> Logic::begun(unsigned Sum) const {
  Linear Out;
  std::optional<LoopId> Loop;
  for (const auto &[T, Factor] : Sums[Sum].Terms) {
    auto It = BegunOf.find(T);
    if (It != BegunOf.end() && Loop && *Loop != It->second.second)
      return std::nullopt;
    if (It != BegunOf.end())
      Loop = It->second.second;
    Out = *Out.plus(Linear::term(It == BegunOf.end() ? T : It->second.first), Factor);
  }
  auto Known = Loop ? SumOf.find(Out.Terms) : SumOf.end();
  if (Known == SumOf.end())
    return std::nullopt;
  return std::pair(Known->second, *Loop);
}

int Logic::stepOf(const Linear &Ended, LoopId L) const {
  int Step = 0;
  for (const auto &[T, Factor] : Ended.Terms) {
    auto Begun = BegunOf.find(T);
    if (Begun == BegunOf.end())
      continue;
    const int This = stepOf(Begun->second.first, L) * (Factor > 0 ? 1 : -1);
    if (This == 0 || This == -Step)
      return 0;
    Step = This;
  }
  return Step;
}

void Logic::addOrder(unsigned Sum, const Asked &All, Conditions &To) {
  auto Begun = begun(Sum);
  int Step = Begun ? stepOf(Sums[Sum], Begun->second) : 0;
  if (Step == 0 || !All.count(Begun->first))
    return;
  // What was nowhere less than that is more in a later round.
  std::map<int64_t, Condition> Was = All.at(Sum);
  const auto &Ended = Sums[Sum].Terms;
  const Term *Only = Ended.size() == 1 && Ended[0].second == 1 ? &Terms[Ended[0].first] : nullptr;
  if (Only && Only->Min)
    Was[*Only->Min] = never();
  if (Only && Only->Max)
    Was[*Only->Max + 1] = always();
  for (const auto &[Before, WasLess] : Was)
    for (const auto &[Now, IsLess] : All.at(Begun->first)) {
      if (Step > 0 && Now <= Before + 1)
        To.push_back(either(WasLess, no(IsLess)));
      if (Step < 0 && Now >= Before - 1)
        To.push_back(either(no(WasLess), IsLess));
    }
}

void Logic::addSettling(unsigned Sum, const Asked &All, Conditions &To) {
  auto Begun = begun(Sum);
  if (!Begun || Sums[Sum].Terms.size() != 1 || !All.count(Begun->first))
    return;
  auto It = Settles.find({Sums[Begun->first].Terms.front().first, Begun->second});
  if (It == Settles.end())
    return;
  Condition Follows = always(), IsFinal = always();
  for (const auto &[Bound, IsLess] : All.at(Begun->first)) {
    Condition After = ended(It->second.After(Bound), Begun->second);
    Follows = both(Follows, same(IsLess, After));
    IsFinal = both(IsFinal, same(IsLess, literal(It->second.Final < Bound)));
  }
  To.push_back(either(Follows, IsFinal));
}

/// That the sum of two terms is less than some bound, or is not, tells of \p Other what the range
/// of the term \p Bounded leaves: `k < n`, of a `k` that counts from zero, says that `n` is one at
/// least. Factors are 1 and -1.
void Logic::addDifference(unsigned Sum, std::pair<TermId, int64_t> Bounded,
                          std::pair<TermId, int64_t> Other, const Asked &All, Conditions &To) {
  const auto Alone = SumOf.find(Linear::term(Other.first).Terms);
  if (Alone == SumOf.end() || !All.count(Alone->second))
    return;
  const Term &Of = Terms[Bounded.first];
  const bool Rises = Bounded.second > 0, IsAdded = Other.second > 0;
  const auto Least = Rises ? Of.Min : Of.Max, Most = Rises ? Of.Max : Of.Min;
  for (const auto &[Bound, SumIsLess] : All.at(Sum))
    for (const auto &[Than, IsLess] : All.at(Alone->second)) {
      // Of the sum: less, so what is left of it is less than Bound - Least; else it is at least
      // Bound - Most.
      const std::optional<int64_t> Below =
          Least ? std::optional(Bound - *Least * Bounded.second) : std::nullopt;
      const std::optional<int64_t> From =
          Most ? std::optional(Bound - *Most * Bounded.second) : std::nullopt;
      if (Below && IsAdded && Than >= *Below)
        To.push_back(either(no(SumIsLess), IsLess));
      if (Below && !IsAdded && Than <= 1 - *Below)
        To.push_back(either(no(SumIsLess), no(IsLess)));
      if (From && IsAdded && Than <= *From)
        To.push_back(either(SumIsLess, no(IsLess)));
      if (From && !IsAdded && Than >= 1 - *From)
        To.push_back(either(SumIsLess, IsLess));
    }
}

void Logic::addDifferences(unsigned Sum, const Asked &All, Conditions &To) {
  const auto &Terms = Sums[Sum].Terms;
  if (Terms.size() != 2 || std::abs(Terms[0].second) != 1 || std::abs(Terms[1].second) != 1)
    return;
  addDifference(Sum, Terms[0], Terms[1], All, To);
  addDifference(Sum, Terms[1], Terms[0], All, To);
}

void Logic::addAxioms(Conditions &To, Atoms &Of) {
  size_t Given = To.size();
  const Asked First = asked(Of);
  for (const auto &[Sum, Bounds] : First)
    addSettling(Sum, First, To);
  for (Condition C : llvm::ArrayRef(To).drop_front(Given))
    Of.insert(atomsOf(C).begin(), atomsOf(C).end());
  Asked All = asked(Of);
  for (const auto &[Sum, Bounds] : All) {
    for (const auto &[Bound, IsLess] : Bounds) // a loop may have told more since the atom was made
      if (const auto Decided = decidedByRange(Sums[Sum], Bound))
        To.push_back(same(IsLess, literal(*Decided)));
    for (auto It = Bounds.begin(), Next = It; ++Next != Bounds.end(); ++It)
      To.push_back(either(no(It->second), Next->second));
    addOrder(Sum, All, To);
    addDifferences(Sum, All, To);
  }
}

} // namespace tensorleak
