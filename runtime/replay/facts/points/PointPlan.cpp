//===-- PointPlan.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/facts/points/PointPlan.h"
#include "runtime/replay/debuginfo/Points.h"
#include "runtime/replay/facts/Ledger.h"
#include "runtime/replay/growth/Growth.h"
#include "runtime/trace/UserCode.h"

#include <algorithm>
#include <tuple>

namespace tensorleak {
namespace {

class PointPlanner {
public:
  PointPlanner(const std::vector<std::string> &Modules, DebugFiles &Files)
      : Modules(Modules), Files(Files) {}

  PointPlan plan(const std::vector<Finding> &Findings) {
    // Clocks first: an address that is both must count every hit.
    for (const Finding &F : Findings)
      Out.ByFinding.push_back({{}, {}, false, false, addClock(F)});
    for (size_t I = 0; I < Findings.size(); ++I)
      addPlaces(Findings[I], Out.ByFinding[I]);
    return std::move(Out);
  }

private:
  using LineKey = std::pair<std::string, unsigned>;

  /// The rounds of the step loop; of the finding's own line if no loop is known.
  uint64_t addClock(const Finding &F) {
    const LineRange &Loop = F.TheSubject.Loop;
    Location Head = Loop.Begin ? Location{Loop.File, Loop.Begin, 0} : F.Where;
    auto [Entry, IsNew] = Clocks.try_emplace({Head.File, Head.Line}, Clocks.size() + 1);
    if (IsNew && addPoints(Head, Entry->second, /*Clock=*/true).empty())
      Entry->second = 0;
    return Entry->second;
  }

  void addPlaces(const Finding &F, FindingPoints &Points) {
    Points.Where = addPoints(F.Where, 0, /*Clock=*/false);
    if (Points.Where.empty())
      for (const Location &Producer : F.TheSubject.Producers)
        for (uint64_t Id : addPoints(Producer, 0, /*Clock=*/false))
          Points.Where.push_back(Id);
    if (F.TheSubject.LastUse.isValid())
      Points.LastUse = addPoints(F.TheSubject.LastUse, 0, /*Clock=*/false);
    Points.IsElsewhere = Points.Where.empty() && isElsewhere(F.Where.File);
    Points.HasNoCode = Points.Where.empty() && isCompiledIn(F.Where.File);
  }

  bool isElsewhere(const std::string &Source) {
    return std::all_of(Modules.begin(), Modules.end(), [&](const std::string &Module) {
      return Files.open(Module).hasLines() && rowsIn(Module, Source).empty();
    });
  }

  bool isCompiledIn(const std::string &Source) {
    return std::any_of(Modules.begin(), Modules.end(),
                       [&](const std::string &Module) { return !rowsIn(Module, Source).empty(); });
  }

  std::vector<uint64_t> addPoints(const Location &Where, uint64_t Group, bool Clock) {
    std::vector<uint64_t> Ids;
    for (const std::string &Module : Modules)
      for (uint64_t Address : addressesOf(Where, rowsIn(Module, Where.File)))
        Ids.push_back(addPoint(Module, Address, Group, Clock));
    return Ids;
  }

  uint64_t addPoint(const std::string &Module, uint64_t Address, uint64_t Group, bool Clock) {
    auto [Entry, IsNew] = IdOfAddress.try_emplace({Module, Address}, Out.Points.size() + 1);
    if (IsNew)
      Out.Points.push_back({Entry->second, Group, Clock, Address, Module});
    return Entry->second;
  }

  const std::vector<LineRow> &rowsIn(const std::string &Module, const std::string &File) {
    auto [Entry, IsNew] = Rows.try_emplace({Module, File});
    if (IsNew)
      Entry->second = Files.open(Module).rowsOf(File);
    return Entry->second;
  }

  const std::vector<std::string> &Modules;
  DebugFiles &Files;
  PointPlan Out;
  std::map<LineKey, uint64_t> Clocks;
  std::map<std::pair<std::string, uint64_t>, uint64_t> IdOfAddress;
  std::map<std::pair<std::string, std::string>, std::vector<LineRow>> Rows;
};

/// Within the loop if it goes round often enough between two steps of the
/// program, as a validation loop does; else by the program's steps. Where the program
/// itself marks its steps, that counts.
StepClock clockOf(const Recording &R, uint64_t Group, const StepClock &Program) {
  if (!Group || (Program.Announced && Program.steps() >= MinStepsToJudge))
    return Program;
  StepClock Line = lineClock(R, Group, Program);
  return Line.steps() >= MinStepsToJudge ? Line : Program;
}

/// The first round has no boundary in front of it; it starts where the place was
/// first reached.
std::vector<uint64_t> roundsOf(const Recording &R, uint64_t Group, const PointFacts &Where) {
  std::vector<uint64_t> Out{Where.FirstSequence};
  for (const trace::Boundary &B : R.Boundaries)
    if (Group && B.TheKind == trace::BoundaryKind::LineClock && B.PointGroup == Group)
      Out.push_back(B.Sequence);
  return Out;
}

} // namespace

PointPlan planPoints(const std::vector<Finding> &Findings, const std::vector<std::string> &Modules,
                     DebugFiles &Files) {
  PointPlan Plan = PointPlanner(Modules, Files).plan(Findings);
  Plan.Modules = Modules;
  return Plan;
}

/// A library that was opened meanwhile, or the program that a script started; "" if there is none.
static std::string moduleThatWasNotKnown(const Recording &R, const PointPlan &Plan) {
  auto It = std::find_if(R.Modules.begin(), R.Modules.end(), [&](const trace::Module &M) {
    return isUserModule(M.Path) &&
           std::find(Plan.Modules.begin(), Plan.Modules.end(), M.Path) == Plan.Modules.end();
  });
  return It == R.Modules.end() ? "" : It->Path;
}

std::vector<FindingFacts> findingFacts(const Recording &R, const PointPlan &Plan,
                                       const StepClock &Program) {
  std::vector<FindingFacts> Out;
  const std::string Other = moduleThatWasNotKnown(R, Plan);
  for (const FindingPoints &Points : Plan.ByFinding) {
    FindingFacts F;
    F.Where = pointFacts(R, Points.Where);
    F.LastUse = pointFacts(R, Points.LastUse);
    F.Clock = clockOf(R, Points.ClockGroup, Program);
    F.Rounds = roundsOf(R, Points.ClockGroup, F.Where);
    F.IsElsewhere = Points.IsElsewhere && Other.empty();
    F.HasNoCode = Points.HasNoCode;
    F.NotLookedAt = Other;
    Out.push_back(F);
  }
  return Out;
}

} // namespace tensorleak
