//===-- AdviceTest.cpp - What the peak consists of, and what would lower it ===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/advice/Advice.h"
#include "runtime/replay/facts/FactsByHand.h"

#include <gtest/gtest.h>

using namespace tensorleak;

namespace {

constexpr int64_t MiB = 1 << 20;

/// A peak in tick 20 of 10 MiB on the host.
Recording recordingWithPeak() {
  Recording R;
  trace::PeakSnapshot Peak;
  Peak.DeviceIndex = -1;
  Peak.Tick = 20;
  Peak.Sequence = 100;
  Peak.TotalBytes = 10 * MiB;
  R.Boundaries.emplace_back();
  R.Boundaries.back().Tick = 1;
  R.Peaks[{0, -1}] = Peak;
  return R;
}

uint64_t addSite(Recording &R, bool InBackward, bool InOptimizer) {
  trace::Site Site;
  Site.Id = R.Sites.size() + 1;
  Site.DeviceIndex = -1;
  Site.InBackward = InBackward;
  Site.InOptimizer = InOptimizer;
  R.Sites[Site.Id] = Site;
  return Site.Id;
}

void addObject(Recording &R, uint64_t Number, uint64_t Site, uint64_t BirthTick,
               std::optional<uint64_t> DeathTick = std::nullopt) {
  R.Objects[Number] = {Site, uint64_t(MiB), BirthTick, DeathTick, false};
}

PeakShares trainingShares() {
  PeakShares S;
  S.Total = 10 * MiB;
  S.StepsSeen = true;
  S.Standing = MiB;
  S.Gradients = MiB;
  S.OptimizerState = 2 * MiB;
  return S;
}

RunFacts trainingRun() {
  RunFacts Run = test::cleanRun();
  Run.Peak.Bytes = 10 * MiB;
  OptimizerStep Step;
  Step.ZeroOps = 4;
  Run.Optimizers = {{"Adam", {Step}}};
  Run.Backwards.Steps = {Step};
  return Run;
}

std::vector<std::string> namesOf(const std::vector<Advice> &All) {
  std::vector<std::string> Out;
  for (const Advice &A : All)
    Out.push_back(A.What);
  return Out;
}

using Names = std::vector<std::string>;

} // namespace

TEST(PeakShares, GoByWhereAStorageWasMade) {
  Recording R = recordingWithPeak();
  uint64_t Plain = addSite(R, false, false), Gradient = addSite(R, true, false),
           State = addSite(R, false, true);
  addObject(R, 1, Plain, 0);
  addObject(R, 2, Plain, 3);
  addObject(R, 3, Plain, 0, 30); // an epoch's data
  addObject(R, 7, Plain, 0, 40); // main's variable
  R.End.emplace();
  R.End->Tick = 40;
  addObject(R, 4, Gradient, 1);
  addObject(R, 5, State, 2);
  addObject(R, 6, State, 2);
  PeakShares S = peakShares(R);
  EXPECT_EQ(S.Standing, 2 * MiB);
  EXPECT_EQ(S.Kept, 2 * MiB);
  EXPECT_EQ(S.Gradients, MiB);
  EXPECT_EQ(S.OptimizerState, 2 * MiB);
  EXPECT_EQ(S.ofTheStep(), 3 * MiB);
}

TEST(PeakShares, CountWhatWasAliveThenOnThatDevice) {
  Recording R = recordingWithPeak();
  uint64_t State = addSite(R, false, true), OnDevice = addSite(R, false, true);
  R.Sites[OnDevice].DeviceType = 1;
  addObject(R, 1, State, 2, 19);
  addObject(R, 2, State, 2, 20);
  addObject(R, 101, State, 20);
  addObject(R, 3, OnDevice, 2);
  addObject(R, 4, State, 2, 21);
  EXPECT_EQ(peakShares(R).OptimizerState, MiB);
}

TEST(PeakShares, AreNothingWithoutAPeak) { EXPECT_EQ(peakShares(Recording()).Total, 0); }

TEST(Advice, IsSortedByWhatItSaves) {
  EXPECT_EQ(namesOf(adviseOn(trainingRun(), trainingShares(), {})),
            (Names{"half precision for what a step makes (autocast)",
                   "SGD without momentum instead of Adam", "zero_grad(set_to_none = true)"}));
}

TEST(Advice, LeavesGradientsThatAreNotZeroedAlone) {
  RunFacts Run = trainingRun();
  Run.Optimizers[0].Steps[0].ZeroOps = 0; // they are added up on purpose
  PeakShares Shares = trainingShares();
  Shares.OptimizerState = 0;
  EXPECT_EQ(namesOf(adviseOn(Run, Shares, {})),
            (Names{"half precision for what a step makes (autocast)"}));
}

TEST(Advice, HasNothingBelowAHundredthOfThePeak) {
  PeakShares Shares;
  Shares.StepsSeen = true;
  Shares.Total = 1000 * MiB;
  Shares.Standing = 990 * MiB;
  Shares.OptimizerState = 9 * MiB;
  EXPECT_TRUE(adviseOn(trainingRun(), Shares, {}).empty());
}

