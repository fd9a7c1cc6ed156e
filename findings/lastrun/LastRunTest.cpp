//===-- LastRunTest.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/lastrun/LastRun.h"

#include <gtest/gtest.h>

using namespace tensorleak;

namespace {

Finding findingIn(const std::string &Function, const std::string &Fingerprint) {
  Finding F;
  F.Rule = "tensor-x";
  F.Where = {"/a.cpp", 3, 1};
  F.Function = Function;
  F.Fingerprint = Fingerprint;
  return F;
}

Finding confirmedIn(const std::string &Function, const std::string &Fingerprint, int64_t Bytes) {
  Finding F = findingIn(Function, Fingerprint);
  F.TheVerdict = Verdict::Confirmed;
  F.TheEvidence.BytesPerStep = Bytes;
  return F;
}

FindingSet setOf(std::vector<Finding> Findings) {
  FindingSet Set;
  Set.Findings = std::move(Findings);
  Set.SourceHashes["/a.cpp"] = hashText("then");
  return Set;
}

using Remarks = std::vector<std::string>;

TEST(LastRun, AVerdictHoldsForTheSourceThatWasRun) {
  LastRun Run(setOf({confirmedIn("f", "1", 1024)}));
  EXPECT_EQ(Run.remarks({findingIn("f", "1")}, {{"/a.cpp", hashText("then")}}),
            Remarks{"; confirmed: 1 KiB per step (1024 B)"});
  EXPECT_EQ(Run.remarks({findingIn("f", "1")}, {{"/a.cpp", hashText("now")}}),
            Remarks{"; confirmed before this file changed: 1 KiB per step (1024 B)"});
}

TEST(LastRun, ALineThatChangedIsStale) {
  LastRun Run(setOf({confirmedIn("f", "1", 1024)}));
  EXPECT_EQ(Run.remarks({findingIn("f", "2")}, {}),
            Remarks{"; stale: confirmed before this line changed (1 KiB per step (1024 B))"});
  EXPECT_EQ(Run.remarks({findingIn("g", "2")}, {}), Remarks{""});
}

TEST(LastRun, EachVerdictSpeaksForOneFinding) {
  LastRun Run(setOf({confirmedIn("f", "1", 1024), confirmedIn("f", "2", 2048)}));
  EXPECT_EQ(Run.remarks({findingIn("f", "new"), findingIn("f", "1"), findingIn("f", "newer"),
                         findingIn("f", "newest")},
                        {{"/a.cpp", hashText("then")}}),
            (Remarks{"; stale: confirmed before this line changed (2 KiB per step (2048 B))",
                     "; confirmed: 1 KiB per step (1024 B)", "", ""}));
}

TEST(LastRun, OfAnotherRuleOrFileOrWithoutVerdictNothingIsSaid) {
  Finding OtherRule = confirmedIn("f", "1", 1024), OtherFile = OtherRule;
  OtherRule.Rule = "tensor-y";
  OtherFile.Where.File = "/b.cpp";
  LastRun Run(setOf({OtherRule, OtherFile, findingIn("f", "1")}));
  EXPECT_EQ(Run.remarks({findingIn("f", "1")}, {}), Remarks{""});
}

TEST(LastRun, WhereNothingWasMeasuredTheReasonStands) {
  Finding F = findingIn("f", "1");
  F.TheVerdict = Verdict::NotReached;
  F.TheEvidence.Reason = "the line was never executed";
  EXPECT_EQ(LastRun(setOf({F})).remarks({findingIn("f", "1")}, {{"/a.cpp", hashText("then")}}),
            Remarks{"; not reached: the line was never executed"});
}

} // namespace
