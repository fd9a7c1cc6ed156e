//===-- PhasesTest.cpp - Programs that train and then do something else ----===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/facts/rounds/ProgramByHand.h"
#include "runtime/replay/verdicts/Verdicts.h"

#include <gtest/gtest.h>

using namespace tensorleak;
using namespace tensorleak::test;

namespace {

std::vector<Finding> leaksOf(const RunFacts &Facts) { return unexplainedGrowth(Facts, {}); }

void train(Program &P, int Steps) {
  for (int I = 0; I < Steps; ++I) {
    for (int Layer = 0; Layer < 6; ++Layer)
      P.temporary(Load, Inside + Layer);
    P.step();
  }
}

void answer(Program &P) {
  P.temporary(Head);
  for (int Layer = 0; Layer < 4; ++Layer)
    P.temporary(Call, Inside);
  P.temporary(Tail);
}

void freeAll(Program &P, std::vector<uint64_t> &Objects) {
  for (uint64_t O : Objects)
    P.free(O);
  Objects.clear();
}

} // namespace

TEST(Phases, WhoServesAfterTrainingIsJudgedByTheRequests) {
  for (bool Keeps : {true, false}) {
    Program P;
    train(P, 60);
    for (int I = 0; I < 120; ++I) {
      answer(P);
      if (uint64_t Answer = P.at(Kept, 0, 4096); !Keeps)
        P.free(Answer);
    }
    RunFacts Facts = P.finish();
    EXPECT_EQ(Facts.Clock.Name, "step of Adam");
    ASSERT_EQ(Facts.OtherLoops.size(), 1u);
    EXPECT_EQ(Facts.OtherLoops[0].Name, "execution of main.cpp:20");
    std::vector<Finding> Leaks = leaksOf(Facts);
    ASSERT_EQ(Leaks.size(), Keeps ? 1u : 0u);
    if (Keeps) {
      EXPECT_EQ(Leaks[0].Where.Line, Kept);
      EXPECT_EQ(Leaks[0].TheEvidence.BytesPerStep, 4096);
      EXPECT_EQ(Leaks[0].TheEvidence.Per, "round of main.cpp:20");
      EXPECT_NE(Leaks[0].Message.find("grows per round of main.cpp:20"), std::string::npos);
    }
  }
}

TEST(Phases, WhatATrainingKeepsIsJudgedByItsSteps) {
  Program P;
  for (int I = 0; I < 60; ++I) {
    train(P, 1);
    P.at(Rare, 0, 640);
  }
  for (int I = 0; I < 120; ++I)
    answer(P);
  std::vector<Finding> Leaks = leaksOf(P.finish());
  ASSERT_EQ(Leaks.size(), 1u);
  EXPECT_EQ(Leaks[0].Where.Line, Rare);
  EXPECT_EQ(Leaks[0].TheEvidence.BytesPerStep, 640);
  EXPECT_EQ(Leaks[0].TheEvidence.Per, "");
}

TEST(Phases, EvaluationsOfAFewEpochsAreOneLoop) {
  for (bool Keeps : {true, false}) {
    Program P;
    std::vector<uint64_t> Outputs;
    for (int Epoch = 0; Epoch < 4; ++Epoch) {
      train(P, 50);
      for (int I = 0; I < 40; ++I) {
        answer(P);
        Outputs.push_back(P.at(Kept, 0, 1024));
      }
      if (!Keeps) // gathered for a metric
        freeAll(P, Outputs);
    }
    train(P, 3);
    std::vector<Finding> Leaks = leaksOf(P.finish());
    ASSERT_EQ(Leaks.size(), Keeps ? 1u : 0u);
    if (Keeps) {
      EXPECT_EQ(Leaks[0].TheEvidence.BytesPerStep, 1024);
    }
  }
}

TEST(Phases, WhatIsGatheredUsedAndFreedIsNoLeak) {
  for (bool IsUsed : {true, false})
    for (bool IsFreed : {true, false}) {
      Program P;
      train(P, 60);
      std::vector<uint64_t> Outputs;
      for (int I = 0; I < 100; ++I) {
        answer(P);
        Outputs.push_back(P.at(Kept, 0, 1024));
      }
      if (IsUsed)
        P.free(P.at(Rare, 0, 100 * 1024));
      if (IsFreed)
        freeAll(P, Outputs);
      EXPECT_EQ(leaksOf(P.finish()).size(), IsUsed && IsFreed ? 0u : 1u);
    }
}

