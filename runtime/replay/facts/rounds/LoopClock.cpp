//===-- LoopClock.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/facts/rounds/LoopClock.h"

#include <algorithm>

namespace tensorleak {
namespace {

/// The loop's line, "server.cpp:31"; "" if there is none.
std::string lineOf(const LoopBeat &Loop) {
  const std::vector<Frame> &Frames = Loop.Chosen->Site->Frames;
  if (Frames.empty())
    return "";
  return shortPlace(Frames[Frames.size() - 1 - std::min(Loop.Depth, Frames.size() - 1)]);
}

/// "server.cpp:31 (aten::addmm)".
std::string nameOf(const Recording &R, const LoopBeat &Loop) {
  std::string Name = functionOfSite(R, Loop.Chosen->SiteId), Line = lineOf(Loop);
  if (Line.empty())
    return Name.empty() ? "a place without debug information" : Name;
  return Name.empty() ? Line : Line + " (" + Name + ")";
}

std::vector<uint64_t> allocationsAtTicks(const Recording &R) {
  std::vector<uint64_t> Out;
  for (const trace::Boundary &B : R.Boundaries) {
    Out.resize(std::max<size_t>(Out.size(), B.Tick));
    if (B.Tick)
      Out[B.Tick - 1] = B.Sequence;
  }
  return Out;
}

} // namespace

StepClock clockOf(const Recording &R, const LoopBeat &Loop, uint64_t Horizon) {
  StepClock Out{"execution of " + nameOf(R, Loop), {}, false};
  Out.RoundsPerStep = Loop.Chosen->Stride;
  std::string Line = lineOf(Loop);
  Out.Per = Line.empty() ? "round" : "round of " + Line;
  for (uint64_t At : Loop.Chosen->At)
    if (At <= Horizon)
      Out.Ticks.push_back(At);
  return Out;
}

StepClock inferred(const Recording &R, StepClock Clock) {
  Clock.Inferred = true;
  Clock.AllocationsAtTick = allocationsAtTicks(R);
  return Clock;
}

std::string threadOf(const SourceSite &Site) {
  if (Site.Frames.empty())
    return "";
  const Frame &Outermost = Site.Frames.back();
  return Outermost.Function + '|' + Outermost.Where.File;
}

} // namespace tensorleak
