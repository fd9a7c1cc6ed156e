//===-- LoopBeat.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/facts/rounds/LoopBeat.h"
#include "runtime/replay/growth/Growth.h"

#include <algorithm>

namespace tensorleak {
namespace {

/// From the outermost function in. Two places on one line differ by their column, and two
/// operators of one place by their number.
std::string keyOf(const Beat &B, size_t Depth) {
  const std::vector<Frame> &Frames = B.Site->Frames;
  if (Depth >= Frames.size())
    return "#" + std::to_string(B.SiteId);
  return placeKey(Frames[Frames.size() - 1 - Depth]);
}

const Beat *rarest(const Beats &Group) {
  return *std::min_element(Group.begin(), Group.end(), [](const Beat *A, const Beat *B) {
    return std::make_pair(A->Executions, A->At.front()) <
           std::make_pair(B->Executions, B->At.front());
  });
}

/// Up to the one that the end of the run, or of its recording, has cut off.
bool sameRate(const Beat &A, const Beat &B) {
  uint64_t Less = std::min(A.Executions, B.Executions);
  return std::max(A.Executions, B.Executions) - Less <= 2 + Less / 50;
}

const std::vector<uint64_t> &blocksOf(const Beat &B, size_t Depth) {
  static const std::vector<uint64_t> None;
  const std::vector<Frame> &Frames = B.Site->Frames;
  return Depth < Frames.size() ? Frames[Frames.size() - 1 - Depth].Blocks : None;
}

/// Up to twice as often, in the same block: a condition leaves the other out, as `continue` does.
bool isLeftOutBeside(const Beat &A, const Beat &B, size_t Depth) {
  return A.Executions < B.Executions && A.Executions * 2 >= B.Executions && !sameRate(A, B) &&
         !blocksOf(A, Depth).empty() && blocksOf(A, Depth) == blocksOf(B, Depth);
}

/// The rate that most calls have; of two the slower, which is the outer loop's.
const Beat *mostAlike(const Beats &Calls, size_t Depth) {
  Beats Best;
  for (const Beat *B : Calls) {
    Beats Alike;
    for (const Beat *Other : Calls)
      if (sameRate(*B, *Other))
        Alike.push_back(Other);
    bool IsBetter =
        Alike.size() == Best.size() &&
        (isLeftOutBeside(*rarest(Best), *B, Depth) ||
         (B->Executions < rarest(Best)->Executions && !isLeftOutBeside(*B, *rarest(Best), Depth)));
    if (Alike.size() > Best.size() || IsBetter)
      Best = Alike;
  }
  return rarest(Best);
}

/// Of the function that the calls are made in, "" if unknown.
std::string functionOf(const Beat &B, size_t Depth) {
  const std::vector<Frame> &Frames = B.Site->Frames;
  return Depth < Frames.size() ? Frames[Frames.size() - 1 - Depth].Function : "";
}

/// Whether \p Inner stands in the block of \p Outer, or in one within it. What is in no block of a
/// function that has some is in its body.
bool isWithin(const Beat &Inner, const Beat &Outer, size_t Depth) {
  const std::vector<uint64_t> &Blocks = blocksOf(Inner, Depth), &Around = blocksOf(Outer, Depth);
  if (Around.empty())
    return !Blocks.empty() && !functionOf(Inner, Depth).empty() &&
           functionOf(Inner, Depth) == functionOf(Outer, Depth);
  return Around.size() <= Blocks.size() && std::equal(Around.begin(), Around.end(), Blocks.begin());
}

/// If something ran too rarely to judge by: what ran more often in the same block or in one
/// around it, as all that is executed in every round where that is done in some of them.
const Beat *loopOfCondition(const Beat &Rare, const Beats &Calls, size_t Depth) {
  Beats Always;
  for (const Beat *B : Calls)
    if (Rare.Executions < MinStepsToJudge && B->Executions >= MinStepsToJudge &&
        isWithin(Rare, *B, Depth))
      Always.push_back(B);
  return Always.empty() ? nullptr : mostAlike(Always, Depth);
}

/// The outer loop went round too rarely to judge by: then what is executed in each of its rounds as
/// often as it takes.
const Beat *loopWithin(const Beat &Rare, const Beats &Calls, size_t Depth) {
  Beats Often;
  for (const Beat *B : Calls)
    if (Rare.Executions < MinStepsToJudge && B->Executions >= MinStepsToJudge * Rare.Executions)
      Often.push_back(B);
  return Often.empty() ? nullptr : mostAlike(Often, Depth);
}

/// What is executed less often and stands in a block around the other's: then that is in a
/// loop of its own, within the loop of this one. Null if there is none.
const Beat *loopAround(const Beat &Inner, const Beats &Calls, size_t Depth) {
  Beats Around;
  for (const Beat *B : Calls) {
    bool IsAround =
        blocksOf(*B, Depth).size() < blocksOf(Inner, Depth).size() && isWithin(Inner, *B, Depth);
    if (IsAround && B->Executions >= MinStepsToJudge && B->Executions < Inner.Executions &&
        !sameRate(*B, Inner))
      Around.push_back(B);
  }
  return Around.empty() ? nullptr : mostAlike(Around, Depth);
}

using Groups = std::map<std::string, Beats>;

/// In how many calls something is executed as often.
size_t supportOf(const Beat &B, const Groups &Calls) {
  return size_t(std::count_if(Calls.begin(), Calls.end(), [&B](const auto &Call) {
    return std::any_of(Call.second.begin(), Call.second.end(),
                       [&B](const Beat *Other) { return sameRate(B, *Other); });
  }));
}

/// What is executed once in each execution of a call: what it does most rarely; or what it does up
/// to twice as often, if other calls are executed as often: then it returns early in some rounds.
const Beat *ofCall(const Beats &Call, const Groups &Calls) {
  const Beat *Rarest = rarest(Call), *Best = Rarest;
  for (const Beat *B : Call)
    if (B->Executions < 2 * Rarest->Executions && supportOf(*B, Calls) > supportOf(*Best, Calls))
      Best = B;
  return Best;
}

/// Whether \p Early stands before \p Late in the same block of the same function, and is executed
/// in at most twice as many rounds: the function may be left in between, by a return or an
/// exception. An inner loop that is not a block of its own would go round more often. Of Python,
/// whose lines have no column, no blocks are known.
bool mayLeaveBetween(const Beat &Early, const Beat &Late, size_t Depth) {
  const std::vector<Frame> &First = Early.Site->Frames, &Second = Late.Site->Frames;
  if (Depth >= First.size() || Depth >= Second.size() || functionOf(Late, Depth).empty())
    return false;
  const Frame &Before = First[First.size() - 1 - Depth], &After = Second[Second.size() - 1 - Depth];
  return Before.Function == After.Function && Before.Blocks == After.Blocks &&
         Before.Where.File == After.Where.File && Before.Where.Column &&
         Before.Where.Line < After.Where.Line && Late.Executions < Early.Executions &&
         Early.Executions <= 2 * Late.Executions && !sameRate(Early, Late);
}

/// What most calls are left out of in some rounds is no round: what comes before them is. Null if
/// they are executed in each.
const Beat *beforeLeaving(const Beat &Late, const Beats &Calls, size_t Depth) {
  Beats Early;
  for (const Beat *B : Calls)
    if (mayLeaveBetween(*B, Late, Depth))
      Early.push_back(B);
  return Early.empty() ? nullptr : mostAlike(Early, Depth);
}

} // namespace

LoopBeat loopBeat(const Beats &Among, size_t Depth) {
  Groups ByCall;
  for (const Beat *B : Among)
    ByCall[keyOf(*B, Depth)].push_back(B);
  if (ByCall.size() == 1 && (Among.size() > 1 || Depth + 1 < Among[0]->Site->Frames.size()))
    return loopBeat(Among, Depth + 1);
  Beats Calls;
  for (const auto &[Key, Call] : ByCall)
    Calls.push_back(ofCall(Call, ByCall));
  const Beat *Best = mostAlike(Calls, Depth);
  if (const Beat *Always = loopOfCondition(*Best, Calls, Depth))
    Best = Always;
  else if (const Beat *Inner = loopWithin(*Best, Calls, Depth))
    Best = Inner;
  else if (const Beat *Early = beforeLeaving(*Best, Calls, Depth))
    Best = Early;
  while (const Beat *Outer = loopAround(*Best, Calls, Depth))
    Best = Outer;
  return {Best, Depth};
}

} // namespace tensorleak
