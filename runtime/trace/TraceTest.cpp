//===-- TraceTest.cpp - The trace format, there and back ------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is written is read back, a torn tail loses only itself, and newer records
// do not disturb an older reader.
//
//===----------------------------------------------------------------------===//
#include "runtime/trace/Codec.h"
#include "runtime/trace/ProbeConfig.h"
#include "runtime/trace/Reader.h"
#include "runtime/trace/UserCode.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace tensorleak::trace;

namespace {

/// A trace in memory, as the probe would write it.
class TraceBuilder {
public:
  template <typename R> TraceBuilder &add(const R &Record) {
    appendRecord(Records, Record);
    return *this;
  }
  Bytes finish(uint32_t TheVersion = Version) const {
    Prelude Head{};
    std::memcpy(Head.Magic, Magic, sizeof(Magic));
    Head.Version = TheVersion;
    Head.Pid = 42;
    Head.Committed = Records.size();
    Head.Now.Allocations = 7;
    Bytes File(PreludeSize + Records.size());
    std::memcpy(File.data(), &Head, sizeof(Head));
    std::copy(Records.begin(), Records.end(), File.begin() + PreludeSize);
    return File;
  }
  Bytes Records;
};

/// Writes down the records that it receives.
class CollectingVisitor : public TraceVisitor {
public:
  void visit(const Process &R) override { TheProcess = R; }
  void visit(const Stack &R) override { TheStack = R; }
  void visit(const Site &R) override { TheSite = R; }
  void visit(const Born &R) override { Births.push_back(R); }
  void visit(const Boundary &R) override { TheBoundary = R; }
  void visit(const Census &R) override { TheCensus = R; }
  Process TheProcess;
  Stack TheStack;
  Site TheSite;
  std::vector<Born> Births;
  Boundary TheBoundary;
  Census TheCensus;
};

Born born(uint64_t Object) {
  Born B;
  B.Object = Object;
  B.Bytes = uint64_t(1) << 40;
  return B;
}

} // namespace

TEST(Trace, RoundTrip) {
  Process P;
  P.Pid = 42;
  P.Arguments = {"./train", "--epochs", ""};
  Stack S;
  S.Id = 3;
  S.Frames = {0x7fffffffffff, 0, ~uint64_t(0)};
  Site T;
  T.DeviceType = 1;
  T.DeviceIndex = -1;
  T.InBackward = true;
  Boundary B;
  B.TheKind = BoundaryKind::LineClock;
  B.AccumulationsSince = 12;
  B.CreateGraphSince = 1;
  Census C;
  C.Classes = {{1, 100}, {2, 300}};
  C.Sites = {{9, 400, 80, 2, 81}};
  CollectingVisitor Seen;
  ReadResult Result =
      readTrace(TraceBuilder().add(P).add(S).add(T).add(born(5)).add(B).add(C).add(End{}).finish(),
                "t", Seen);
  ASSERT_TRUE(Result) << Result.Error;
  EXPECT_EQ(Result.Records, 7u);
  EXPECT_TRUE(Result.Complete);
  EXPECT_FALSE(Result.Torn);
  EXPECT_EQ(Result.Pid, 42u);
  EXPECT_EQ(Result.Now.Allocations, 7u);
  EXPECT_EQ(Seen.TheProcess.Arguments, P.Arguments);
  EXPECT_EQ(Seen.TheStack.Frames, S.Frames);
  EXPECT_EQ(Seen.TheSite.DeviceIndex, -1);
  EXPECT_TRUE(Seen.TheSite.InBackward);
  EXPECT_EQ(Seen.Births.at(0).Bytes, uint64_t(1) << 40);
  EXPECT_EQ(Seen.TheBoundary.TheKind, BoundaryKind::LineClock);
  EXPECT_EQ(Seen.TheBoundary.AccumulationsSince, 12u);
  EXPECT_EQ(Seen.TheBoundary.CreateGraphSince, 1u);
  ASSERT_EQ(Seen.TheCensus.Classes.size(), 2u);
  EXPECT_EQ(Seen.TheCensus.Classes[1].Nodes, 300u);
  EXPECT_EQ(Seen.TheCensus.Sites.at(0).LastTick, 81u);
}

TEST(Trace, RecordsOfOlderProbesAreShorter) {
  Bytes Payload, Short;
  Encoder Fields(Payload);
  Site Whole;
  Whole.Id = 7;
  Whole.InBackward = true;
  Whole.ForwardAndOne = 5;
  Whole.InOptimizer = true;
  Site::fields(Whole, Fields);
  Short.assign(Payload.begin(), Payload.end() - 2); // without its last two fields
  Site Read;
  Decoder Newer(Short.data(), Short.data() + Short.size());
  Site::fields(Read, Newer);
  EXPECT_FALSE(Newer.failed());
  EXPECT_EQ(Read.Id, 7u);
  EXPECT_TRUE(Read.InBackward);
  EXPECT_EQ(Read.ForwardAndOne, 5u);
  EXPECT_FALSE(Read.InOptimizer);
}

