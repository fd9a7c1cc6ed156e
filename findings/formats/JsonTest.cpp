//===-- JsonTest.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/formats/Formats.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace tensorleak;
using nlohmann::json;

namespace {

Finding finding() {
  Finding F;
  F.Rule = "tensor-x";
  F.TheKind = Kind::Peak;
  F.Message = "kept";
  F.Where = {"/src/a.cpp", 3, 5};
  return F;
}

json list(std::vector<Finding> Findings) {
  FindingSet Set;
  Set.Findings = std::move(Findings);
  std::ostringstream Out;
  JsonReport(Set, {false, "/src", ""}).write(Out);
  return json::parse(Out.str());
}

TEST(Json, WhatDoesNotApplyIsLeftOut) {
  EXPECT_EQ(list({finding()}), json::array({{{"rule", "tensor-x"},
                                             {"kind", "peak"},
                                             {"level", "warning"},
                                             {"file", "/src/a.cpp"},
                                             {"line", 3},
                                             {"column", 5},
                                             {"message", "kept"}}}));
}

TEST(Json, WhatIsKnownIsThere) {
  Finding F = finding();
  F.Bytes = 4096;
  F.BytesFormula = "40 * batch";
  F.Fingerprint = "f";
  F.Notes = {{{"/src/b.h", 7, 1}, "declared here"}};
  json Out = list({F}).at(0);
  EXPECT_EQ(Out["bytes"], 4096);
  EXPECT_EQ(Out["bytesFormula"], "40 * batch");
  EXPECT_EQ(Out["fingerprint"], "f");
  EXPECT_EQ(
      Out["notes"],
      json::array(
          {{{"file", "/src/b.h"}, {"line", 7}, {"column", 1}, {"message", "declared here"}}}));
}

TEST(Json, TheVerdictHasItsEvidenceAndWhatEachRankSaid) {
  Finding F = finding();
  F.TheVerdict = Verdict::Confirmed;
  F.TheEvidence.BytesPerStep = 64;
  F.TheEvidence.Reason = "it grows";
  F.Parts = {{"rank 0", Verdict::NotReached, {}}, {"rank 1", Verdict::Confirmed, 64}};
  F.Suppressed = Suppression{true, "meant"};
  json Out = list({F}).at(0);
  EXPECT_EQ(Out["verdict"], "confirmed");
  EXPECT_EQ(Out["evidence"], json({{"bytesPerStep", 64}, {"reason", "it grows"}}));
  EXPECT_EQ(Out["parts"],
            json::array({{{"name", "rank 0"}, {"verdict", "not-reached"}},
                         {{"name", "rank 1"}, {"verdict", "confirmed"}, {"bytesPerStep", 64}}}));
  EXPECT_EQ(Out["suppressed"], "meant");
}

} // namespace
