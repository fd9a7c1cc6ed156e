//===-- RoundsTest.cpp - The loop of a program that announces no steps ------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/facts/rounds/ProgramByHand.h"
#include "runtime/replay/verdicts/Verdicts.h"

#include <deque>
#include <gtest/gtest.h>
#include <random>

using namespace tensorleak;
using namespace tensorleak::test;

namespace {

std::vector<Finding> leaksOf(const RunFacts &Facts) { return unexplainedGrowth(Facts, {}); }

/// One request: a network of four layers, called in one line.
void serve(Program &P) {
  P.temporary(Head);
  for (int Layer = 0; Layer < 4; ++Layer) {
    P.temporary(Call, Inside);
    P.temporary(Call, Inside + 1);
  }
  P.temporary(Tail);
}

} // namespace

TEST(Rounds, AServerGoesRoundOncePerRequest) {
  Program P;
  for (int I = 0; I < 100; ++I) {
    serve(P);
    P.at(Kept, 0, 4096);
  }
  RunFacts Facts = P.finish();
  EXPECT_EQ(Facts.Clock.Name, "execution of main.cpp:20");
  EXPECT_GE(Facts.Clock.steps(), 80u);
  std::vector<Finding> Leaks = leaksOf(Facts);
  ASSERT_EQ(Leaks.size(), 1u);
  EXPECT_EQ(Leaks[0].Where.Line, Kept);
  EXPECT_EQ(Leaks[0].TheEvidence.BytesPerStep, 4096);
}

TEST(Rounds, OfAKilledServerThoseCountThatAreKnown) {
  Program P;
  for (int I = 0; I < 100; ++I) {
    serve(P);
    P.at(Kept, 0, 4096);
  }
  RunFacts Facts = P.killed(/*Known=*/700); // of 1,100 allocations
  EXPECT_EQ(Facts.Clock.Name, "execution of main.cpp:20");
  EXPECT_LE(Facts.Clock.steps(), 64u);
  std::vector<Finding> Leaks = leaksOf(Facts);
  ASSERT_EQ(Leaks.size(), 1u);
  EXPECT_EQ(Leaks[0].TheEvidence.BytesPerStep, 4096);
}

TEST(Rounds, WhatTheFirstRoundSetsUpIsNoGrowth) {
  Program P;
  for (int I = 0; I < 150; ++I) {
    serve(P);
    for (int Handle = 0; I == 1 && Handle < 2000; ++Handle)
      P.at(Call, Inside, 1024);
    P.at(Kept, 0, 4096);
  }
  RunFacts Facts = P.finish();
  EXPECT_EQ(Facts.Clock.Name, "execution of main.cpp:20");
  std::vector<Finding> Leaks = leaksOf(Facts);
  ASSERT_EQ(Leaks.size(), 1u);
  EXPECT_EQ(Leaks[0].Where.Line, Kept);
}

TEST(Rounds, WhatIsDoneNowAndThenIsNoRound) {
  Program P;
  for (int I = 0; I < 300; ++I) {
    serve(P);
    if (I % 10 == 0)
      P.temporary(Rare);
  }
  RunFacts Facts = P.finish();
  EXPECT_EQ(Facts.Clock.Name, "execution of main.cpp:20");
  EXPECT_TRUE(leaksOf(Facts).empty());
}

TEST(Rounds, OfTheLoopsInEachOtherTheOuterOneCounts) {
  Program P;
  for (int I = 0; I < 40; ++I) {
    P.temporary(Head);
    for (int Batch = 0; Batch < 10; ++Batch)
      P.temporary(Call, Inside);
  }
  EXPECT_EQ(P.finish().Clock.Name, "execution of main.cpp:20");
}