TEST(UserCode, PythonAndItsPackagesAreNotTheUsers) {
  EXPECT_TRUE(tensorleak::isUserPython("/home/me/train.py"));
  EXPECT_TRUE(tensorleak::isUserPython("train.py"));
  EXPECT_TRUE(tensorleak::isUserPython("<string>")); // python3 -c
  EXPECT_FALSE(tensorleak::isUserPython("<frozen importlib._bootstrap>"));
  EXPECT_FALSE(tensorleak::isUserPython(
      "/opt/venv/lib/python3.12/site-packages/torch/nn/modules/module.py"));
  EXPECT_FALSE(tensorleak::isUserPython("/usr/lib/python3/dist-packages/torch/optim/sgd.py"));
  EXPECT_FALSE(tensorleak::isUserPython("/usr/lib/python3.11/threading.py"));
  EXPECT_FALSE(tensorleak::isUserModule("/opt/python/bin/python3.12"));
  EXPECT_FALSE(tensorleak::isUserModule("/opt/python/lib/libpython3.12.so.1.0"));
  EXPECT_FALSE(tensorleak::isUserModule("/opt/python/lib/python3.12/lib-dynload/_ctypes.so"));
  EXPECT_TRUE(tensorleak::isUserModule("/home/me/python3_tools/train"));
  EXPECT_FALSE(tensorleak::isUserModule("/opt/nvidia/lib/libcufft.so.12"));
}

TEST(Trace, AFolderMayBeNamedLikeALibrary) {
  EXPECT_TRUE(tensorleak::isUserModule("/home/me/libtorch-examples/build/mnist"));
  EXPECT_TRUE(tensorleak::isUserModule("/home/me/libcudart_demo/run"));
  EXPECT_TRUE(tensorleak::isUserModule("/home/me/libtorch/build/libtorch_server.so"));
  EXPECT_FALSE(tensorleak::isUserModule("/home/me/libtorch/lib/libtorch_cpu.so"));
  EXPECT_FALSE(tensorleak::isUserModule("/opt/pytorch/build/lib/libc10_cuda.so"));
  EXPECT_TRUE(tensorleak::isUserSource("/home/me/torch/include/net.h"));
  EXPECT_FALSE(tensorleak::isUserSource("/opt/libtorch/include/ATen/Tensor.h"));
}

// The driver takes tens of MiB when a program first uses the GPU.
TEST(Trace, WhatDriversAllocateIsNotTheUsers) {
  EXPECT_FALSE(tensorleak::isUserModule("/usr/local/nvidia/lib64/libcuda.so.580.65.06"));
  EXPECT_FALSE(tensorleak::isUserModule("/opt/driver/libcuda.so.1"));
  EXPECT_FALSE(tensorleak::isUserModule("/opt/driver/libnvidia-ptxjitcompiler.so.1"));
  EXPECT_FALSE(tensorleak::isUserModule("/opt/venv/nvidia/cu13/lib/libnvrtc.so.13"));
  EXPECT_FALSE(tensorleak::isUserModule("/opt/venv/lib/site-packages/torch/lib/libgomp-a1.so"));
  EXPECT_FALSE(tensorleak::isUserModule("/opt/libtorch/lib/libkineto.so"));
  EXPECT_TRUE(tensorleak::isUserModule("/home/me/libcudatools.so"));
  EXPECT_TRUE(tensorleak::isUserModule("/home/me/libnvengine.so"));
  EXPECT_TRUE(tensorleak::isUserModule("/usr/local/cuda/samples/bin/simpleCudaGraphs"));
}

TEST(Trace, TornTailLosesOnlyItself) {
  Bytes File = TraceBuilder().add(born(1)).add(born(2)).finish();
  File.pop_back();
  CollectingVisitor Seen;
  ReadResult Result = readTrace(File, "t", Seen);
  ASSERT_TRUE(Result);
  EXPECT_TRUE(Result.Torn);
  EXPECT_FALSE(Result.Complete);
  ASSERT_EQ(Seen.Births.size(), 1u);
  EXPECT_EQ(Seen.Births[0].Object, 1u);
}

TEST(Trace, EveryTruncationIsHandled) {
  Bytes File = TraceBuilder().add(Process{}).add(born(1)).add(Census{}).finish();
  for (size_t Size = PreludeSize; Size < File.size(); ++Size) {
    CollectingVisitor Seen;
    ReadResult Result = readTrace(Bytes(File.begin(), File.begin() + Size), "t", Seen);
    EXPECT_TRUE(Result && Result.Torn) << Size;
  }
}

