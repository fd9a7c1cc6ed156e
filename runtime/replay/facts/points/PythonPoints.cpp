//===-- PythonPoints.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/facts/points/PythonPoints.h"

#include <algorithm>

namespace tensorleak {
namespace {

using LineKey = std::pair<std::string, unsigned>;

/// What stacks that go through one line saw, taken together.
void addUse(PointFacts &Out, const trace::PythonLines &Use) {
  Out.addTimes(Use);
  Out.StepsHit = std::max(Out.StepsHit, Use.GenerationsHit);
  Out.Hits = Out.StepsHit;
  Out.Planned = Out.Armed = 1;
  Out.IsPython = true;
}

class PythonLineMap {
public:
  PythonLineMap(const Recording &R, Symbolizer &Symbols) {
    for (const auto &[Id, Use] : R.PythonLines)
      if (auto Stack = R.Stacks.find(Id); Stack != R.Stacks.end())
        addStack(Symbols.userFrames(Stack->second), Use);
  }

  bool isPython(const Finding &F) const { return Files.count(F.Where.File) != 0; }

  /// Of the first of these lines that was seen.
  PointFacts seen(const std::vector<Location> &Lines) const {
    PointFacts Nothing;
    Nothing.IsPython = true;
    for (const Location &L : Lines)
      if (auto Found = PointOf.find({L.File, L.Line}); Found != PointOf.end())
        return Found->second;
    return Nothing;
  }

private:
  void addStack(const std::vector<Frame> &Frames, const trace::PythonLines &Use) {
    std::set<LineKey> Once; // of a recursive function
    for (const Frame &F : Frames)
      if (Once.emplace(F.Where.File, F.Where.Line).second)
        addUse(PointOf[{F.Where.File, F.Where.Line}], Use);
    for (const Frame &F : Frames)
      Files.insert(F.Where.File);
  }

  std::map<LineKey, PointFacts> PointOf;
  std::set<std::string> Files;
};

} // namespace

void addPythonPoints(const Recording &R, Symbolizer &Symbols, const std::vector<Finding> &Findings,
                     std::vector<FindingFacts> &Facts) {
  PythonLineMap Seen(R, Symbols);
  for (size_t I = 0; I < Findings.size(); ++I) {
    const Finding &F = Findings[I];
    if (!Seen.isPython(F))
      continue;
    std::vector<Location> Places{F.Where};
    Places.insert(Places.end(), F.TheSubject.Producers.begin(), F.TheSubject.Producers.end());
    Facts[I].Where = Seen.seen(Places);
    Facts[I].Rounds = {Facts[I].Where.FirstSequence};
    if (F.TheSubject.LastUse.isValid())
      Facts[I].LastUse = Seen.seen({F.TheSubject.LastUse});
  }
}

} // namespace tensorleak
