//===-- SnapshotTest.cpp - Pickles, and PyTorch's snapshots ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/record/MemoryViz.h"
#include "runtime/record/Pickle.h"
#include "runtime/record/TorchSnapshot.h"

#include <gtest/gtest.h>

using namespace tensorleak;
using namespace std::string_literals;
using nlohmann::json;

namespace {

json frames(unsigned Line) {
  return {{{"name", "linear"}, {"filename", "/x/site-packages/torch/nn.py"}, {"line", 1}},
          {{"name", "train"}, {"filename", "/p/train.py"}, {"line", Line}}};
}

json event(const char *Action, int Address, int Size, unsigned Line) {
  return {{"action", Action}, {"addr", Address}, {"size", Size}, {"frames", frames(Line)}};
}

json block(const char *State, int Size, unsigned Line) {
  return {
      {"state", State}, {"size", Size}, {"requested_size", Size - 12}, {"frames", frames(Line)}};
}

RunRecord imported(const json &Snapshot) {
  Pickle P;
  P.put(Snapshot);
  return recordOfSnapshot(*unpickle(P.finish()));
}

std::string errorOf(std::string_view Bytes) {
  try {
    unpickle(Bytes);
  } catch (const std::runtime_error &E) {
    return E.what();
  }
  return "";
}

const RecordSite &siteOfLine(const RunRecord &R, unsigned Line) {
  for (const RecordSite &S : R.Sites)
    if (!S.Frames.empty() && S.Frames[0].Where.Line == Line)
      return S;
  throw std::runtime_error("no such site");
}

} // namespace

TEST(Pickle, ThereAndBack) {
  Pickle P;
  json Long = json::array();
  for (int I = 0; I < 2500; ++I)
    Long.push_back(I);
  P.put({{"text", "a\nb"},
         {"small", -1},
         {"large", int64_t(1) << 40},
         {"yes", true},
         {"list", Long}});
  PickleValue::Ref V = unpickle(P.finish());
  EXPECT_EQ(V->get("text")->text(), "a\nb");
  EXPECT_EQ(V->get("small")->number(), -1);
  EXPECT_EQ(V->get("large")->number(), int64_t(1) << 40);
  EXPECT_TRUE(std::get<bool>(V->get("yes")->Data));
  ASSERT_EQ(V->get("list")->elements().size(), 2500u);
  EXPECT_EQ(V->get("list")->elements()[2499]->number(), 2499);
  EXPECT_EQ(V->get("none"), nullptr);
}

TEST(Pickle, WhatIsSharedIsTheSame) {
  Pickle P;
  P.beginList();
  P.element();
  Pickle::Shared Number = P.share({1, 2});
  P.element();
  P.putShared(Number);
  P.endList();
  PickleValue::Ref V = unpickle(P.finish());
  ASSERT_EQ(V->elements().size(), 2u);
  EXPECT_EQ(V->elements()[0], V->elements()[1]);
}

TEST(Pickle, BadOnesAreRefused) {
  EXPECT_EQ(errorOf("\x80\x04]"), "it is cut short");
  EXPECT_EQ(errorOf("\x80\x04X\xff\xff\xff\x7fx"s), "it is cut short");
  EXPECT_EQ(errorOf("\x80\x04."), "it takes more than it has");
  EXPECT_EQ(errorOf("\x80\x04NNs."), "it takes more than it has");
  EXPECT_EQ(errorOf("\x80\x04NNa."), "it adds to what is no list");
  EXPECT_EQ(errorOf("\x80\x04h\x05."), "it names what it has not");
  EXPECT_EQ(errorOf("\x80\x02"
                    "cos\nsystem\n."),
            "it holds Python objects, not plain data");
}

TEST(Snapshot, AliveByPlace) {
  json Segment = {{"device", 0},
                  {"address", 1000},
                  {"blocks",
                   {block("active_allocated", 512, 10), block("inactive", 512, 11),
                    block("active_allocated", 1024, 12)}}};
  json History = {event("alloc", 1000, 512, 10), event("alloc", 9000, 4096, 20),
                  event("free_requested", 9000, 4096, 20), event("free_completed", 9000, 4096, 20),
                  event("free_completed", 7000, 256, 30)};
  RunRecord R = imported({{"segments", {Segment}}, {"device_traces", {History}}});
  // By the history; before it began, by the block.
  EXPECT_EQ(siteOfLine(R, 10).TotalBytes, 512);
  EXPECT_EQ(siteOfLine(R, 12).TotalBytes, 1012);
  EXPECT_EQ(siteOfLine(R, 20).TotalBytes, 0);
  EXPECT_EQ(siteOfLine(R, 20).PeakBytes, 4096);
  EXPECT_EQ(R.PeakBytes, 512 + 4096 + 1012 + 256);
  EXPECT_EQ(R.Steps, 0u);
  EXPECT_EQ(siteOfLine(R, 10).Frames[0].Function, "train");
}

TEST(Snapshot, WithoutAFrameOfTheUserWhatLibTorchDid) {
  json Frames = {{{"name", "torch::unwind::unwind()"}, {"filename", "??"}, {"line", 0}},
                 {{"name", "torch::CapturedTraceback::gather(bool, bool, bool)"},
                  {"filename", "??"},
                  {"line", 0}},
                 {{"name", "at::cuda::getWorkspace()"}, {"filename", "??"}, {"line", 0}},
                 {{"name", "addmm"}, {"filename", "??"}, {"line", 0}}};
  json Block = {{"state", "active_allocated"}, {"size", 512}, {"frames", Frames}};
  json Segment = {{"device", 0}, {"address", 1}, {"blocks", {Block}}};
  RunRecord R = imported({{"segments", {Segment}}, {"device_traces", json::array()}});
  ASSERT_EQ(R.Sites.size(), 1u);
  EXPECT_EQ(describe(R.Sites[0]),
            "a place without a frame of the program (at::cuda::getWorkspace())");
}

TEST(Snapshot, OldBlocksHaveAHistory) {
  json Block = {{"state", "active_allocated"},
                {"size", 512},
                {"history", {{{"addr", 1}, {"real_size", 500}, {"frames", frames(40)}}}}};
  json Segment = {{"device", 1}, {"address", 1}, {"blocks", {Block}}};
  RunRecord R = imported({{"segments", {Segment}}, {"device_traces", json::array()}});
  EXPECT_EQ(siteOfLine(R, 40).TotalBytes, 512);
}

TEST(Snapshot, OursComesBack) {
  RunRecord Ours;
  RecordSite S;
  S.Frames = {{"train", {"/p/train.cpp", 31, 5}}};
  S.OnDevice = true;
  S.Objects = {{64, 1, std::nullopt, false}, {32, 2, 5, false}};
  Ours.Sites = {S};
  RunRecord Back = recordOfSnapshot(*unpickle(memoryVizSnapshot(Ours)));
  EXPECT_EQ(siteOfLine(Back, 31).TotalBytes, 64);
  EXPECT_EQ(Back.PeakBytes, 96);
}

TEST(Snapshot, AnotherPickleIsNone) { EXPECT_THROW(imported({{"a", 1}}), std::runtime_error); }
