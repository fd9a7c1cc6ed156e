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

} // namespace
