//===-- ResultBytesTest.cpp ------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/driver/results/ResultBytes.h"

#include <gtest/gtest.h>

namespace tensorleak {
namespace {

Finding someFinding() {
  Finding F;
  F.Rule = "tensor-graph-cycle";
  F.TheKind = Kind::Peak;
  F.TheLevel = Level::Note;
  F.Where = {"/a\xff.cpp", 3, 4}; // names of files may have any bytes
  F.Message = "says";
  F.Notes = {{{"/b.cpp", 5, 6}, "because"}};
  F.Fixes = {{{"/b.cpp", 7, 8}, {"/b.cpp", 7, 9}, "text"}};
  F.Bytes = 1024;
  F.BytesFormula = "8 * batch";
  F.Fingerprint = "f";
  F.TheSubject = {"Holder", {"/c.cpp", 1, 2}, {{"/d.cpp", 3, 4}}, {"/e.cpp", 5, 6}, {}, true};
  return F;
}

UnitResult someResult() {
  UnitResult R;
  R.Findings = {someFinding(), Finding()};
  R.SourceHashes = {{"/a.cpp", "hash"}};
  R.Incomplete = "why";
  R.Cuda = CudaHeaders::BundledInstead;
  R.LacksPython = true;
  R.ErrorCount = 2;
  R.Stats.FunctionsAnalyzed = 7;
  R.Stats.Parses = 3;
  R.Stats.Skipped = {{"f", "compiler errors"}};
  R.Stats.OverBudget[Budget(1)] = {"g", ""};
  return R;
}

TEST(ResultBytes, ComeBack) {
  const UnitResult Before = someResult();
  UnitResult After;
  fromBytes(toBytes(Before), After);
  EXPECT_EQ(toBytes(After), toBytes(Before));
  ASSERT_EQ(After.Findings.size(), 2u);
  const Finding &F = After.Findings[0];
  EXPECT_EQ(F.Where, (Location{"/a\xff.cpp", 3, 4}));
  EXPECT_EQ(F.TheKind, Kind::Peak);
  EXPECT_EQ(F.TheLevel, Level::Note);
  EXPECT_EQ(F.Notes.at(0).Message, "because");
  EXPECT_EQ(F.Fixes.at(0).End.Column, 9u);
  EXPECT_EQ(F.Bytes, 1024);
  EXPECT_EQ(F.TheSubject.Producers.at(0).Line, 3u);
  EXPECT_TRUE(F.TheSubject.Graph);
  EXPECT_FALSE(After.Findings[1].Bytes);
  EXPECT_EQ(After.Cuda, CudaHeaders::BundledInstead);
  EXPECT_TRUE(After.LacksPython);
  EXPECT_EQ(After.Incomplete, "why");
  EXPECT_EQ(After.Stats.FunctionsAnalyzed, 7u);
  EXPECT_EQ(After.Stats.Parses, 3u);
  EXPECT_EQ(After.Stats.OverBudget.at(Budget(1)).size(), 2u);
}

TEST(ResultBytes, FactsComeBack) {
  const FileFacts Before = {{"function c:@F@f\xff", {{"calls", 3}}}};
  FileFacts After;
  fromBytes(toBytes(Before), After);
  EXPECT_EQ(After, Before);
}

TEST(ResultBytes, OtherBytesThrow) {
  Bytes Cut = toBytes(someResult());
  Cut.resize(Cut.size() / 2);
  UnitResult R;
  EXPECT_THROW(fromBytes(Cut, R), nlohmann::json::exception);
  EXPECT_THROW(fromBytes(toBytes(FileFacts()), R), nlohmann::json::exception);
}

} // namespace
} // namespace tensorleak
