//===-- BaselineTest.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/baseline/Baseline.h"
#include "findings/RuleNames.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace tensorleak;

namespace {

class BaselineTest : public testing::Test {
protected:
  BaselineTest() : Root(testing::TempDir() + "baseline." + std::to_string(getpid())) {
    std::filesystem::create_directories(Root);
    write("a.cpp", "kept.push(x);\nkept.push(x);\nother.push(y);\n");
  }
  ~BaselineTest() override { std::filesystem::remove_all(Root); }

  void write(const std::string &Name, const std::string &Text) {
    std::ofstream(Root + "/" + Name) << Text;
  }
  Finding finding(unsigned Line, std::string Message = "kept, 32 KiB", std::string Name = "a.cpp") {
    Finding F;
    F.Rule = "tensor-x";
    F.Where = {Root + "/" + Name, Line, 1};
    F.Function = "train";
    F.Message = std::move(Message);
    return F;
  }
  Baseline of(std::vector<Finding> Findings) { return updated({}, Root, log(std::move(Findings))); }
  static FindingSet log(std::vector<Finding> Findings) {
    FindingSet Out;
    Out.Findings = std::move(Findings);
    return Out;
  }
  /// The lines of those that are new.
  std::string newLines(const Baseline &B, std::vector<Finding> Findings) {
    std::string Out;
    apply(B, Root, Findings);
    for (const Finding &F : Findings)
      if (!F.Suppressed)
        Out += std::to_string(F.Where.Line) + " ";
    return Out;
  }