TEST(Rounds, ALoopInABlockOfAnotherIsTheInnerOne) {
  for (bool IsWithin : {true, false}) {
    Program P;
    P.Blocks[Head] = P.Blocks[Kept] = {1};
    P.Blocks[Tail] = P.Blocks[Call] = P.Blocks[Rare] =
        IsWithin ? std::vector<uint64_t>{1, 2} : P.Blocks[Head];
    for (int I = 0; I < 60; ++I) {
      P.temporary(Head);
      for (int Layer = 0; Layer < 10; ++Layer) {
        P.temporary(Tail);
        P.temporary(Call, Inside);
        P.temporary(Rare);
      }
      P.at(Kept, 0, 640);
    }
    std::vector<Finding> Leaks = leaksOf(P.finish());
    ASSERT_EQ(Leaks.size(), 1u);
    EXPECT_EQ(Leaks[0].TheEvidence.BytesPerStep, IsWithin ? 640 : 64);
  }
}

TEST(Rounds, WhatRanTooRarelyIsNoClockBesideALoopThatRanOften) {
  Program P;
  P.Blocks[Kept] = P.Blocks[Load] = P.Blocks[Load + 1] = P.Blocks[Load + 2] = {1};
  std::vector<uint64_t> Batch;
  for (int I = 1; I <= 330; ++I) {
    Batch.push_back(P.at(Kept));
    for (unsigned Line = Load; I % 25 == 0 && Line < Load + 3; ++Line)
      P.temporary(Line);
    for (; I % 25 == 0 && !Batch.empty(); Batch.pop_back())
      P.free(Batch.back());
  }
  RunFacts Facts = P.finish();
  EXPECT_EQ(Facts.Clock.Name, "execution of main.cpp:23");
  EXPECT_TRUE(leaksOf(Facts).empty());
}

TEST(Rounds, WhoAnswersIsJudgedByItsOwnLoop) {
  for (bool Keeps : {true, false}) {
    Program P;
    for (int I = 0; I < 200; ++I) {
      for (int Request = 0; Request < 5 && I % 10 == 0; ++Request) { // they come in together
        P.temporary(Head);
        P.temporary(Tail);
      }
      P.temporary(Take); // each is answered in two parts
      uint64_t Answer = P.at(Work, 0, 320);
      if (!Keeps)
        P.free(Answer);
    }
    RunFacts Facts = P.finish();
    EXPECT_EQ(Facts.Clock.Name, "execution of main.cpp:20");
    ASSERT_EQ(Facts.OtherLoops.size(), 1u);
    EXPECT_EQ(Facts.OtherLoops[0].Name, "execution of main.cpp:70");
    std::vector<Finding> Leaks = leaksOf(Facts);
    ASSERT_EQ(Leaks.size(), Keeps ? 1u : 0u);
    if (Keeps) {
      EXPECT_EQ(Leaks[0].TheEvidence.BytesPerStep, 320);
    }
  }
}

TEST(Rounds, WhatOneRequestKeepsAndDropsIsNoLeak) {
  Program P;
  std::vector<uint64_t> Cache;
  for (int Request = 0; Request < 30; ++Request) {
    P.temporary(Head);
    for (int Token = 0; Token < 20; ++Token) {
      P.temporary(Tail);
      Cache.push_back(P.at(Kept));
    }
    for (uint64_t O : Cache)
      P.free(O);
    Cache.clear();
  }
  RunFacts Facts = P.finish();
  EXPECT_GE(Facts.Clock.steps(), MinStepsToJudge);
  EXPECT_TRUE(leaksOf(Facts).empty());
}

TEST(Rounds, ShortRunsSaySo) {
  Program P;
  for (int I = 0; I < 12; ++I) {
    serve(P);
    P.at(Kept);
  }
  RunFacts Facts = P.finish();
  EXPECT_EQ(Facts.Clock.steps(), 0u);
  EXPECT_NE(Facts.ClockRemark.find("went round 12 times"), std::string::npos) << Facts.ClockRemark;
  EXPECT_NE(Facts.ClockRemark.find("40 rounds are needed"), std::string::npos);
  EXPECT_TRUE(leaksOf(Facts).empty());
}