TEST(Phases, WhatARoundTakesForAWhileIsNoUseOfAll) {
  Program P;
  train(P, 60);
  std::vector<uint64_t> Outputs;
  for (int I = 0; I < 100; ++I) {
    answer(P);
    P.free(P.at(Rare, 0, 1 << 20));
    Outputs.push_back(P.at(Kept, 0, 1024));
  }
  freeAll(P, Outputs);
  EXPECT_EQ(leaksOf(P.finish()).size(), 1u);
}

TEST(Phases, WhatIsMadeAnewForEachEpochIsNoLeak) {
  Program P;
  std::vector<uint64_t> Batches;
  for (int Epoch = 0; Epoch < 3; ++Epoch) {
    std::vector<uint64_t> Old = std::move(Batches);
    Batches.clear();
    for (int I = 0; I < 60; ++I) {
      P.temporary(Head);
      P.temporary(Tail);
      Batches.push_back(P.at(Kept, 0, 1024));
    }
    freeAll(P, Old);
    train(P, 60);
  }
  EXPECT_TRUE(leaksOf(P.finish()).empty());
}

TEST(Phases, WhatPreparesATrainingIsNoLeak) {
  // By the steps of another training; of some, what the first rounds kept is no growth.
  for (const auto &[Before, Size] : {std::pair(0, "100 KiB"), std::pair(5, "90 KiB")}) {
    Program P;
    train(P, Before);
    for (int I = 0; I < 100; ++I) {
      answer(P);
      P.at(Kept, 0, 1024);
    }
    train(P, 100);
    RunFacts Facts = P.finish();
    EXPECT_TRUE(leaksOf(Facts).empty());
    std::string Said = keptForLater(Facts, {});
    EXPECT_EQ(Said.find(std::string(Size) + " in 100 allocations from main.cpp:23 are kept, "
                                            "more in each round, by a loop that is over"),
              0u)
        << Said;
  }
}

TEST(Phases, WhatALoopThatIsOverLostIsALeak) {
  for (bool IsLost : {true, false}) {
    Program P;
    for (int I = 0; I < 100; ++I) {
      answer(P);
      if (uint64_t Answer = P.at(Kept, 0, 1024); !IsLost && I % 20 == 19)
        P.free(Answer);
    }
    if (IsLost)
      P.keep(Kept, /*Nodes=*/2); // with its graph
    train(P, 100);
    RunFacts Facts = P.finish();
    EXPECT_EQ(leaksOf(Facts).size(), IsLost ? 1u : 0u);
    EXPECT_EQ(keptForLater(Facts, {}).empty(), IsLost);
  }
}

TEST(Phases, OfAProgramWithoutStepsEachLoopHasItsRounds) {
  for (bool Keeps : {true, false}) {
    Program P;
    for (int I = 0; I < 200; ++I)
      answer(P);
    for (int I = 0; I < 150; ++I) {
      P.temporary(Load);
      if (uint64_t Answer = P.at(Kept, 0, 1024); !Keeps)
        P.free(Answer);
      P.temporary(Rare);
    }
    EXPECT_EQ(leaksOf(P.finish()).size(), Keeps ? 1u : 0u);
  }
}

TEST(Phases, ARolloutThatTheEndCutsOffIsNoLeak) {
  Program P;
  std::vector<uint64_t> States;
  for (int I = 1; I <= 430; ++I) {
    answer(P);
    States.push_back(P.at(Kept, 0, 512));
    if (I % 50 == 0) {
      train(P, 4);
      freeAll(P, States);
    }
  }
  EXPECT_TRUE(leaksOf(P.finish()).empty());
}

TEST(Phases, WhatIsDoneOnceAfterAnEpochHasTheStepsAsRounds) {
  Program P;
  for (int Epoch = 0; Epoch < 30; ++Epoch) {
    train(P, 5);
    for (int Parameter = 0; Parameter < 4; ++Parameter)
      P.at(Kept, 0, 1000);
  }
  RunFacts Facts = P.finish();
  EXPECT_TRUE(Facts.OtherLoops.empty());
  std::vector<Finding> Leaks = leaksOf(Facts);
  ASSERT_EQ(Leaks.size(), 1u);
  EXPECT_EQ(Leaks[0].TheEvidence.BytesPerStep, 800);
}