  std::string Root;
};

TEST_F(BaselineTest, LinesAndNumbersPlayNoPart) {
  Baseline B = of({finding(1)});
  write("a.cpp", "// above\n\n  kept.push( x );\n");
  EXPECT_EQ(newLines(B, {finding(3, "kept, 64 KiB")}), "");
}

TEST_F(BaselineTest, OneMoreOfTheSameIsNew) {
  Baseline B = of({finding(1)});
  EXPECT_EQ(newLines(B, {finding(1), finding(2)}), "2 ");
  EXPECT_EQ(newLines(of({finding(1), finding(2)}), {finding(1), finding(2)}), "");
}

TEST_F(BaselineTest, TheTextOfTheLineOrWhatIsSaidIsEnough) {
  Baseline B = of({finding(3, "kept")});
  EXPECT_EQ(newLines(B, {finding(3, "phrased anew")}), "");
  write("a.cpp", "\n\nother.push(z);\n");
  EXPECT_EQ(newLines(B, {finding(3, "kept")}), "");
  EXPECT_EQ(newLines(B, {finding(3, "phrased anew")}), "3 ") << "neither is the same";
}

TEST_F(BaselineTest, AnotherRuleOrFunctionIsNew) {
  Finding Rule = finding(1), Function = finding(1);
  Rule.Rule = "tensor-y";
  Function.Function = "test";
  EXPECT_EQ(newLines(of({finding(1)}), {Rule, Function}), "1 1 ");
}

TEST_F(BaselineTest, AMovedFileKeepsItsFindings) {
  Baseline B = of({finding(1)});
  write("b.cpp", "kept.push(x);\n");
  EXPECT_EQ(newLines(B, {finding(1, "kept, 32 KiB", "b.cpp")}), "1 ") << "a copy is new";
  std::filesystem::remove(Root + "/a.cpp");
  EXPECT_EQ(newLines(B, {finding(1, "kept, 32 KiB", "b.cpp")}), "");
}

TEST_F(BaselineTest, WhatIsAcceptedByHandNeedsNoEntry) {
  Baseline B;
  B.ByHand = {{"tensor-*", "a.cpp", "tr*", "meant to stay"}};
  std::vector<Finding> Findings = {finding(1)};
  EXPECT_EQ(apply(B, Root, Findings).Known, 1u);
  EXPECT_EQ(Findings[0].Suppressed->Why, "meant to stay");
  Findings[0].Function = "test";
  EXPECT_EQ(newLines(B, {finding(1, "kept", "b.cpp")}), "1 ");
  Baseline New = updated(B, Root, log({finding(1)}));
  EXPECT_EQ(New.ByHand.size(), 1u);
  EXPECT_TRUE(New.Entries.empty());
}

TEST_F(BaselineTest, UpdateKeepsReasonsAndDropsWhatIsGone) {
  Baseline Old = of({finding(1), finding(3, "other")});
  for (BaselineEntry &E : Old.Entries)
    E.Reason = "because of " + E.Message;
  Baseline New = updated(Old, Root, log({finding(1), finding(2, "new")}));
  ASSERT_EQ(New.Entries.size(), 2u);
  EXPECT_EQ(New.Entries[0].Reason, "because of kept, # KiB");
  EXPECT_EQ(New.Entries[1].Message, "new");
  EXPECT_EQ(New.Entries[1].Reason, "");
}

TEST_F(BaselineTest, PruneOnlyTakesAway) {
  Baseline Old = of({finding(1), finding(2), finding(3, "other")});
  std::vector<Finding> Now = {finding(1), finding(1, "new")};
  BaselineUse Use = apply(Old, Root, Now);
  ASSERT_EQ(Use.Stale.size(), 1u) << "the second of the line took the place of the other";
  EXPECT_EQ(describe(Use.Stale[0]), "tensor-x in a.cpp (train)");
  Baseline New = pruned(Old, Root, log({finding(1)}));
  ASSERT_EQ(New.Entries.size(), 1u);
  EXPECT_EQ(New.Entries[0].Count, 1u);
}

TEST_F(BaselineTest, WhatOnlyRunsFindIsLeftToThem) {
  Finding Growth = finding(3, "grows");
  Growth.Rule = rules::ObservedGrowth;
  Baseline Old = of({finding(1), Growth});
  FindingSet Check = log({finding(1)}), Run = Check;
  Run.Rules = {{rules::ObservedGrowth, "", "", "", ""}};
  EXPECT_EQ(updated(Old, Root, Check).Entries.size(), 2u);
  EXPECT_EQ(pruned(Old, Root, Check).Entries.size(), 2u);
  EXPECT_EQ(updated(Old, Root, Run).Entries.size(), 1u) << "it does not grow any more";
  EXPECT_EQ(pruned(Old, Root, Run).Entries.size(), 1u);
  EXPECT_EQ(newLines(Old, {Growth, finding(1)}), "");
}

TEST_F(BaselineTest, WhatIsSettledIsNotTakenUp) {
  Finding Aside = finding(1), Refuted = finding(3);
  Aside.Suppressed = Suppression{true, "meant"};
  Refuted.TheVerdict = Verdict::Refuted;
  EXPECT_TRUE(of({Aside, Refuted}).Entries.empty());
}

TEST_F(BaselineTest, TheFileComesBack) {
  Baseline B = of({finding(1), finding(2)});
  B.Entries[0].Reason = "known";
  B.ByHand = {{"tensor-x", "", "", "ours"}};
  B.write(Root + "/baseline.json");
  Baseline Back = Baseline::read(Root + "/baseline.json");
  EXPECT_EQ(Back.Entries[0].Count, 2u);
  EXPECT_EQ(Back.Entries[0].Reason, "known");
  EXPECT_EQ(Back.ByHand[0].Reason, "ours");
  EXPECT_EQ(newLines(Back, {finding(1)}), "");
}

TEST_F(BaselineTest, WhatIsWrittenByHandIsChecked) {
  auto Refused = [&](const std::string &Text) {
    write("baseline.json", Text);
    EXPECT_THROW(Baseline::read(Root + "/baseline.json"), std::runtime_error) << Text;
  };
  Refused("{}");
  Refused("[]");
  Refused(R"({"format": "one"})");
  Refused(R"({"format": 1, "byHand": 3})");
  Refused(R"({"format": 1, "byHand": [{"rule": "tensor-x"}]})");
  Refused(R"({"format": 1, "byHand": [{"reason": "all of it"}]})");
  Refused(R"({"format": 1, "findings": [{"rule": 3}]})");
  EXPECT_THROW(Baseline::read(Root + "/none.json"), std::runtime_error);
}

} // namespace
