//===-- GrowthTest.cpp - How often is the growth rule wrong? --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simulates what sites do in real programs, harmless and leaking, and measures false
// alarms and detection. Seeds are fixed. The tables of docs/benchmarks.md are what
// `GrowthTest --gtest_filter=GrowthRates.*` prints.
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/growth/Growth.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>
#include <random>

using namespace tensorleak;

namespace {

/// One simulated site: objects are allocated and freed step by step.
class SimulatedSite {
public:
  SimulatedSite(unsigned Seed, uint32_t Steps) : Random(Seed) {
    Capacity = between(8, 40);
    LargeCapacity = between(Steps / 4, Steps * 15 / 16);
    Period = std::vector<int64_t>{5, 10, 25}[static_cast<size_t>(between(0, 2))];
    WarmUp = between(1, 8);
    Probability = std::vector<double>{0.05, 0.1, 0.3}[static_cast<size_t>(between(0, 2))];
  }

  int64_t between(int64_t Low, int64_t High) {
    return std::uniform_int_distribution<int64_t>(Low, High)(Random);
  }
  bool chance(double P) { return std::bernoulli_distribution(P)(Random); }

  void allocate(int64_t Bytes) { Objects.push_back({Now, Lifetime::Never, Bytes}); }

  /// Allocates for a key that was not met before.
  void keyed(size_t Key, int64_t Bytes) {
    if (!KeysSeen[Key])
      allocate(Bytes);
    KeysSeen[Key] = true;
  }

  template <typename Fn> void freeIf(Fn ShouldGo) {
    for (Lifetime &O : Objects)
      if (O.Death == Lifetime::Never && ShouldGo(O))
        O.Death = Now;
  }
  void freeAll() {
    freeIf([](const Lifetime &) { return true; });
  }
  /// Only the newest \p Keep stay.
  void keepNewest(size_t Keep) {
    size_t Alive = 0;
    for (auto O = Objects.rbegin(); O != Objects.rend(); ++O)
      if (O->Death == Lifetime::Never && ++Alive > Keep)
        O->Death = Now;
  }

  /// All but so many go, which is left to chance.
  void keepAtRandom(size_t Keep) {
    std::vector<Lifetime *> Alive;
    for (Lifetime &O : Objects)
      if (O.Death == Lifetime::Never)
        Alive.push_back(&O);
    std::shuffle(Alive.begin(), Alive.end(), Random);
    for (size_t I = Keep; I < Alive.size(); ++I)
      Alive[I]->Death = Now;
  }

