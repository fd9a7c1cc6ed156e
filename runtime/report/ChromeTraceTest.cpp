//===-- ChromeTraceTest.cpp - Memory over time for trace viewers ----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/report/ChromeTrace.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace tensorleak;
using nlohmann::json;

namespace {

MemoryPoint point(uint64_t Round, uint64_t Microseconds, int64_t Live) {
  MemoryPoint P;
  P.Round = Round;
  P.Microseconds = Microseconds;
  P.Live = Live;
  P.High = 2 * Live;
  P.Kept = Live / 4;
  return P;
}

json eventsOf(std::vector<MemoryPoint> Points) {
  RunRecord R;
  R.Command = {"./train"};
  R.Part.Pid = 42;
  R.Memory = {{"GPU 0", std::move(Points), {{2, 4096}}}};
  return chromeTrace(jobOf({R}))["traceEvents"];
}

std::vector<json> named(const json &Events, const std::string &Name) {
  std::vector<json> Out;
  for (const json &E : Events)
    if (E["name"] == Name)
      Out.push_back(E);
  return Out;
}

} // namespace

TEST(ChromeTrace, CountersAndSteps) {
  json Events = eventsOf({point(1, 1000, 400), point(2, 2500, 800), point(5, 7000, 1200)});
  EXPECT_EQ(Events[0]["args"]["name"], "process 42: ./train");
  std::vector<json> Live = named(Events, "GPU 0 live bytes");
  ASSERT_EQ(Live.size(), 3u);
  EXPECT_EQ(Live[1]["ts"], 2500);
  EXPECT_EQ(Live[1]["args"]["kept from earlier steps"], 200);
  EXPECT_EQ(Live[1]["args"]["of the step itself"], 600);
  EXPECT_EQ(named(Events, "GPU 0 most bytes within the step")[2]["args"]["bytes"], 2400);
  EXPECT_EQ(named(Events, "GPU 0 reserved bytes")[0]["ts"], 2500);
  EXPECT_EQ(named(Events, "step 2")[0]["dur"], 1500);
  EXPECT_EQ(named(Events, "steps 3 to 5").size(), 1u);
}

TEST(ChromeTrace, WithoutTimesAStepLastsAMillisecond) {
  json Events = eventsOf({point(1, 0, 4), point(2, 0, 8)});
  EXPECT_EQ(named(Events, "step 2")[0]["ts"], 1000);
  EXPECT_EQ(named(Events, "step 2")[0]["dur"], 1000);
}
