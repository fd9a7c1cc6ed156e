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
    auto It = Monotone.find({Begun->second.first, L});
    int This = It == Monotone.end() ? 0 : It->second * (Factor > 0 ? 1 : -1);
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
  for (const auto &[Before, WasLess] : All.at(Sum))
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

void Logic::addAxioms(Conditions &To, Atoms &Of) {
  size_t Given = To.size();
  const Asked First = asked(Of);
  for (const auto &[Sum, Bounds] : First)
    addSettling(Sum, First, To);
  for (Condition C : llvm::ArrayRef(To).drop_front(Given))
    Of.insert(atomsOf(C).begin(), atomsOf(C).end());
  Asked All = asked(Of);
  for (const auto &[Sum, Bounds] : All) {
    for (auto It = Bounds.begin(), Next = It; ++Next != Bounds.end(); ++It)
      To.push_back(either(no(It->second), Next->second));
    addOrder(Sum, All, To);
  }
}

} // namespace tensorleak
