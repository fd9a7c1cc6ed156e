//===-- ActivityTest.cpp - Which places belong to one loop ------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/facts/phases/Activity.h"

#include <gtest/gtest.h>

using namespace tensorleak;

namespace {

/// A place that is executed \p Times times from \p From on, every \p Pace allocations.
Beat beat(uint64_t From, uint64_t Pace, uint64_t Times) {
  Beat B;
  for (uint64_t I = 0; I < Times; ++I)
    B.At.push_back(From + I * Pace);
  B.Executions = Times;
  return B;
}

Beat both(const Beat &A, const Beat &B) {
  Beat Out = A;
  Out.At.insert(Out.At.end(), B.At.begin(), B.At.end());
  Out.Executions += B.Executions;
  return Out;
}

} // namespace

TEST(Activity, EvenPacesAreOneSpell) {
  Spells All = spellsOf(beat(100, 10, 50));
  ASSERT_EQ(All.size(), 1u);
  EXPECT_EQ(All[0].From, 100u);
  EXPECT_EQ(All[0].To, 590u);
}

TEST(Activity, ALongRestEndsASpellAndAShortOneDoesNot) {
  EXPECT_EQ(spellsOf(both(beat(0, 10, 30), beat(290 + 80, 10, 30))).size(), 1u);
  EXPECT_EQ(spellsOf(both(beat(0, 10, 30), beat(290 + 81, 10, 30))).size(), 2u);
}

TEST(Activity, CountsExecutionsWithinTimesByTheStride) {
  Beat B = beat(0, 10, 100);
  B.Stride = 4;
  EXPECT_EQ(executionsIn(B, {{100, 190}, {500, 509}}), 4u * 11u);
  EXPECT_EQ(executionsIn(B, {}), 0u);
}

TEST(Activity, PlacesThatAreBusyAtTheSameTimesAreOneLoop) {
  Beat Evaluation = both(beat(0, 10, 30), beat(2000, 10, 30)), Within = beat(2005, 20, 14),
       Serving = beat(5000, 10, 200);
  std::vector<Activity> All = activitiesOf({&Within, &Evaluation, &Serving});
  ASSERT_EQ(All.size(), 2u);
  EXPECT_EQ(All[0].Members.size(), 2u);
  EXPECT_EQ(All[0].When.size(), 2u);
  EXPECT_EQ(All[1].Members, (Beats{&Serving}));
}
