//===-- JUnitTest.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/formats/Formats.h"

#include <gtest/gtest.h>
#include <sstream>

using namespace tensorleak;

namespace {

Finding finding(std::optional<Verdict> V = {}, std::string Message = "kept") {
  Finding F;
  F.Rule = "tensor-x";
  F.Message = std::move(Message);
  F.Where = {"/src/a.cpp", 3, 5};
  F.TheVerdict = V;
  return F;
}

std::string print(std::vector<Finding> Findings, std::vector<RuleInfo> Rules = {}) {
  FindingSet Set;
  Set.Findings = std::move(Findings);
  Set.Rules = std::move(Rules);
  std::ostringstream Out;
  JUnitReport(Set, {false, "/src", ""}).write(Out);
  return Out.str();
}

/// What stands inside the only test.
std::string outcome(const Finding &F) {
  std::string Text = print({F}), Before = "line=\"3\">\n      ", After = "\n    </testcase>";
  size_t Begin = Text.find(Before) + Before.size();
  return Text.substr(Begin, Text.find(After) - Begin);
}

TEST(JUnit, AFindingIsATestThatFails) {
  EXPECT_EQ(print({finding()}),
            R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="tensorleak" tests="1" failures="1" skipped="0" errors="0">
    <testcase classname="tensor-x" name="a.cpp:3:5" file="a.cpp" line="3">
      <failure type="warning" message="kept"/>
    </testcase>
  </testsuite>
</testsuites>
)");
}

TEST(JUnit, TheVerdictDecides) {
  EXPECT_EQ(outcome(finding(Verdict::Confirmed)),
            "<failure type=\"warning\" message=\"kept; confirmed\"/>");
  EXPECT_EQ(outcome(finding(Verdict::Refuted)), "<system-out>kept; refuted</system-out>");
  EXPECT_EQ(outcome(finding(Verdict::NotReached)), "<skipped message=\"kept; not reached\"/>");
  EXPECT_EQ(outcome(finding(Verdict::Inconclusive)), "<skipped message=\"kept; inconclusive\"/>");
}

TEST(JUnit, WhatIsSetAsideIsSkipped) {
  Finding F = finding(Verdict::Confirmed);
  F.Suppressed = Suppression{true, "meant"};
  EXPECT_EQ(outcome(F), "<skipped message=\"kept; confirmed; meant\"/>");
}

TEST(JUnit, TestsAreCounted) {
  std::string Text = print({finding(), finding(Verdict::Refuted), finding(Verdict::NotReached)},
                           {{"tensor-x", "", "", "", ""}, {"tensor-y", "", "", "", ""}});
  EXPECT_NE(Text.find("tests=\"4\" failures=\"1\" skipped=\"1\""), std::string::npos) << Text;
  EXPECT_NE(Text.find("<testcase classname=\"tensor-y\" name=\"no finding\"/>"), std::string::npos);
}

TEST(JUnit, MarkupIsEscaped) {
  EXPECT_EQ(outcome(finding({}, "a<b>&\"c\"]]>\n\t")),
            "<failure type=\"warning\" message=\"a&lt;b&gt;&amp;&quot;c&quot;]]&gt;&#10;&#9;\"/>");
}

TEST(JUnit, WhatXmlCannotWriteIsReplaced) {
  EXPECT_EQ(outcome(finding({}, "a\x01\x1b\xEF\xBF\xBE\xEF\xBF\xBF\xC3\xA4")),
            "<failure type=\"warning\" message=\"a????\xC3\xA4\"/>");
  EXPECT_EQ(outcome(finding({}, "a\xff(")),
            "<failure type=\"warning\" message=\"a\xEF\xBF\xBD(\"/>");
}

} // namespace
