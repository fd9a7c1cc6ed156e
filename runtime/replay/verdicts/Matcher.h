//===-- Matcher.h - Which growth belongs to which finding -----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A site belongs to a finding if one of the user's frames on its stack stands on
// the finding's line or on a line that produces the kept tensor. A finding that
// keeps an autograd graph also explains what the graph saves elsewhere in the
// step loop, but only if something on its own lines grows too: two findings in
// one loop must not claim the same bytes because one of them is right.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_VERDICTS_MATCHER_H
#define TENSORLEAK_RUNTIME_REPLAY_VERDICTS_MATCHER_H

#include "runtime/replay/facts/Facts.h"
#include "runtime/replay/growth/Growth.h"
#include "runtime/replay/verdicts/HeldPlaces.h"

namespace tensorleak {

enum class Match { None, Loop, Line };

/// How close the frames are to what the finding speaks of.
Match match(const Finding &F, const std::vector<Frame> &Frames);

/// Whether \p Where is one of the lines that take what the finding speaks of.
bool isProducer(const Finding &F, const Location &Where);

/// Whether a line that takes what the finding speaks of is among the frames: its producers, and its
/// own line, unless that only names a tensor that is not deleted.
bool isProduced(const Finding &F, const std::vector<Frame> &Frames);

/// Whether the holder is the finding's variable.
bool isHeldBy(const Finding &F, const Holder &H);

/// Whether the run found that finding's variable at the end of a way from a site.
bool isHeldBy(const Finding &F, const HeldSite &Held);

/// The same for what was allocated at a place in the source.
bool isHeldBy(const Finding &F, const SourceSite &Site, const RunFacts &Run);

/// The variable that keeps what the finding speaks of: its own if the run found that,
/// else the one to which most objects of its places lead. Null if none was found.
const Holder *holderOf(const Finding &F, const RunFacts &Run);

/// A cycle among the autograd nodes of the finding's places; null if none was found.
const GraphCycle *cycleOf(const Finding &F, const RunFacts &Run);

/// Whether the graph that the finding speaks of refers to itself, and alone leads to what was
/// allocated there.
bool isKeptByCycleOf(const Finding &F, const SourceSite &Site, const RunFacts &Run);

/// Whether what was allocated there is lost, and may be what the object of a finding of ownership
/// owns, for which the finding's own lines allocate nothing that is traced. It is made elsewhere
/// in its function, or below: an optimizer's state in its step, tensors of objects that keep each
/// other.
bool isLostWithOwner(const Finding &F, const SourceSite &Site, const RunFacts &Run);

/// Whether the finding says all that there is to say of growth there: one that was not reached or
/// refuted explains nothing, nor does one that speaks of something else.
bool explainsGrowth(const Finding &F, const SourceSite &Site, const RunFacts &Run);

/// A site as the clock of a finding shows it.
struct SiteGrowth {
  const SourceSite *Site = nullptr;
  Growth TheGrowth = Growth::Bounded;
  int64_t BytesPerStep = 0;
  int64_t TotalBytes = 0;    ///< held at the end of the last step
  uint64_t TotalObjects = 0; ///< the same
  uint64_t Rounds = 0;       ///< of the clock by which it was judged
  std::string Per = {};      ///< what BytesPerStep is for: StepClock::Per
};

/// Whether every round leaves more there: bytes, or things without a size.
bool keepsMore(const SiteGrowth &G);

/// What figures are for that are the sum of \p A, an earlier sum, and of \p B.
std::string perOfBoth(const std::string &A, const std::string &B);

/// The growth of those objects by that clock, as if one site had made them.
SiteGrowth growthOf(const std::vector<RecordedObject> &Objects, const StepClock &Clock);

/// The growth of every site by that clock, in the order of RunFacts::Sites; by the program's, that
/// of a site with a loop of its own by this.
std::vector<SiteGrowth> growthOfSites(const RunFacts &Run, const StepClock &Clock);

/// Growth of the autograd nodes made at matching places, after the warm-up.
struct NodeGrowth {
  bool Known = false;   ///< two or more censuses after the warm-up
  bool Trusted = false; ///< by site; else only the total is known
  double PerStep = 0;
  bool grows() const { return Known && PerStep >= MinNodesPerStep; }
  /// One node in twenty steps; a census is exact, but the last steps may be
  /// young.
  static constexpr double MinNodesPerStep = 0.05;
};

/// Of all nodes, whoever made them.
NodeGrowth totalNodeGrowth(const RunFacts &Run, const StepClock &Clock);
/// Of the nodes made at places that match the finding at least so well.
NodeGrowth nodeGrowth(const RunFacts &Run, const StepClock &Clock, const Finding &F, Match AtLeast);

/// Host memory gained per step, tensor storage left out; 0 if it does not rise
/// steadily.
int64_t heapBytesPerStep(const RunFacts &Run, const StepClock &Clock);

/// Autograd nodes gained per step between looks at the heap, whoever made them; not less than 0.
double nodesPerStep(const RunFacts &Run, const StepClock &Clock);

/// Whether enough of the host heap was seen to conclude that it does not grow.
bool heapIsFlat(const RunFacts &Run, const StepClock &Clock);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_VERDICTS_MATCHER_H
