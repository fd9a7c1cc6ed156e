//===-- SarifTest.cpp - What comes back from a report ------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/Sarif.h"

#include <gtest/gtest.h>

using namespace tensorleak;

namespace {

Finding finding(std::optional<int64_t> Bytes, std::string Formula) {
  Finding F;
  F.Rule = "tensor-x";
  F.Message = "kept";
  F.Where = {"/src/a.cpp", 3, 5};
  F.Bytes = Bytes;
  F.BytesFormula = std::move(Formula);
  return F;
}

FindingSet setOf(Finding F) {
  FindingSet Set;
  Set.Findings.push_back(std::move(F));
  return Set;
}

TEST(Sarif, SizesAreANumberOrAFormula) {
  nlohmann::json Known = toSarif(setOf(finding(4096, "")));
  const auto &Properties = Known["runs"][0]["results"][0]["properties"];
  EXPECT_EQ(Properties["bytes"], 4096);
  EXPECT_FALSE(Properties.contains("bytesFormula"));

  nlohmann::json Symbolic = toSarif(setOf(finding(std::nullopt, "40 * batch")));
  const auto &Of = Symbolic["runs"][0]["results"][0]["properties"];
  EXPECT_EQ(Of["bytesFormula"], "40 * batch");
  EXPECT_FALSE(Of.contains("bytes"));
}

TEST(Sarif, SizesComeBack) {
  Finding Known = fromSarif(toSarif(setOf(finding(4096, "")))).Findings.front();
  EXPECT_EQ(Known.Bytes, 4096);
  EXPECT_EQ(Known.BytesFormula, "");
  Finding Symbolic =
      fromSarif(toSarif(setOf(finding(std::nullopt, "40 * batch")))).Findings.front();
  EXPECT_EQ(Symbolic.Bytes, std::nullopt);
  EXPECT_EQ(Symbolic.BytesFormula, "40 * batch");
}

TEST(Sarif, RulesCarryTheirPage) {
  FindingSet Set;
  Set.Rules.push_back(
      {"tensor-x", "short", "", "One paragraph.", "# tensor-x\n\nOne paragraph.\n"});
  Set.Rules.push_back({"tensor-y", "no page", "", "", ""});
  nlohmann::json Rules = toSarif(Set)["runs"][0]["tool"]["driver"]["rules"];
  EXPECT_EQ(Rules[0]["fullDescription"]["text"], "One paragraph.");
  EXPECT_EQ(Rules[0]["help"]["markdown"], Set.Rules[0].Help);
  EXPECT_FALSE(Rules[0].contains("helpUri"));
  EXPECT_EQ(Rules[1]["help"]["text"], "no page") << "GitHub wants one of every rule";
  EXPECT_EQ(Rules[1]["fullDescription"]["text"], "no page");

  FindingSet Back = fromSarif(toSarif(Set));
  EXPECT_EQ(Back.Rules[0].Description, Set.Rules[0].Description);
  EXPECT_EQ(Back.Rules[0].Help, Set.Rules[0].Help);
  EXPECT_EQ(Back.Rules[1].Help, "");
  EXPECT_EQ(Back.Rules[1].Description, "");
}

TEST(Sarif, RulesSayHowSureTheyAreAndWhereTheirPageIs) {
  FindingSet Set;
  Set.Rules.push_back({"tensor-x", "short", "", "One.", "# tensor-x\n", Kind::Peak});
  Set.Rules.push_back({"tensor-y", "seen", "", "", "", Kind::Ownership, Level::Note});
  nlohmann::json Rules =
      toSarif(Set, {"", "", "https://x.org/docs"})["runs"][0]["tool"]["driver"]["rules"];
  EXPECT_EQ(Rules[0]["helpUri"], "https://x.org/docs/rules/tensor-x.md");
  EXPECT_EQ(Rules[0]["properties"]["tags"], (nlohmann::json{"libtorch", "memory", "performance"}));
  EXPECT_EQ(Rules[0]["properties"]["precision"], "high");
  EXPECT_FALSE(Rules[1].contains("helpUri")) << "there is no page of it";
  EXPECT_EQ(Rules[1]["defaultConfiguration"]["level"], "note");
  FindingSet Back = fromSarif(toSarif(Set));
  EXPECT_EQ(Back.Rules[1].TheKind, Kind::Ownership);
  EXPECT_EQ(Back.Rules[1].TheLevel, Level::Note);
}

/// What code scanning shows of a verdict.
nlohmann::json judged(Verdict V) {
  Finding F = finding({}, "");
  F.TheVerdict = V;
  F.TheEvidence.Reason = "so it was";
  return toSarif(setOf(F))["runs"][0]["results"][0];
}

TEST(Sarif, TheVerdictIsInMessageAndLevel) {
  EXPECT_EQ(judged(Verdict::Confirmed)["message"]["text"], "kept; confirmed: so it was");
  EXPECT_EQ(judged(Verdict::Confirmed)["level"], "error");
  EXPECT_EQ(judged(Verdict::NotReached)["level"], "warning");
  EXPECT_EQ(judged(Verdict::Refuted)["level"], "note");
  EXPECT_EQ(judged(Verdict::Refuted)["suppressions"][0]["justification"], "refuted: so it was");
  EXPECT_FALSE(judged(Verdict::Inconclusive).contains("suppressions"));
}

TEST(Sarif, FiguresOfALoopBesideTheStepsAreItsOwn) {
  Finding F = finding({}, "");
  F.TheVerdict = Verdict::Confirmed;
  F.TheEvidence.BytesPerStep = 512;
  nlohmann::json Log = toSarif(setOf(F));
  EXPECT_EQ(Log["runs"][0]["results"][0]["message"]["text"], "kept; confirmed: 512 B per step");
  F.TheEvidence.Per = "round of server.cpp:31";
  Log = toSarif(setOf(F));
  EXPECT_EQ(Log["runs"][0]["results"][0]["message"]["text"],
            "kept; confirmed: 512 B per round of server.cpp:31");
  EXPECT_EQ(fromSarif(Log).Findings[0].TheEvidence.Per, "round of server.cpp:31");
}

TEST(Sarif, WhatWasSaidBeforeTheVerdictComesBack) {
  for (Verdict V : AllVerdicts)
    for (bool AsError : {false, true}) {
      Finding F = finding({}, "");
      F.TheVerdict = V;
      F.AsError = AsError;
      Finding Back = fromSarif(toSarif(setOf(F))).Findings.front();
      EXPECT_EQ(Back.Message, "kept");
      EXPECT_EQ(Back.TheLevel, Level::Warning);
      EXPECT_EQ(Back.AsError, AsError);
      EXPECT_FALSE(Back.Suppressed) << "the verdict says so by itself";
    }
}

TEST(Sarif, WhatWasHeldBackIsNoResultAndComesBackForARun) {
  FindingSet Set = setOf(finding({}, ""));
  Set.HeldBack.push_back(finding(7, ""));
  Set.HeldBack.front().TheLevel = Level::Note;
  nlohmann::json Log = toSarif(Set);
  EXPECT_EQ(Log["runs"][0]["results"].size(), 1u);
  FindingSet Back = fromSarif(Log);
  EXPECT_EQ(Back.Findings.size(), 1u);
  FindingSet ForRun = withHeldBack(Back);
  ASSERT_EQ(ForRun.Findings.size(), 2u);
  EXPECT_FALSE(ForRun.Findings[0].IsHeldBack);
  EXPECT_TRUE(ForRun.Findings[1].IsHeldBack);
  EXPECT_EQ(ForRun.Findings[1].Bytes, 7);
}

TEST(Sarif, FilesBelowTheRootComeBack) {
  Finding F = finding({}, "");
  F.Function = "train(int)";
  F.TheSubject.HolderDecl = {"/src/b.h", 2, 3};
  F.TheSubject.Loop = {"/src/a.cpp", 1, 9};
  F.TheSubject.UnseenWay = true;
  F.TheSubject.Producers = {{"/usr/include/c.h", 4, 5}};
  F.Notes = {{{"/src/b.h", 2, 3}, "declared here"}};
  FindingSet Set = setOf(F);
  Set.SourceHashes["/src/a.cpp"] = "00";
  nlohmann::json Log = toSarif(Set, {"/src", "gpu", ""});
  EXPECT_EQ(Log["runs"][0]["automationDetails"]["id"], "tensorleak/gpu/");
  FindingSet Back = fromSarif(Log), Elsewhere = fromSarif(Log, "/there");
  const Finding &Here = Back.Findings.front(), &There = Elsewhere.Findings.front();
  EXPECT_EQ(Here.Where, F.Where);
  EXPECT_EQ(Here.Function, "train(int)");
  EXPECT_EQ(Here.TheSubject.HolderDecl, F.TheSubject.HolderDecl);
  EXPECT_EQ(Here.TheSubject.Loop.File, "/src/a.cpp");
  EXPECT_TRUE(Here.TheSubject.UnseenWay);
  EXPECT_EQ(There.Where.File, "/there/a.cpp");
  EXPECT_EQ(There.Notes[0].Where.File, "/there/b.h");
  EXPECT_EQ(There.TheSubject.Loop.File, "/there/a.cpp");
  EXPECT_EQ(There.TheSubject.Producers[0].File, "/usr/include/c.h");
  EXPECT_EQ(Elsewhere.SourceHashes.begin()->first, "/there/a.cpp");
}

TEST(Sarif, OfTooManyFindingsTheMostSevereAreWritten) {
  FindingSet Set;
  Set.Findings.assign(25000, finding({}, ""));
  for (Finding &F : Set.Findings)
    F.TheLevel = Level::Note;
  Set.Findings.push_back(finding({}, ""));
  nlohmann::json Run = toSarif(Set)["runs"][0];
  EXPECT_EQ(Run["results"].size(), 25000u);
  EXPECT_EQ(Run["results"].back()["level"], "warning");
  EXPECT_EQ(Run["invocations"][0]["toolExecutionNotifications"].size(), 1u);
}

TEST(Sarif, AnyFileNameComesBack) {
  for (const char *File : {"/src/a b%41#?.cpp", "/src/\xC3\xA4.cpp", "/src/\xff\x01\".cpp"}) {
    Finding F = finding({}, "");
    F.Where.File = File;
    std::string Text = toSarif(setOf(F)).dump(); // throws where it is not UTF-8
    Finding Back = fromSarif(nlohmann::json::parse(Text)).Findings.front();
    EXPECT_EQ(Back.Where.File, File) << Text;
  }
}

TEST(Sarif, UrisAreThoseOfRfc8089) {
  Finding F = finding({}, "");
  F.Where.File = "/a-b_c/d+e (1)/100%.cpp";
  nlohmann::json Result = toSarif(setOf(F))["runs"][0]["results"][0];
  EXPECT_EQ(Result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "file:///a-b_c/d+e%20(1)/100%25.cpp");
}

} // namespace
