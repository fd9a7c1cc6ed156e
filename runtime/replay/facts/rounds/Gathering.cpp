//===-- Gathering.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/facts/rounds/Gathering.h"
#include "runtime/replay/facts/rounds/LoopClock.h"

#include <algorithm>
#include <set>

namespace tensorleak {
namespace {

using Device = std::pair<uint8_t, int8_t>;

/// Of the last boundary that had no more allocations before it.
uint64_t tickAt(const Recording &R, uint64_t Allocations) {
  uint64_t Tick = 0;
  for (const trace::Boundary &B : R.Boundaries)
    if (B.Sequence <= Allocations)
      Tick = std::max(Tick, B.Tick);
  return Tick;
}

/// The most memory that was taken after the loop beside what there was, and above what its rounds
/// take for a while.
uint64_t takenAfter(const Recording &R, const Beat &OfLoop) {
  uint64_t Begin = tickAt(R, OfLoop.At.front()), End = tickAt(R, OfLoop.At.back());
  uint64_t Usual = 0, Most = 0;
  std::map<Device, uint64_t> Before;
  bool IsAfter = false; // the last look has the tick of the one before
  for (const trace::LiveMemory &L : R.LiveMemory) {
    for (const trace::DeviceBytes &D : L.Devices) {
      uint64_t &Had = Before.try_emplace({D.DeviceType, D.DeviceIndex}, D.Live).first->second;
      uint64_t Rise = D.High - std::min(D.High, Had);
      if (IsAfter || L.Tick > Begin)
        (IsAfter ? Most : Usual) = std::max(IsAfter ? Most : Usual, Rise);
      Had = IsAfter ? Had : D.Live;
    }
    IsAfter |= L.Tick >= End;
  }
  return Most - std::min(Most, Usual);
}

/// Of what a site kept when the loop had ended.
struct Fate {
  uint64_t Freed = 0, Left = 0; ///< bytes, before the program ended or not
  void add(const Fate &Other) {
    Freed += Other.Freed;
    Left += Other.Left;
  }
  bool isFreed() const { return Freed >= 8 * Left && Freed; }
};

Fate fateOf(const SourceSite &Site, const Beat &OfLoop) {
  Fate Out;
  for (const RecordedObject &O : Site.Objects) {
    bool IsOfLoop = O.BirthSequence >= OfLoop.At.front() && O.BirthSequence <= OfLoop.At.back();
    if (IsOfLoop && !O.DeathTick)
      Out.Left += O.Bytes;
    else if (IsOfLoop && O.DeathSequence > OfLoop.At.back())
      Out.Freed += O.Bytes;
  }
  return Out;
}

/// For so many microseconds a thread may wait for its turn on a busy machine.
constexpr uint64_t LongestWait = 20000;

const SourceSite *siteWith(uint64_t Id, const RunFacts &Facts) {
  auto Site = std::find_if(Facts.Sites.begin(), Facts.Sites.end(),
                           [Id](const SourceSite &S) { return S.Ids.count(Id) != 0; });
  return Site == Facts.Sites.end() ? nullptr : &*Site;
}

/// Those that ran the loop, as far as they are known; the main one has the number of its process.
std::set<uint64_t> threadsOf(const Recording &R, const Beat &OfLoop, const RunFacts &Facts) {
  const std::string Function = threadOf(*OfLoop.Site);
  std::set<uint64_t> Out;
  if (!OfLoop.Site->Frames.empty() && OfLoop.Site->Frames.back().Function == "main")
    Out.insert(R.TheProcess.Pid);
  for (const trace::ThreadEnd &End : R.ThreadEnds)
    if (const SourceSite *Last = siteWith(End.LastSite, Facts); Last && threadOf(*Last) == Function)
      Out.insert(End.Thread);
  return Out;
}

} // namespace

static void markGatheredOf(std::vector<SourceSite> &Sites, const Beat &OfLoop,
                           std::optional<size_t> Loop, uint64_t TakenAfter) {
  Fate All;
  for (const SourceSite &Site : Sites)
    if (Site.Loop == Loop)
      All.add(fateOf(Site, OfLoop));
  if (2 * TakenAfter < All.Freed)
    return;
  for (SourceSite &Site : Sites)
    Site.Gathered |= Site.Loop == Loop && fateOf(Site, OfLoop).isFreed();
}

void markGathered(const Recording &R, const Beat &OfLoop, std::optional<size_t> Loop,
                  RunFacts &Facts) {
  uint64_t TakenAfter = takenAfter(R, OfLoop);
  markGatheredOf(Facts.Sites, OfLoop, Loop, TakenAfter);
  markGatheredOf(Facts.HeapSamples, OfLoop, Loop, TakenAfter);
}

/// What the last allocations meet is freed with the program, or by the variables of its functions.
static Fate fateBeforeTheEnd(const Recording &R, const SourceSite &Site, const Beat &OfLoop) {
  SourceSite Then = Site;
  uint64_t All = R.Read.Now.Allocations, End = All - std::min(All, 1 + All / 64);
  for (RecordedObject &O : Then.Objects)
    if (O.DeathSequence >= End)
      O.DeathTick.reset();
  return fateOf(Then, OfLoop);
}

void markFreedLater(const Recording &R, const Beat &OfLoop, size_t Loop, RunFacts &Facts) {
  for (SourceSite &Site : Facts.Sites)
    if (Site.Loop == Loop)
      Site.Gathered |= fateBeforeTheEnd(R, Site, OfLoop).isFreed();
}

void endHandedOver(const Recording &R, const Beat &OfLoop, std::optional<size_t> Loop,
                   RunFacts &Facts) {
  if (OfLoop.Micros[1] - OfLoop.Micros[0] > LongestWait)
    return;
  const std::set<uint64_t> Own = threadsOf(R, OfLoop, Facts);
  for (SourceSite &Site : Facts.Sites)
    for (RecordedObject &O : Site.Objects)
      if (Site.Loop == Loop && O.DeathTick && O.FreedBy && !Own.count(O.FreedBy) &&
          O.DeathSequence >= OfLoop.At.back())
        O.DeathSequence = O.BirthSequence;
}

} // namespace tensorleak