  uint32_t Now = 0;
  int64_t Capacity, LargeCapacity, Period, WarmUp;
  double Probability;
  std::vector<bool> KeysSeen = std::vector<bool>(21);
  std::vector<Lifetime> Objects;

private:
  std::mt19937 Random;
};

struct Behaviour {
  const char *Name;
  bool Leaks;
  void (*Step)(SimulatedSite &);
};

void dropOld(SimulatedSite &S) {
  S.freeIf([&S](const Lifetime &O) { return O.Birth + 1 < S.Now; });
}

const Behaviour Behaviours[] = {
    {"steady", false,
     [](SimulatedSite &S) {
       dropOld(S);
       S.allocate(1000);
     }},
    {"variable batch", false,
     [](SimulatedSite &S) {
       S.freeAll();
       S.allocate(S.between(500, 1500));
     }},
    {"parameters", false,
     [](SimulatedSite &S) {
       for (int I = 0; S.Now == 0 && I < 10; ++I)
         S.allocate(1000);
     }},
    {"warm-up", false,
     [](SimulatedSite &S) {
       if (S.Now < S.WarmUp)
         S.allocate(1000);
     }},
    {"optimizer state", false,
     [](SimulatedSite &S) {
       if (S.Now == 0)
         S.allocate(4000);
     }},
    {"ring buffer", false,
     [](SimulatedSite &S) {
       S.allocate(1000);
       S.keepNewest(static_cast<size_t>(S.Capacity));
     }},
    {"ring buffer, filled late", false,
     [](SimulatedSite &S) {
       S.allocate(1000);
       S.keepNewest(static_cast<size_t>(S.LargeCapacity));
     }},
    {"ring buffer of varying sizes", false,
     [](SimulatedSite &S) {
       S.allocate(S.between(500, 1500));
       S.keepNewest(static_cast<size_t>(S.LargeCapacity));
     }},
    {"cache that forgets at random", false,
     [](SimulatedSite &S) {
       S.keepAtRandom(static_cast<size_t>(S.LargeCapacity) - 1);
       S.allocate(1000);
     }},
    {"state at first use", false,
     [](SimulatedSite &S) { // of an optimizer, for parameters that are used at random
       for (int I = 0; I < 2; ++I)
         S.keyed(static_cast<size_t>(S.between(1, 20)), 4096);
     }},
    {"periodic flush", false,
     [](SimulatedSite &S) {
       if (S.Now % S.Period == 0)
         S.freeAll();
       S.allocate(1000);
     }},
    {"shape cache", false,
     [](SimulatedSite &S) {
       auto Shape = static_cast<size_t>(S.between(1, 20));
       S.keyed(Shape, 1000 * static_cast<int64_t>(Shape));
     }},
    {"best checkpoint", false,
     [](SimulatedSite &S) {
       if (S.chance(0.3 / (1 + S.Now * 0.1))) {
         S.freeAll();
         S.allocate(5000);
       }
     }},
    {"every step", true, [](SimulatedSite &S) { S.allocate(1000); }},
    {"variable size", true, [](SimulatedSite &S) { S.allocate(S.between(500, 1500)); }},
    {"every few steps", true,
     [](SimulatedSite &S) {
       if (S.Now % S.Period == 0)
         S.allocate(1000);
     }},
    {"at random", true,
     [](SimulatedSite &S) {
       if (S.chance(S.Probability))
         S.allocate(1000);
     }},
    {"under noise", true,
     [](SimulatedSite &S) {
       S.freeIf([](const Lifetime &O) { return O.Bytes != 7; });
       S.allocate(7);
       S.allocate(S.between(2000, 9000));
     }},
    {"ever larger", true,
     [](SimulatedSite &S) {
       S.freeAll();
       S.allocate(100 * (static_cast<int64_t>(S.Now) + 1));
     }},
};

Growth simulate(const Behaviour &B, uint32_t Steps, unsigned Seed) {
  SimulatedSite S(Seed, Steps);
  for (; S.Now < Steps; ++S.Now)
    B.Step(S);
  return judge(seriesOf(S.Objects, Steps));
}

/// The share of runs of all behaviours of that sort that are judged so.
double rate(bool Leaks, uint32_t Steps, Growth Wanted) {
  constexpr unsigned Runs = 200;
  double Hits = 0, All = 0;
  for (const Behaviour &B : Behaviours)
    for (unsigned Seed = 0; B.Leaks == Leaks && Seed < Runs; ++Seed, ++All)
      Hits += simulate(B, Steps, Seed) == Wanted;
  return Hits / All;
}

double rateOf(const Behaviour &B, uint32_t Steps, Growth Wanted, unsigned Runs) {
  unsigned Hits = 0;
  for (unsigned Seed = 0; Seed < Runs; ++Seed)
    Hits += simulate(B, Steps, Seed) == Wanted;
  return double(Hits) / Runs;
}

/// 1 KiB stays in every step, among what else a site may do.
const Behaviour SmallLeaks[] = {
    {"1 KiB alone", true, [](SimulatedSite &S) { S.allocate(1024); }},
    {"1 KiB among temporaries", true,
     [](SimulatedSite &S) {
       S.freeIf([](const Lifetime &O) { return O.Bytes != 1024; });
       S.allocate(1024);
       S.allocate(S.between(1 << 16, 1 << 20));
     }},
    {"1 KiB beside a full ring buffer", true,
     [](SimulatedSite &S) {
       S.freeIf([&S](const Lifetime &O) { return O.Bytes != 1024 && O.Birth + 8 < S.Now; });
       S.allocate(1024);
       S.allocate(32768);
     }},
};

} // namespace

TEST(GrowthRates, HarmlessGrowthIsHardlyEverCalledALeak) {
  for (const Behaviour &B : Behaviours) {
    if (B.Leaks)
      continue;
    double Rate = rateOf(B, 160, Growth::Growing, 1000);
    std::printf("| %s | %.1f%% |\n", B.Name, 100 * Rate);
    EXPECT_LE(Rate, 0.01) << B.Name;
  }
}

TEST(GrowthRates, OneKibibytePerStepIsFoundWithinFortySteps) {
  for (const Behaviour &B : SmallLeaks) {
    double Rate = rateOf(B, 40, Growth::Growing, 1000);
    std::printf("| %s | %.1f%% |\n", B.Name, 100 * Rate);
    EXPECT_GE(Rate, 0.99) << B.Name;
  }
}

TEST(GrowthRates, LeaksOfAllKinds) {
  for (const Behaviour &B : Behaviours) {
    if (!B.Leaks)
      continue;
    double AtEnd = rateOf(B, 160, Growth::Growing, 500);
    std::printf("| %s | %.0f%% | %.0f%% | %.0f%% |\n", B.Name,
                100 * rateOf(B, 40, Growth::Growing, 500),
                100 * rateOf(B, 80, Growth::Growing, 500), 100 * AtEnd);
    EXPECT_GE(AtEnd, 0.70) << B.Name; // the rarest: one step in twenty
  }
}

