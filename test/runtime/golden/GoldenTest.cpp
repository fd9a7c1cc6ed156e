//===-- GoldenTest.cpp - Traces recorded on a GPU, judged again ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// record.sh recorded the traces beside this file; zstd compressed them. No GPU is needed
// to read them.
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/advice/DeviceMemory.h"
#include "runtime/replay/facts/Ledger.h"
#include "runtime/replay/verdicts/Verdicts.h"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <zstd.h>

using namespace tensorleak;

namespace {

std::string slurp(const std::string &Path) {
  std::ifstream In(Path, std::ios::binary);
  return {std::istreambuf_iterator<char>(In), std::istreambuf_iterator<char>()};
}

Recording golden(const std::string &Name) {
  std::string Packed = slurp(GOLDEN_FOLDER "/" + Name + ".tltrace.zst");
  std::vector<uint8_t> Trace(ZSTD_getFrameContentSize(Packed.data(), Packed.size()));
  ZSTD_decompress(Trace.data(), Trace.size(), Packed.data(), Packed.size());
  return readRecording(Trace, Name);
}

/// The line of a source that carries "// LINE Mark".
unsigned lineOf(const std::string &Source, const std::string &Mark) {
  std::ifstream In(GOLDEN_FOLDER "/" + Source);
  unsigned Number = 0;
  for (std::string Line; std::getline(In, Line);) {
    ++Number;
    if (Line.find("// LINE " + Mark) != std::string::npos)
      return Number;
  }
  return 0;
}

struct Replayed {
  Recording R;
  RunFacts Run;
  std::vector<Finding> Growth;
};

Replayed replay(const std::string &Name) {
  Replayed Out{golden(Name), {}, {}};
  DebugFiles Files;
  Symbolizer Symbols(Out.R, Files);
  Out.Run = buildFacts(Out.R, Symbols);
  Out.Growth = unexplainedGrowth(Out.Run, {});
  return Out;
}

void expectBalance(const Recording &R) {
  uint64_t Allocations = 0, Frees = 0;
  for (const auto &[Id, C] : R.Counters) {
    Allocations += C.Allocations;
    Frees += C.Frees;
  }
  EXPECT_TRUE(R.Read.Complete);
  EXPECT_EQ(Allocations, Frees + R.End.value_or(trace::End{}).LiveObjects);
}

} // namespace

TEST(Golden, OutputsThatAreKept) {
  Replayed P = replay("outputs");
  expectBalance(P.R);
  EXPECT_EQ(P.Run.Clock.steps(), 80u);
  EXPECT_TRUE(P.Run.UsesCuda);
  ASSERT_EQ(P.Growth.size(), 1u);
  EXPECT_EQ(P.Growth[0].Where.Line, lineOf("train.cpp", "forward"));
  EXPECT_EQ(P.Growth[0].TheEvidence.BytesPerStep, 128 * 64 * 4);
}

// The engine's thread has no frame of the program's: the forward pass tells the line.
TEST(Golden, GradientsThatAreKept) {
  Replayed P = replay("gradients");
  ASSERT_EQ(P.Growth.size(), 1u);
  EXPECT_EQ(P.Growth[0].Where.Line, lineOf("train.cpp", "tanh"));
  EXPECT_NE(P.Growth[0].Message.find("in the backward pass of this line"), std::string::npos);
  EXPECT_EQ(P.Growth[0].TheEvidence.BytesPerStep, 128 * 64 * 4);
}

TEST(Golden, ACleanProgram) {
  Replayed P = replay("clean");
  expectBalance(P.R);
  EXPECT_TRUE(P.Growth.empty());
  EXPECT_TRUE(P.Run.BlindSpots.empty());
  std::vector<std::string> Memory = describeDeviceMemory(P.R);
  ASSERT_EQ(Memory.size(), 1u);
  EXPECT_NE(Memory[0].find("lay free between live blocks"), std::string::npos) << Memory[0];
}

TEST(Golden, MemoryThatRanOutInPieces) {
  Recording R = golden("fragments");
  ASSERT_EQ(R.OutOfMemories.size(), 1u);
  const trace::OutOfMemory &O = R.OutOfMemories[0];
  EXPECT_EQ(O.Bytes, 60u << 20);
  EXPECT_TRUE(O.Pool.SegmentsKnown);
  EXPECT_EQ(O.Pool.Reserved, 360u << 20);
  EXPECT_NE(describePool(O.Pool, O.Bytes).find("enough in all, but in pieces"), std::string::npos);
}

TEST(Golden, RawCudaByCuptiAndByInterposition) {
  for (const char *Name : {"raw-leak", "raw-shared-leak"}) {
    Replayed P = replay(Name);
    ASSERT_EQ(P.Growth.size(), 1u) << Name;
    EXPECT_EQ(P.Growth[0].Where.Line, lineOf("raw.cu", "malloc"));
    EXPECT_EQ(P.Growth[0].TheEvidence.BytesPerStep, 2048);
    EXPECT_EQ(P.Growth[0].TheEvidence.TotalBytes, 40 * 4096);
  }
  EXPECT_TRUE(replay("raw-clean").Growth.empty());
}
