//===-- Steps.h - Boundaries, generations and what happens at them ---------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts every kind of boundary, decides which of them begins a generation, and
// keeps for each optimizer what happened to gradients since it stepped last.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_TABLES_STEPS_H
#define TENSORLEAK_RUNTIME_PROBE_TABLES_STEPS_H

#include "runtime/probe/core/Record.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <tuple>

namespace tensorleak::probe {

/// What is counted between two steps of an optimizer.
struct GradientEvents {
  uint64_t ModuleZeroGrads = 0, ZeroOps = 0, Backwards = 0, Accumulations = 0, FreshGradients = 0,
           KeepGraphs = 0, CreateGraphs = 0;
};

/// Whose boundary it is.
struct BoundarySource {
  trace::BoundaryKind Kind;
  uint64_t Address = 0;   ///< of an optimizer object
  std::string Class = {}; ///< of an optimizer
  uint64_t Group = 0;     ///< of a line clock; the number of a scope
  bool EndsRound = false; ///< of a scope whose rounds are judged
};

class Steps {
public:
  explicit Steps(Recorder &Trace) : Trace(Trace) {}

  /// Events on any thread; plain counters.
  GradientEvents Now;
  void zeroGrad(const BoundarySource &Optimizer);

  /// While a scope has rounds, these are the steps, and no other boundary begins a generation.
  void scopeWithRounds(bool Begins) { bump(ScopesWithRounds, Begins ? 1 : ~uint64_t(0)); }

  bool inScopeWithRounds() const { return look(ScopesWithRounds) != 0; }

  /// Counts a boundary and fills \p Record, all but the live bytes. The caller
  /// writes it and, if it is acting, does what begins a generation. One of kind Age is
  /// nothing at all unless it is acting: it has no tick.
  void begin(const BoundarySource &Source, trace::Boundary &Record);

  uint32_t tick() const { return uint32_t(look(Clock.Tick)); }
  uint32_t generation() const { return uint32_t(look(Clock.Generation)); }
  /// Generations that a boundary of kind Age began.
  uint32_t ages() const { return uint32_t(look(Ages)); }
  /// Of these, those since the last step; and the generation that this began.
  uint32_t agesSinceStep() const { return uint32_t(look(Ages) - look(AgesAtStep)); }
  uint32_t lastStep() const { return uint32_t(look(LastStep)); }
  /// The generation that the first of other kinds began; 0 if none was seen.
  uint32_t firstStep() const { return uint32_t(look(FirstStep)); }

private:
  /// One optimizer, line clock or other source of boundaries.
  struct Source {
    uint64_t OptimizerId = 0;
    uint64_t ZeroGrads = 0;    ///< since its last boundary
    GradientEvents Last;       ///< when its last boundary was
    uint64_t StrongerSeen = 0; ///< boundaries of stronger kinds at that time
    uint64_t Alone = 0;        ///< its boundaries since a stronger one was seen
    bool Seen = false;
  };
  Source &sourceOf(const BoundarySource &From);
  bool acts(Source &S, const BoundarySource &From);
  void noteStep(const trace::Boundary &Record);

  /// The totals' copy, which every allocation reads, in a cache line that none writes.
  struct alignas(64) {
    uint64_t Tick = 0, Generation = 0;
  } Clock;
  Recorder &Trace;
  std::mutex Mutex;
  std::map<std::tuple<trace::BoundaryKind, uint64_t, std::string>, Source> Sources;
  uint64_t OptimizerCount = 0;
  uint64_t Ages = 0, FirstStep = 0, ScopesWithRounds = 0;
  uint64_t AgesAtStep = 0, LastStep = 0;
  static constexpr unsigned Strengths = 5;
  uint64_t ByStrength[Strengths] = {};
};

/// When a program that makes no steps is a generation older: 8 allocations on, and later a
/// sixteenth of what there were. A program that made steps and then goes on without them begins
/// anew: first in larger paces, once it has paused for longer than it mostly does, for it may
/// evaluate, or serve and end soon; in the same as one without steps, and with all that is written
/// at times, only when this pause is much longer than any before. So what it does after each epoch
/// costs next to nothing from the second on.
class AgeMarks {
public:
  /// True for one caller of each mark.
  bool isDue(uint64_t Allocations) {
    uint64_t Due = Next.load(std::memory_order_relaxed);
    return Allocations >= Due &&
           Next.compare_exchange_strong(Due, Allocations + spacing(Allocations));
  }
  /// A step was made after so many.
  void stepped(uint64_t Allocations);
  /// No pause before came near to this one, or no step was made.
  bool isLongPause(uint64_t Allocations) const {
    uint64_t Longest = LongestPause.load(std::memory_order_relaxed);
    return !LastStep.load(std::memory_order_relaxed) ||
           pauseAt(Allocations) >= std::max(ShortestPause, 2 * Longest);
  }

private:
  static constexpr uint64_t ShortestPause = 64;
  uint64_t pauseAt(uint64_t Allocations) const {
    return Allocations - std::min(LastStep.load(std::memory_order_relaxed), Allocations);
  }
  uint64_t spacing(uint64_t Allocations) const {
    constexpr uint64_t Parts = 16, PartsOfUsual = 8;
    uint64_t Of = isLongPause(Allocations) ? Parts : PartsOfUsual;
    return std::max<uint64_t>(8, pauseAt(Allocations) / Of);
  }
  alignas(64) std::atomic<uint64_t> Next{8};
  std::atomic<uint64_t> LastStep{0}, LongestPause{0};
  std::atomic<uint64_t> TypicalPause{0}; ///< about as many are shorter as are longer
};

/// Log-spaced generations: 1, 2, 4, 8, 16, 24, 32, 40, ... four per octave and at
/// least 8 apart. At these the larger records are written.
class Schedule {
public:
  /// True if \p Generation is due; each is due once.
  bool isDue(uint64_t Generation);
  static bool isPowerOfTwo(uint64_t N) { return N && !(N & (N - 1)); }

private:
  uint64_t Next = 1;
};

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_TABLES_STEPS_H