TEST(Growth, HarmlessSitesAreNotCalledGrowing) {
  EXPECT_LE(rate(false, 160, Growth::Growing), 0.01);
  EXPECT_LE(rate(false, 80, Growth::Growing), 0.05);
}

TEST(Growth, LeaksAreFound) {
  EXPECT_GE(rate(true, 160, Growth::Growing), 0.90);
  EXPECT_GE(rate(true, 80, Growth::Growing), 0.80);
}

TEST(Growth, EveryKindOfLeakIsFoundInLongRuns) {
  for (const Behaviour &B : Behaviours) {
    unsigned Hits = 0;
    for (unsigned Seed = 0; Seed < 50; ++Seed)
      Hits += simulate(B, 320, Seed) == Growth::Growing;
    if (B.Leaks)
      EXPECT_GE(Hits, 40u) << B.Name;
    else
      EXPECT_LE(Hits, 1u) << B.Name;
  }
}

TEST(Growth, TooFewStepsDecideNothing) {
  for (const Behaviour &B : Behaviours)
    EXPECT_EQ(simulate(B, MinStepsToJudge - 1, 1), Growth::TooShort) << B.Name;
}

/// One thread makes an object in each of 240 steps. Another comes at step 96 and frees every one
/// that it is meant to.
static Growth withLateReader(bool (*IsMeantToFree)(uint32_t Birth)) {
  constexpr uint32_t Steps = 240, Comes = 96;
  std::vector<Lifetime> Objects;
  for (uint32_t Birth = 0; Birth < Steps; ++Birth)
    Objects.push_back(
        {Birth, IsMeantToFree(Birth) ? std::max(Comes, Birth + 1) : Lifetime::Never, 2048});
  return judge(seriesOf(Objects, Steps));
}

TEST(Growth, WhatALateReaderForgetsGrows) {
  EXPECT_EQ(withLateReader([](uint32_t Birth) { return Birth % 2 == 0; }), Growth::Growing);
  EXPECT_EQ(withLateReader([](uint32_t Birth) { return Birth % 8 != 0; }), Growth::Growing);
  EXPECT_EQ(withLateReader([](uint32_t) { return true; }), Growth::Bounded);
  EXPECT_EQ(withLateReader([](uint32_t Birth) { return Birth < 120; }), Growth::Growing);
}

TEST(Growth, AFillingCacheIsSlowing) {
  // 100 keys, each new one harder to meet: the k-th comes at -60 ln(1 - k/100).
  std::vector<Lifetime> Objects;
  for (int K = 0; K < 100; ++K)
    Objects.push_back(
        {static_cast<uint32_t>(-60 * std::log(1 - K / 100.0)), Lifetime::Never, 1000});
  EXPECT_EQ(judge(seriesOf(Objects, 200)), Growth::Slowing);
  EXPECT_EQ(judge(seriesOf(Objects, 800)), Growth::Bounded);
}

TEST(Growth, BytesPerStepIsTheSlopeAfterWarmUp) {
  std::vector<int64_t> Bytes;
  for (int64_t I = 0; I < 90; ++I)
    Bytes.push_back(I < 20 ? 50000 * I : 1000000 + 688128 * I);
  EXPECT_EQ(bytesPerStep(Bytes), 688128);
  EXPECT_EQ(bytesPerStep({}), 0);
}

TEST(Growth, SlopeOfALongSeriesIsPerStep) {
  std::vector<int64_t> Bytes;
  for (int64_t I = 0; I < 5000; ++I)
    Bytes.push_back(12 * I);
  EXPECT_EQ(bytesPerStep(Bytes), 12);
}

TEST(Growth, AFewSamplesMustRiseByTheSame) {
  EXPECT_TRUE(growsSteadily({{16, 16384}, {24, 24576}, {32, 32768}}));
  EXPECT_FALSE(growsSteadily({{16, 16384}, {24, 24576}, {32, 33500}}));
  EXPECT_FALSE(growsSteadily({{16, 16384}, {24, 24576}}));
  EXPECT_TRUE(growsSteadily({{16, 16}, {24, 26}, {32, 34}, {40, 45}, {48, 56}}));
}

TEST(Growth, SeriesCountWhatIsHeldAtTheEndOfAStep) {
  SiteSeries S = seriesOf({{0, 2, 10}, {1, 1, 99}, {1, Lifetime::Never, 5}, {1, 3, 1}}, 4);
  EXPECT_EQ(S.Bytes, (std::vector<int64_t>{10, 16, 6, 5}));
  EXPECT_EQ(S.Generations, (std::vector<int64_t>{1, 2, 1, 1}));
  EXPECT_EQ(S.BirthsAlive, (std::vector<uint32_t>{1}));
}
