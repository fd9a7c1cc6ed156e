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
  for (const auto &[P, V] : Begin) {
    RoundEnds Ends;
    for (const Way &W : Ways)
      Ends.push_back({Ways.size() == 1
                          ? L.always()
                          : L.all(llvm::ArrayRef(W.Path).drop_front(In[Head.getBlockID()].size())),
                      Values.read(P, End[W.From->getBlockID()])});
    if (Values.places()[P].IsShared)
      continue;
    const TermId First = Values[V].Number->Terms.front().first;
    L.setChanging(First, Loop);
    linkPlace(Loop, First, Ends);
    if (Values.places()[P].type()->isBooleanType() && !L.isFollowed(First, Loop))
      linkFlag(Loop, V, Ends);
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

void PathConditions::linkFlag(LoopId Loop, ValueId Begin, const RoundEnds &Ends) {
  bool IsComputed = false;
  for (const auto &[When, V] : Ends)
    IsComputed |= Values[V].Truth != nullptr;
  if (IsComputed)
    Links[Loop].push_back({Values.isLess(Begin, 1), endsBelow(Ends, 1)});
}

void PathConditions::linkPlace(LoopId Loop, TermId Begin, const RoundEnds &Ends) {
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
  if (!Settles || !Final)
    return;
  auto After = [this, Ends](int64_t Bound) { return endsBelow(Ends, Bound); };
  L.setSettling(Begin, Loop, std::move(After), *Final);
}

} // namespace tensorleak