TEST(Trace, BytesBehindCommittedAreNotRead) {
  Bytes File = TraceBuilder().add(born(1)).finish();
  appendRecord(File, born(2));
  CollectingVisitor Seen;
  ReadResult Result = readTrace(File, "t", Seen);
  EXPECT_FALSE(Result.Torn);
  EXPECT_EQ(Seen.Births.size(), 1u);
}

TEST(Trace, OneThatIsStillWrittenIsFollowed) {
  std::string Path = testing::TempDir() + "TraceTest.followed." + std::to_string(getpid());
  auto Write = [&](const Bytes &File) {
    std::ofstream(Path, std::ios::binary)
        .write(reinterpret_cast<const char *>(File.data()), std::streamsize(File.size()));
  };
  TraceBuilder T;
  CollectingVisitor Seen;
  TraceFollower Follower(Path);
  EXPECT_FALSE(Follower.readMore(Seen));
  Write(T.add(Born{1}).add(Born{2}).finish());
  EXPECT_EQ(Follower.readMore(Seen).Records, 2u);
  EXPECT_EQ(Follower.readMore(Seen).Records, 0u);
  Write(T.add(Born{3}).finish());
  EXPECT_EQ(Follower.readMore(Seen).Records, 1u);
  ASSERT_EQ(Seen.Births.size(), 3u);
  EXPECT_EQ(Seen.Births.back().Object, 3u);
  EXPECT_EQ(readTotals(Path).Now.Allocations, 7u);
  std::remove(Path.c_str());
}

TEST(Trace, UnknownKindsAndLongerRecordsAreSkipped) {
  TraceBuilder Builder;
  Builder.Records = {200, 3, 1, 2, 3};
  Bytes Longer;
  appendRecord(Longer, born(9));
  Longer[1] += 2;
  Longer.insert(Longer.end(), {0x55, 0x66});
  Builder.Records.insert(Builder.Records.end(), Longer.begin(), Longer.end());
  CollectingVisitor Seen;
  ReadResult Result = readTrace(Builder.add(born(10)).finish(), "t", Seen);
  EXPECT_FALSE(Result.Torn);
  ASSERT_EQ(Seen.Births.size(), 2u);
  EXPECT_EQ(Seen.Births[0].Object, 9u);
  EXPECT_EQ(Seen.Births[1].Object, 10u);
}

TEST(Trace, WhatIsNoTraceIsSaid) {
  CollectingVisitor Seen;
  EXPECT_NE(readTrace(Bytes(10), "x.tltrace", Seen).Error.find("x.tltrace: not a"),
            std::string::npos);
  EXPECT_NE(readTrace(Bytes(PreludeSize), "x", Seen).Error.find("not a tensorleak trace"),
            std::string::npos);
  EXPECT_NE(readTrace(TraceBuilder().finish(Version + 1), "x", Seen).Error.find("format 2"),
            std::string::npos);
  EXPECT_NE(readTrace("/nonexistent/t", Seen).Error.find("cannot be read"), std::string::npos);
}

TEST(ProbeConfig, RoundTrip) {
  ProbeConfig Config;
  Config.TracePrefix = "/tmp/a b/run";
  Config.ControlSocket = "/tmp/a b/control";
  Config.NoGrad = true;
  Config.Points = {{1, 4, true, 0x12ab, "/usr/bin/a program"}, {2, 4, false, 0xff, "/lib/x.so"}};
  ProbeConfig Read;
  ASSERT_EQ(parseProbeConfig(writeProbeConfig(Config), Read), "");
  EXPECT_EQ(Read.TracePrefix, Config.TracePrefix);
  EXPECT_EQ(Read.ControlSocket, Config.ControlSocket);
  EXPECT_TRUE(Read.NoGrad);
  ASSERT_EQ(Read.Points.size(), 2u);
  EXPECT_TRUE(Read.Points[0].Clock);
  EXPECT_EQ(Read.Points[0].Address, 0x12abu);
  EXPECT_EQ(Read.Points[0].Module, "/usr/bin/a program");
  EXPECT_FALSE(Read.Points[1].Clock);
  EXPECT_EQ(tracePath(Read, 7), "/tmp/a b/run.7.tltrace");
}

TEST(ProbeConfig, BadLinesAreSaid) {
  ProbeConfig Config;
  EXPECT_NE(parseProbeConfig("", Config), "");
  EXPECT_NE(parseProbeConfig("tensorleak-probe 1\n", Config), "");
  EXPECT_EQ(parseProbeConfig("tensorleak-probe 1\ntrace /x\npoint 1 1 often 10 /m\n", Config),
            "line 3 is not understood: point 1 1 often 10 /m");
}