TEST(Rounds, WhereTheOuterLoopIsShortTheInnerOneCounts) {
  Program P, Clean;
  for (int Prompt = 0; Prompt < 10; ++Prompt) {
    P.temporary(Head);
    Clean.temporary(Head);
    std::vector<uint64_t> Past;
    for (int Token = 0; Token < 40; ++Token) {
      P.temporary(Tail);
      P.at(Kept);
      Clean.temporary(Tail);
      Past.push_back(Clean.at(Kept));
    }
    for (uint64_t O : Past)
      Clean.free(O);
  }
  EXPECT_EQ(leaksOf(P.finish()).size(), 1u);
  EXPECT_TRUE(leaksOf(Clean.finish()).empty());
}

TEST(Rounds, WhatGraphsKeepWasNotLoaded) {
  Program P;
  for (int I = 0; I < 100; ++I) {
    P.at(Head);
    P.at(Kept);
  }
  P.keep(Head, /*Nodes=*/2);
  EXPECT_EQ(leaksOf(P.finish()).size(), 2u);
}

TEST(Rounds, ALoopThatLoadsIsNoLeakUnlessItLoses) {
  Program P;
  for (int I = 0; I < 100; ++I) {
    P.at(Head);
    P.at(Kept);
  }
  RunFacts Facts = P.finish();
  EXPECT_TRUE(Facts.OnlyLoads);
  EXPECT_TRUE(leaksOf(Facts).empty());
  HeldSite Lost;
  Lost.SiteId = Kept;
  Lost.Targets = Lost.Unheld = 3;
  Facts.Held = {Lost};
  EXPECT_EQ(leaksOf(Facts).size(), 1u);
}

static RunFacts keepingLoop(const std::string &Operator) {
  Program P;
  P.Operators[Kept] = Operator;
  for (int I = 0; I < 200; ++I)
    P.at(Kept, 0, 4096);
  return P.finish();
}

TEST(Rounds, WhatLayersReturnWasNotLoaded) {
  for (const char *Makes : {"aten::empty", "aten::_to_copy", "aten::rand", "aten::div_"})
    EXPECT_TRUE(leaksOf(keepingLoop(Makes)).empty()) << Makes;
  for (const char *Calculates : {"aten::relu", "aten::addmm", "aten::divide_by_two", "my::op"})
    EXPECT_EQ(leaksOf(keepingLoop(Calculates)).size(), 1u) << Calculates;
}

TEST(Rounds, AModelThatIsBuiltBeforeTheLoopIsNoLeak) {
  Program P;
  for (int I = 0; I < 100; ++I) {
    P.at(Load);
    P.temporary(Load, Inside);
  }
  for (int I = 0; I < 60; ++I)
    serve(P);
  RunFacts Facts = P.finish();
  EXPECT_EQ(Facts.Clock.Name, "execution of main.cpp:20");
  EXPECT_TRUE(leaksOf(Facts).empty());
}

TEST(Rounds, BuffersThatAreFilledFirstAndThenUsedAreNoLeak) {
  Program P;
  for (int I = 0; I < 100; ++I) {
    P.temporary(Head);
    P.at(Kept);
  }
  P.wait(1000000); // in operators that allocate nothing
  RunFacts Facts = P.finish();
  EXPECT_TRUE(leaksOf(Facts).empty());
  Program Leaking; // the same without a second half
  for (int I = 0; I < 100; ++I) {
    Leaking.temporary(Head);
    Leaking.at(Kept);
  }
  EXPECT_EQ(leaksOf(Leaking.finish()).size(), 1u);
}

TEST(Rounds, WhatIsGatheredUsedAndFreedIsNoLeak) {
  for (bool IsFreed : {true, false}) {
    Program P;
    uint64_t Model = P.at(Load, 0, 1 << 20);
    std::vector<uint64_t> Outputs;
    for (int I = 0; I < 100; ++I) {
      serve(P);
      Outputs.push_back(P.at(Kept, 0, 1024));
    }
    P.free(P.at(Rare, 0, 100 * 1024));
    for (uint64_t O : Outputs)
      if (IsFreed)
        P.free(O);
    P.free(Model);
    EXPECT_EQ(leaksOf(P.finish()).size(), IsFreed ? 0u : 1u);
  }
}

