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
  EXPECT_FALSE(Rules[1].contains("help"));
  EXPECT_FALSE(Rules[1].contains("fullDescription"));

  FindingSet Back = fromSarif(toSarif(Set));
  EXPECT_EQ(Back.Rules[0].Description, Set.Rules[0].Description);
  EXPECT_EQ(Back.Rules[0].Help, Set.Rules[0].Help);
  EXPECT_EQ(Back.Rules[1].Help, "");
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
