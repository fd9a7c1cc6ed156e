//===-- RoundLinks.cpp - From one round of a loop to the next --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the next round begins with is what the one before has left.
//
//===----------------------------------------------------------------------===//
#include "checks/resources/conditions/PathConditions.h"

using namespace clang;

namespace tensorleak {

void PathConditions::linkRounds(const CFGBlock &Head, LoopId Loop, const Changing &Begin) {
  std::vector<Way> Ways;
  for (const CFGBlock *Last : Head.preds()) {
    if (!Last || !Rounds.comesBack(*Last, Head))
      continue;
    unsigned I = llvm::find(Last->succs(), &Head) - Last->succ_begin();
    if (isTaken(*Last, I))
      Ways.push_back({Last, along(*Last, I)});
  }
  for (const auto &[P, Of] : Begin) {
    RoundEnds Ends;
    for (const Way &W : Ways)
      Ends.push_back({Ways.size() == 1
                          ? L.always()
                          : L.all(llvm::ArrayRef(W.Path).drop_front(In[Head.getBlockID()].size())),
                      Values.read(P, End[W.From->getBlockID()])});
    if (Values.places()[P].IsShared)
      continue;
    const TermId First = Values[Of.Begin].Number->Terms.front().first;
    L.setChanging(First, Loop);
    linkPlace(Loop, Of, Ends);
    if (Values.places()[P].type()->isBooleanType() && !L.isFollowed(First, Loop))
      linkFlag(Loop, Of.Begin, Ends);
    addLaterRound(Loop, Of, Ends);
    if (auto Last = onlyTerm(Ends); Last && *Last != First)
      L.setCarried(*Last, Loop, First);
  }
}

/// What a place is at the end of each round, where that is one term.
std::optional<TermId>
PathConditions::onlyTerm(llvm::ArrayRef<std::pair<Condition, ValueId>> Ends) const {
  std::set<std::optional<TermId>> Found;
  for (const auto &[When, V] : Ends)
    Values.forEachNumber(V, [&](const Linear *Sum) {
      bool IsTerm =
          Sum && Sum->Constant == 0 && Sum->Terms.size() == 1 && Sum->Terms.front().second == 1;
      Found.insert(IsTerm ? std::optional(Sum->Terms.front().first) : std::nullopt);
    });
  return Found.size() == 1 ? *Found.begin() : std::nullopt;
}

/// Whether what \p Ends are is less than \p Bound.
Condition PathConditions::endsBelow(const RoundEnds &Ends, int64_t Bound) {
  Condition Out = L.never();
  for (const auto &[When, V] : Ends)
    Out = L.either(Out, L.both(When, Values.isLess(V, Bound)));
  return Out;
}

/// That \p Begin is one of the numbers that rounds leave, where they leave nothing else.
Condition PathConditions::isAnyEnd(ValueId Begin, const RoundEnds &Ends) {
  std::set<int64_t> Numbers;
  bool AreAll = !Ends.empty();
  for (const auto &[When, V] : Ends)
    Values.forEachNumber(V, [&](const Linear *Sum) {
      AreAll &= Sum && Sum->isConstant();
      if (AreAll)
        Numbers.insert(Sum->Constant);
    });
  Condition Out = AreAll ? L.never() : L.always();
  for (int64_t Each : AreAll ? Numbers : std::set<int64_t>())
    if (auto Rest = Values[Begin].Number->plus(Linear::constant(Each), -1))
      Out = L.either(Out, L.isZero(*Rest));
  return Out;
}

/// What counts has counted at least once, and what each round sets is set.
void PathConditions::addLaterRound(LoopId Loop, const Round &Of, const RoundEnds &Ends) {
  if (Loop + 1 == Loops::MaxLoops)
    return; // of several loops
  Conditions &To = LaterRounds[Loop];
  const Linear &Now = *Values[Of.Begin].Number;
  const int Step = L.stepOf(Now.Terms.front().first, Loop);
  const auto &Before = Values[Of.Before].Number;
  auto Gone = Before && Step != 0 ? Before->plus(Now, -1) : std::nullopt;
  if (auto Less = Gone ? Linear().plus(*Gone, Step) : std::nullopt)
    L.addParts(L.isNegative(*Less), To);
  L.addParts(isAnyEnd(Of.Begin, Ends), To);
}

void PathConditions::addLaterRounds(LoopSet Loops, Conditions &To) const {
  if (Loops == 0)
    return;
  for (const auto &[Loop, Known] : LaterRounds)
    if (Loops & only(Loop))
      To.append(Known.begin(), Known.end());
}

void PathConditions::linkFlag(LoopId Loop, ValueId Begin, const RoundEnds &Ends) {
  bool IsComputed = false;
  for (const auto &[When, V] : Ends)
    IsComputed |= Values[V].Truth != nullptr;
  if (IsComputed)
    Links[Loop].push_back({Values.isLess(Begin, 1), endsBelow(Ends, 1)});
}

void PathConditions::linkPlace(LoopId Loop, const Round &Of, const RoundEnds &Ends) {
  const TermId Begin = Values[Of.Begin].Number->Terms.front().first;
  const std::optional<Linear> &Before = Values[Of.Before].Number;
  bool Rises = !Ends.empty(), Falls = Rises, Settles = Rises;
  std::optional<int64_t> Final;
  for (const auto &[When, V] : Ends)
    Values.forEachNumber(V, [&](const Linear *Sum) {
      auto Step = Sum ? Sum->plus(Linear::term(Begin), -1) : std::nullopt;
      bool IsStep = Step && Step->isConstant();
      Rises &= IsStep && Step->Constant > 0;
      Falls &= IsStep && Step->Constant < 0;
      bool IsFinal = Sum && Sum->isConstant() && Final.value_or(Sum->Constant) == Sum->Constant;
      if (IsFinal)
        Final = Sum->Constant;
      Settles &= IsFinal || (IsStep && Step->Constant == 0);
    });
  if (Rises || Falls)
    L.setMonotone(Begin, Loop, Rises ? 1 : -1);
  if (Before && Before->isConstant() && Rises)
    L.setLeast(Begin, Before->Constant);
  if (Before && Before->isConstant() && Falls)
    L.setMost(Begin, Before->Constant);
  if (!Settles || !Final)
    return;
  auto After = [this, Ends](int64_t Bound) { return endsBelow(Ends, Bound); };
  L.setSettling(Begin, Loop, std::move(After), *Final);
}

} // namespace tensorleak