TEST(Rounds, WhatIsMadeOfAPartOfItIsNoUseOfAll) {
  Program P;
  std::vector<uint64_t> Losses;
  for (int I = 0; I < 100; ++I) {
    serve(P);
    Losses.push_back(P.at(Kept));
    Losses.push_back(P.at(Rare, 0, 4096)); // what the graph of each keeps
  }
  P.free(P.at(Load, 0, 100 * 64));
  for (uint64_t O : Losses)
    P.free(O);
  EXPECT_EQ(leaksOf(P.finish()).size(), 2u);
}

TEST(Rounds, WithoutARegularPlaceStretchesOfAllocationsCount) {
  for (bool Keeps : {true, false}) {
    Program P;
    std::vector<uint64_t> Objects;
    for (unsigned Phase = 0; Phase < 8; ++Phase) // each calls other operators in the same line
      for (int I = 0; I < 150; ++I) {
        P.temporary(Load + Phase, Inside + Phase);
        if (I % 3 == 0)
          Objects.push_back(P.at(Kept, 0, 64, Phase));
        if (!Keeps && Objects.size() == 20) {
          for (uint64_t O : Objects)
            P.free(O);
          Objects.clear();
        }
      }
    RunFacts Facts = P.finish();
    EXPECT_EQ(Facts.Clock.Name.substr(0, 10), "stretch of") << Facts.Clock.Name;
    EXPECT_EQ(leaksOf(Facts).size(), Keeps ? 1u : 0u);
  }
}

namespace {

using Behaviour = void (*)(Program &, std::mt19937 &, std::deque<uint64_t> &, int Round);

void ring(Program &P, std::mt19937 &, std::deque<uint64_t> &Objects, int) {
  Objects.push_back(P.at(Kept));
  if (Objects.size() > 40)
    P.free(Objects.front()), Objects.pop_front();
}
void lateRing(Program &P, std::mt19937 &, std::deque<uint64_t> &Objects, int) {
  Objects.push_back(P.at(Kept));
  if (Objects.size() > 90)
    P.free(Objects.front()), Objects.pop_front();
}
/// Of twenty shapes, each is computed once.
void shapes(Program &P, std::mt19937 &Random, std::deque<uint64_t> &Objects, int) {
  Objects.resize(20);
  uint64_t &Slot = Objects[Random() % 20];
  Slot = Slot ? Slot : P.at(Kept);
}
void flush(Program &P, std::mt19937 &, std::deque<uint64_t> &Objects, int Round) {
  Objects.push_back(P.at(Kept));
  for (; Round % 25 == 0 && !Objects.empty(); Objects.pop_front())
    P.free(Objects.front());
}
void last(Program &P, std::mt19937 &, std::deque<uint64_t> &Objects, int) {
  Objects.push_back(P.at(Kept));
  if (Objects.size() > 1)
    P.free(Objects.front()), Objects.pop_front();
}

} // namespace

TEST(Rounds, HarmlessGrowthIsNotCalledALeak) {
  for (Behaviour B : {ring, lateRing, shapes, flush, last}) {
    unsigned Wrong = 0;
    for (unsigned Seed = 0; Seed < 25; ++Seed) {
      Program P;
      std::mt19937 Random(Seed);
      std::deque<uint64_t> Objects;
      for (int I = 1; I <= 160; ++I) {
        for (unsigned Size = 1 + Random() % 6; Size; --Size) // requests differ
          serve(P);
        B(P, Random, Objects, I);
      }
      Wrong += !leaksOf(P.finish()).empty();
    }
    EXPECT_EQ(Wrong, 0u);
  }
}

TEST(Rounds, OneObjectInAFewRoundsIsFound) {
  unsigned Found = 0;
  for (unsigned Seed = 0; Seed < 25; ++Seed) {
    Program P;
    std::mt19937 Random(Seed);
    for (int I = 0; I < 160; ++I) {
      serve(P);
      if (Random() % 3 == 0)
        P.at(Kept);
    }
    Found += leaksOf(P.finish()).size() == 1;
  }
  EXPECT_GE(Found, 23u);
}