TEST(Advice, MeasuresGradientsOffOnlyWhereNothingIsDifferentiated) {
  PeakShares Shares;
  Shares.StepsSeen = true;
  Shares.Total = Shares.Standing = 10 * MiB;
  RunFacts Run = test::cleanRun();
  Run.Peak.Bytes = 10 * MiB;
  Run.PeakWithoutGrad = 4 * MiB;
  std::vector<Advice> All = adviseOn(Run, Shares, {});
  ASSERT_EQ(All.size(), 1u);
  EXPECT_EQ(All[0].Bytes, 6 * MiB);
  EXPECT_FALSE(All[0].IsBound);
  Run.Backwards.Steps.emplace_back();
  EXPECT_TRUE(adviseOn(Run, Shares, {}).empty());
}

TEST(Advice, AsksForARunWithoutGradientsWhereGraphsAreForNothing) {
  Recording R;
  EXPECT_FALSE(buildsUnusedGraphs(R));
  R.Read.Now.NodesMade = 3;
  EXPECT_TRUE(buildsUnusedGraphs(R));
  R.Boundaries.emplace_back();
  R.Boundaries.back().TheKind = trace::BoundaryKind::Backward;
  EXPECT_FALSE(buildsUnusedGraphs(R));
}

TEST(Advice, NamesTheLargestInPlaceOperatorOfInference) {
  PeakShares Shares;
  Shares.StepsSeen = true;
  Shares.Total = Shares.Standing = 10 * MiB;
  RunFacts Run = test::cleanRun();
  for (unsigned Line : {7u, 8u, 9u}) {
    SourceSite S = test::siteAt(Line);
    S.Allocations = S.InPlaceCandidates = 10;
    S.InPlaceBytes = 10 * Line * uint64_t(MiB) / 4;
    S.BytesAtPeak = MiB;
    Run.Sites.push_back(S);
  }
  Run.Sites[2].InPlaceCandidates = 9; // its input was needed once
  std::vector<Advice> All = adviseOn(Run, Shares, {});
  ASSERT_EQ(All.size(), 1u);
  EXPECT_EQ(All[0].What, "an in-place operator at train.cpp:8");
  EXPECT_EQ(All[0].Bytes, 2 * MiB);
}

TEST(Advice, LeavesOperatorsAloneWhereGraphsAreBuilt) {
  PeakShares Shares;
  Shares.StepsSeen = true;
  Shares.Total = Shares.Standing = 10 * MiB;
  RunFacts Run = test::cleanRun();
  Run.Sites.push_back(test::siteAt(7));
  Run.Sites[0].Allocations = Run.Sites[0].InPlaceCandidates = 1;
  Run.Sites[0].InPlaceBytes = Run.Sites[0].BytesAtPeak = MiB;
  EXPECT_EQ(adviseOn(Run, Shares, {}).size(), 1u);
  Run.NodeSites = {{{}, 100}};
  EXPECT_TRUE(adviseOn(Run, Shares, {}).empty());
}

TEST(Advice, TakesOverWhatFindingsProved) {
  PeakShares Shares;
  Shares.StepsSeen = true;
  Shares.Total = Shares.Standing = 10 * MiB;
  Finding F = test::findingAt(12, Kind::Peak);
  F.TheVerdict = Verdict::Confirmed;
  F.TheEvidence.PeakBytes = 3 * MiB;
  EXPECT_EQ(namesOf(adviseOn(test::cleanRun(), Shares, {F})),
            (Names{"the finding at train.cpp:12 fixed"}));
  F.TheVerdict = Verdict::Refuted;
  EXPECT_TRUE(adviseOn(test::cleanRun(), Shares, {F}).empty());
}

TEST(Advice, KnowsOnlyTheTotalWithoutSteps) {
  PeakShares Shares;
  Shares.Total = 10 * MiB;
  EXPECT_EQ(describeShares(Shares), "10 MiB; no step was seen that could tell what stayed");
  EXPECT_EQ(namesOf(adviseOn(test::cleanRun(), Shares, {})),
            (Names{"half precision throughout (half())"}));
}

TEST(Advice, SaysWhetherTheNumberIsABound) {
  EXPECT_EQ(describeAdvice({"A", MiB, true, "B holds"}), "at most 1 MiB less: A, if B holds");
  EXPECT_EQ(describeAdvice({"A", MiB, false, "B holds"}), "1 MiB less: A, if B holds");
}

TEST(Advice, DescribesTheShares) {
  EXPECT_EQ(describeShares(trainingShares()),
            "10 MiB: 1 MiB from before the first step (parameters, data), 1 MiB of gradients of "
            "earlier steps, 2 MiB of optimizer state, 6 MiB of the step (activations, "
            "temporaries)");
}
