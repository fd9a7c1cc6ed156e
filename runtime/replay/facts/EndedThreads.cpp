//===-- EndedThreads.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/facts/EndedThreads.h"
#include "runtime/replay/growth/Growth.h"

#include <algorithm>

namespace tensorleak {
namespace {

using Objects = std::vector<RecordedObject *>;
using Ends = std::multimap<uint64_t, const trace::ThreadEnd *>; ///< by thread

/// The end of the thread that freed it, if it did that as it ended.
const trace::ThreadEnd *endThatFreed(const RecordedObject &O, const Ends &All) {
  auto [First, Last] = All.equal_range(O.FreedBy);
  for (auto End = First; End != Last && O.DeathTick; ++End)
    if (uint64_t LastAllocation = End->second->LastAllocation;
        O.BirthSequence <= LastAllocation && O.DeathSequence >= LastAllocation &&
        O.DeathSequence <= End->second->Sequence)
      return End->second;
  return nullptr;
}

std::map<const trace::ThreadEnd *, Objects> freedAtEnds(SourceSite &Site, const Ends &All) {
  std::map<const trace::ThreadEnd *, Objects> Out;
  for (RecordedObject &O : Site.Objects)
    if (const trace::ThreadEnd *End = endThatFreed(O, All))
      Out[End].push_back(&O);
  return Out;
}

/// By the steps from the first of them that was made to the thread's end.
bool grew(const Objects &Kept, const StepClock &Clock) {
  uint32_t First = UINT32_MAX, End = Clock.deathOf(*Kept.front()).value_or(Clock.steps());
  for (const RecordedObject *O : Kept)
    First = std::min(First, Clock.birthOf(*O));
  std::vector<Lifetime> Lives;
  for (const RecordedObject *O : Kept)
    Lives.push_back({Clock.birthOf(*O) - First, Lifetime::Never, int64_t(O->Bytes)});
  return judge(seriesOf(Lives, End - First)) == Growth::Growing;
}

/// Whether what the thread allocated last it allocated in its rounds.
bool endsInLoop(const Recording &R, const trace::ThreadEnd &End, const SourceSite &Site) {
  auto Counted = R.Counters.find(End.LastSite);
  return Counted != R.Counters.end() && 2 * Counted->second.Allocations >= Site.Allocations;
}

void keepAt(const Recording &R, const Ends &All, const StepClock &Clock, SourceSite &Site) {
  for (auto &[End, Kept] : freedAtEnds(Site, All))
    if (Kept.size() >= MinStepsToJudge && endsInLoop(R, *End, Site) && grew(Kept, Clock))
      for (RecordedObject *O : Kept)
        O->DeathTick.reset();
}

} // namespace

void keepWhatEndedThreadsKept(const Recording &R, RunFacts &Facts) {
  Ends All;
  for (const trace::ThreadEnd &End : R.ThreadEnds)
    All.emplace(End.Thread, &End);
  for (SourceSite &Site : Facts.Sites)
    keepAt(R, All, Site.Loop ? Facts.OtherLoops[*Site.Loop] : Facts.Clock, Site);
}

} // namespace tensorleak
