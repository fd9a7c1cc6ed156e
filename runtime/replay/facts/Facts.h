//===-- Facts.h - What a run showed, as plain data ------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that the verdicts look at: no file, no address, no trace record.
// The ledger fills it from a recording, tests fill it by hand.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_FACTS_FACTS_H
#define TENSORLEAK_RUNTIME_REPLAY_FACTS_FACTS_H

#include "runtime/replay/debuginfo/Frame.h"
#include "runtime/replay/recording/StepClock.h"

#include <algorithm>
#include <set>

namespace tensorleak {

/// Something of CUDA's that is counted and has no size: "stream", "streams".
struct ThingName {
  std::string One, Several;
  bool isMemory() const { return One.empty(); }
  std::string counted(uint64_t Count) const {
    return std::to_string(Count) + ' ' + (Count == 1 ? One : Several);
  }
};

/// A place that allocates: all recorded sites whose user frames are the same.
struct SourceSite {
  std::vector<Frame> Frames;  ///< the user's, innermost first; empty if none is known
  std::vector<Frame> Forward; ///< of the operator whose backward allocates here; or empty
  std::set<std::string> Ops;
  std::set<std::string> Modules; ///< the files of all frames, libraries' included
  std::set<uint64_t> Ids;        ///< of the recorded sites
  bool OnDevice = false;
  bool ByProgram = false; ///< the program asked CUDA for it, and has to give it back itself
  bool OnHeap = false;    ///< taken from malloc or new by the program's own code
  bool Sampled = false;   ///< of what anybody took from malloc or new, as estimated by samples
  ThingName Thing;        ///< what is made there, if that is no memory
  /// Of samples of the heap: the library whose code asked for the memory; empty if the user's did.
  std::string Taker;
  /// Of RunFacts::OtherLoops, if its threads have a loop of their own, or the pauses in which it
  /// allocates.
  std::optional<size_t> Loop;
  bool Gathered = false; ///< in a loop, for a use after it, and then freed
  /// Its loop was over before the program was: what it kept may be what the rest works with.
  bool MaybeForLater = false;
  std::vector<RecordedObject> Objects; ///< those that outlived a step
  /// Those that the program declared to stay; they are in no other figure of what
  /// stays alive, only in the peak.
  std::vector<RecordedObject> Expected;
  uint64_t Allocations = 0, Bytes = 0, MaxBytes = 0;
  uint64_t InPlaceCandidates = 0, InPlaceBytes = 0;
  int64_t BytesAtPeak = 0;
  /// By tick, at a few of them: what was alive, and the largest that it ever allocated.
  std::map<uint64_t, int64_t> LiveBytes, LargestBytes;
  int64_t BytesAtEnd = 0; ///< alive when main returned
  uint64_t AtEnd = 0;     ///< objects that were
};

/// A place that makes autograd nodes.
struct NodeSite {
  std::vector<Frame> Frames;
  uint64_t Made = 0;
};

/// Live autograd nodes by the place that made them, at one moment.
struct NodeCount {
  uint64_t Tick = 0;
  int64_t Nodes = 0;    ///< all of them
  bool Trusted = false; ///< the groups are right; else only the total is
  struct Group {
    std::vector<Frame> Frames;
    int64_t Nodes = 0;
    uint64_t SiteId = 0; ///< ascending in the order in which places first made nodes
  };
  std::vector<Group> Groups;
};

struct HeapSample {
  uint64_t Tick = 0;
  int64_t Bytes = 0;               ///< the host heap without tensor storage
  int64_t InUse = 0, Retained = 0; ///< of all that malloc has from the system
  int64_t Nodes = 0;               ///< autograd nodes that were made and not freed
};

/// What happened between two steps of one optimizer.
struct OptimizerStep {
  uint64_t Tick = 0;
  bool Zeroed = false; ///< a zero_grad of any kind, or a zero_ outside backward
  uint64_t Backwards = 0, Accumulations = 0;
  uint64_t ZeroOps = 0; ///< gradients that were set to zero in place
};
struct OptimizerFacts {
  std::string Class;
  std::vector<OptimizerStep> Steps;
};

/// What the breakpoints at one place saw.
struct PointFacts {
  unsigned Planned = 0; ///< addresses that the debug information gave
  unsigned Armed = 0;   ///< breakpoints that could be set there
  uint64_t Hits = 0;
  uint64_t StepsHit = 0;
  uint64_t FirstTick = 0;
  uint64_t FirstSequence = 0, LastSequence = 0; ///< allocations before first and last hit
  bool IsPython = false;                        ///< seen only where it calls LibTorch
  bool IsCut = false; ///< the record has no end: what happened last is not in it
  bool reached() const { return Hits != 0; }
  /// Adds the first and the last hit of one more point that stands for this place. To be
  /// called before its hits are counted.
  template <typename Use> void addTimes(const Use &U) {
    if (!reached() || U.FirstSequence < FirstSequence) {
      FirstTick = U.FirstTick;
      FirstSequence = U.FirstSequence;
    }
    LastSequence = std::max(LastSequence, U.LastSequence);
  }
};

/// A variable that keeps objects of a site alive.
struct Holder {
  std::string Name;                   ///< "trainer.losses_"
  std::string What;                   ///< of the last part: "a member of Trainer"
  Location Where;                     ///< of its declaration
  std::vector<Location> Declarations; ///< of all parts
  std::vector<std::string> Way;       ///< the objects from it to one of those that it keeps
  uint64_t Nodes = 0;                 ///< autograd nodes on the way to it, at most
  unsigned Targets = 0;               ///< objects that lead to it
  uint64_t Length = 0;                ///< blocks on the ways to it, of all objects
  unsigned Depth = 0;                 ///< of a local variable: blocks around it
  /// Of a local variable: where its frame ends. The callers' lie higher on the stack, and last
  /// longer. All others outlast it.
  uint64_t FrameEnd = UINT64_MAX;
};

/// What was looked for at one recorded site.
struct HeldSite {
  uint64_t SiteId = 0;
  std::vector<Frame> Frames;
  unsigned Targets = 0;        ///< objects or nodes that were looked for
  unsigned Unheld = 0;         ///< of those, to which no pointer was left
  std::vector<Holder> Holders; ///< those of two or more, the most frequent first
  bool HeldByNodes = false;    ///< autograd nodes lead to one of these, and nothing known to them
};

/// An autograd graph that refers to itself.
struct GraphCycle {
  std::string What; ///< which reference closes it, and the nodes that it leads through
  std::vector<std::vector<Frame>> Places; ///< where its nodes were made
  uint64_t Length = 0;                    ///< blocks on the way round
  bool IsClosed = true;                   ///< a reference was seen that can close it
  std::set<std::string> Classes = {};     ///< of its nodes, those that the program defines
};

struct PeakFacts {
  uint64_t Tick = 0, Sequence = 0;
  int64_t Bytes = 0;
};

/// Something that this run could not see.
struct BlindSpot {
  enum Scope {
    Memory, ///< some allocations; autograd and optimizers were watched
    Everything
  };
  std::string Why; ///< a sentence without its full stop
  Scope Hides = Everything;
};

/// What a run showed.
struct RunFacts {
  StepClock Clock;
  std::string ClockRemark;           ///< how its rounds were inferred, or why they were not
  bool OnlyLoads = false;            ///< nearly all that a round of an inferred clock makes stays
  std::vector<StepClock> OtherLoops; ///< inferred, beside that of the clock
  std::vector<SourceSite> Sites;
  std::vector<SourceSite> HeapSamples; ///< of what anybody took from malloc or new
  std::vector<NodeSite> NodeSites;
  std::vector<NodeCount> Censuses;
  std::vector<HeldSite> Held;
  std::vector<GraphCycle> Cycles;
  bool CyclesSearched = false;
  std::vector<HeapSample> Heap;
  /// The file that serves malloc instead of glibc: in its heap holders are not found.
  std::string OtherAllocator;
  /// Functions of Python called LibTorch: its objects lie in memory of an allocator of its own.
  bool HasPython = false;
  std::string UnwatchedHeap; ///< the same, if its calls did not come by the probe
  std::vector<OptimizerFacts> Optimizers;
  OptimizerFacts Backwards; ///< the same counted between backward passes
  PeakFacts Peak;           ///< of the device that used most
  uint64_t Allocations = 0;
  /// Reasons why something could have been missed; then nothing of it is refuted.
  std::vector<BlindSpot> BlindSpots;
  bool JoinedLater = false;  ///< what was before it was watched is not known
  bool MainReturned = false; ///< so main's variables are gone
  bool CalledExit = false;   ///< exit() ended it: main's variables still exist
  bool UsesCuda = false;     ///< the driver was loaded
  /// The highest peak of the same program with gradients off, if that was tried.
  std::optional<int64_t> PeakWithoutGrad;
};

/// What is known of one finding's places.
struct FindingFacts {
  PointFacts Where;   ///< the finding's own place, or its producers' if it has no code
  PointFacts LastUse; ///< Subject::LastUse
  StepClock Clock;    ///< the steps by which this finding is judged
  /// Allocations before each round of its loop, or of its own line.
  std::vector<uint64_t> Rounds;
  bool Changed = false;     ///< the source is not what the findings were made from
  bool IsElsewhere = false; ///< nothing that ran was compiled from the finding's source
  bool HasNoCode = false;   ///< something was, but no code is that of the finding's line
  std::string NotLookedAt;  ///< a file with code of the user's in which the line was not looked for
};

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_FACTS_FACTS_H
