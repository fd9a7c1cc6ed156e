//===-- ProgramByHand.h - A program, allocation by allocation -------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests: what it allocates is recorded as the probe would.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_FACTS_ROUNDS_PROGRAMBYHAND_H
#define TENSORLEAK_RUNTIME_REPLAY_FACTS_ROUNDS_PROGRAMBYHAND_H

#include "runtime/replay/facts/EndedThreads.h"
#include "runtime/replay/facts/phases/Phases.h"
#include "runtime/replay/facts/rounds/Rounds.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace tensorleak::test {

/// Lines of main, and of a function that it calls.
constexpr unsigned Load = 10, Head = 20, Tail = 21, Call = 22, Kept = 23, Rare = 24;
constexpr unsigned Inside = 50;
/// Lines of another thread's function.
constexpr unsigned Take = 70, Work = 71;

class Program {
public:
  /// The blocks around a line of main, as the debug information numbers them.
  std::map<unsigned, std::vector<uint64_t>> Blocks;
  /// The operators that lines of main call.
  std::map<unsigned, std::string> Operators;

  /// Allocates in that line of main, or in one of a function that is called there; returns
  /// the number of the object.
  uint64_t at(unsigned Line, unsigned Callee = 0, uint64_t Bytes = 64, unsigned Operator = 0) {
    uint64_t Id = (Callee ? 1000 * uint64_t(Line) + Callee : Line) + 1000000 * uint64_t(Operator);
    if (!R.Pulses.count(Id))
      newSite(Id, Line, Callee);
    trace::SitePulse &P = R.Pulses[Id];
    P.Sequences.push_back(++Now);
    P.LastMicroseconds = Clock = std::max(Clock, Now);
    ++R.Counters[Id].Allocations;
    Alive[Now] = {Id, Bytes, Tick, std::nullopt, false, Now, 0};
    High = std::max(High, Live += Bytes);
    if (Now >= NextAge)
      growOlder();
    return Now;
  }

  /// By that thread; the main one is 1.
  void free(uint64_t Object, uint64_t Thread = 0) {
    RecordedObject O = Alive[Object];
    Alive.erase(Object);
    Live -= O.Bytes;
    O.DeathTick = Tick;
    O.DeathSequence = Now;
    O.FreedBy = Thread;
    Recorded.push_back(O);
  }
  /// A thread ends whose last allocation was \p Last, in that line, and frees what it kept.
  void endThread(uint64_t Thread, const std::vector<uint64_t> &Kept, uint64_t Last, unsigned Line) {
    for (uint64_t Object : Kept)
      free(Object, Thread);
    R.ThreadEnds.push_back({Thread, Now, Last, Line});
  }
  void temporary(unsigned Line, unsigned Callee = 0) { free(at(Line, Callee)); }
  /// An optimizer steps.
  void step() {
    addBoundary(trace::BoundaryKind::OptimizerStep);
    Steps.Ticks.push_back(Tick);
    NextAge = Now + 64;
  }
  /// A search found a variable that keeps what that line makes, through so many nodes.
  void keep(unsigned Line, uint64_t Nodes) {
    Holder H;
    H.Name = "Outputs";
    H.Nodes = Nodes;
    Facts.Held.push_back({Line, {}, 3, 0, {H}});
  }
  void wait(uint64_t Microseconds) { Clock = std::max(Clock, Now) + Microseconds; }

  RunFacts finish() {
    R.End = trace::End{};
    R.End->Microseconds = Clock;
    return judged();
  }

  /// When it had last written down which site allocated when, there were so many allocations.
  RunFacts killed(uint64_t Known) {
    for (auto &[Site, Pulse] : R.Pulses) {
      std::vector<uint64_t> &All = Pulse.Sequences;
      All.erase(std::upper_bound(All.begin(), All.end(), Known), All.end());
    }
    return judged();
  }

private:
  RunFacts judged() {
    for (const auto &[Number, O] : Alive)
      Recorded.push_back(O);
    for (const RecordedObject &O : Recorded)
      if (!O.DeathTick || *O.DeathTick - O.BirthTick >= 2 || O.FreedBy) // as the probe does
        siteOf(O.SiteId).Objects.push_back(O);
    for (const auto &[Id, Counted] : R.Counters)
      siteOf(Id).Allocations += Counted.Allocations;
    lookAtMemory();
    R.Read.Now.Allocations = Now;
    R.TheProcess.Pid = 1;
    Facts.Clock = Steps;
    if (Steps.steps())
      inferPhases(R, Facts);
    else
      inferRounds(R, Facts);
    keepWhatEndedThreadsKept(R, Facts);
    return Facts;
  }

  void newSite(uint64_t Id, unsigned Line, unsigned Callee) {
    SourceSite S;
    S.Ids = {Id};
    if (auto Op = Operators.find(Line); Op != Operators.end())
      S.Ops.insert(Op->second);
    if (Callee)
      S.Frames.push_back({"callee", {"/p/net.cpp", Callee, 3}});
    S.Frames.push_back({Line < Take ? "main" : "work", {"/p/main.cpp", Line, 3}, Blocks[Line]});
    auto Same = std::find_if(Facts.Sites.begin(), Facts.Sites.end(), [&S](const SourceSite &Other) {
      return Other.Frames.back().Where == S.Frames.back().Where &&
             Other.Frames.front().Where == S.Frames.front().Where;
    });
    if (Same == Facts.Sites.end())
      Facts.Sites.push_back(S);
    else
      Same->Ids.insert(Id);
    R.Sites[Id].Id = Id;
    R.Pulses[Id].FirstMicroseconds = std::max(Clock, Now);
  }
  SourceSite &siteOf(uint64_t Id) {
    return *std::find_if(Facts.Sites.begin(), Facts.Sites.end(),
                         [Id](const SourceSite &S) { return S.Ids.count(Id) != 0; });
  }
  void growOlder() {
    NextAge = Now + std::max<uint64_t>(8, Now / 16);
    addBoundary(trace::BoundaryKind::Age);
  }
  void addBoundary(trace::BoundaryKind Kind) {
    trace::Boundary B;
    B.TheKind = Kind;
    B.Acting = true;
    B.Tick = ++Tick;
    B.Sequence = Now;
    R.Boundaries.push_back(B);
    lookAtMemory();
  }
  void lookAtMemory() {
    trace::LiveMemory L;
    L.Tick = Tick;
    L.Devices.push_back({0, -1, Live, High});
    R.LiveMemory.push_back(L);
    High = Live;
  }
  Recording R;
  RunFacts Facts;
  StepClock Steps{"step of Adam", {}};
  std::map<uint64_t, RecordedObject> Alive;
  std::vector<RecordedObject> Recorded;
  uint64_t Now = 0, NextAge = 8, Tick = 0, Clock = 0, Live = 0, High = 0;
};

} // namespace tensorleak::test

#endif // TENSORLEAK_RUNTIME_REPLAY_FACTS_ROUNDS_PROGRAMBYHAND_H
