//===-- DebugInfoTest.cpp - Addresses and source places, both ways --------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads Inputs/Sample.cpp as built by the compilers at hand with DWARF 4 and 5,
// optimized and not, position independent and not.
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/debuginfo/DebugInfo.h"
#include "runtime/replay/debuginfo/FunctionName.h"
#include "runtime/replay/debuginfo/Points.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>

using namespace tensorleak;
namespace fs = std::filesystem;

namespace {

struct Build {
  std::string Name, Command;
};

void PrintTo(const Build &B, std::ostream *Out) { *Out << B.Name; }

std::string inputs() { return fs::canonical(INPUTS_FOLDER); }

bool haveCompiler(const std::string &Compiler) {
  return std::system((Compiler + " --version >/dev/null 2>&1").c_str()) == 0;
}

std::vector<Build> builds() {
  std::vector<Build> Out;
  for (const char *Compiler : {"g++", "clang++-22", "clang++-19"})
    for (const char *Flags : {"-gdwarf-5 -O0", "-gdwarf-4 -O2", "-gdwarf-5 -O2 -no-pie -fno-pie",
                              "-gdwarf-5 -O0 -gsplit-dwarf", "-gdwarf-4 -O2 -gsplit-dwarf"})
      if (haveCompiler(Compiler))
        Out.push_back(
            {std::string(Compiler) + " " + Flags, std::string(Compiler) + " -std=c++17 " + Flags});
  return Out;
}

/// The sample, compiled in a folder of its own.
class Sample {
public:
  explicit Sample(const Build &B, const std::string &From = inputs()) {
    std::string Template = fs::temp_directory_path() / "sample-XXXXXX";
    Folder = mkdtemp(Template.data());
    std::string Command = B.Command + " -o " + program() + " " + From + "/Sample.cpp";
    EXPECT_EQ(std::system(Command.c_str()), 0) << Command;
  }
  ~Sample() { fs::remove_all(Folder); }
  std::string program() const { return Folder / "sample"; }

private:
  fs::path Folder;
};

std::string cpp() { return inputs() + "/Sample.cpp"; }
std::string header() { return inputs() + "/Sample.h"; }

/// The function and line of each frame at an address.
std::vector<std::pair<std::string, unsigned>> chainAt(DebugInfo &Info, uint64_t Address) {
  std::vector<std::pair<std::string, unsigned>> Out;
  for (const Frame &F : Info.framesAt(Address))
    Out.emplace_back(F.Function, F.Where.Line);
  return Out;
}

class DebugInfoTest : public testing::TestWithParam<Build> {};

} // namespace

TEST_P(DebugInfoTest, CodeInALambdaHasItsFunction) {
  Sample S(GetParam());
  DebugInfo Info(S.program());
  std::vector<uint64_t> Addresses = addressesOf({cpp(), 28, 0}, Info.rowsOf(cpp()));
  ASSERT_FALSE(Addresses.empty());
  auto Chain = chainAt(Info, Addresses.front());
  ASSERT_FALSE(Chain.empty());
  EXPECT_NE(Chain.back().first.find("operator()"), std::string::npos) << Chain.back().first;
  EXPECT_EQ(Chain.back().second, 28u);
}

TEST_P(DebugInfoTest, ARelativePathIsMeantFromTheFolderOfTheCompiler) {
  Build B = GetParam();
  std::string Here = fs::path(inputs()).filename();
  B.Command = "cd " + inputs() + "/.. && " + B.Command;
  Sample S(B, Here);
  DebugInfo Info(S.program());
  EXPECT_FALSE(Info.rowsOf(cpp()).empty());
}

TEST_P(DebugInfoTest, ColumnsTellStatementsOfALineApart) {
  Sample S(GetParam());
  DebugInfo Info(S.program());
  ASSERT_TRUE(Info.hasLines());
  std::vector<LineRow> Rows = Info.rowsOf(cpp());
  std::vector<uint64_t> Condition = addressesOf({cpp(), 19, 5}, Rows);
  std::vector<uint64_t> Call = addressesOf({cpp(), 19, 17}, Rows);
  ASSERT_FALSE(Call.empty());
  bool ConditionIsGone = std::none_of(Rows.begin(), Rows.end(), [](const LineRow &R) {
    return R.Line == 19 && R.Column < 17; // optimized away: the loop was peeled
  });
  if (ConditionIsGone)
    GTEST_SKIP();
  ASSERT_FALSE(Condition.empty());
  for (uint64_t Address : Call)
    EXPECT_FALSE(std::count(Condition.begin(), Condition.end(), Address)) << Address;
}

TEST_P(DebugInfoTest, InlinedCallsFormAChain) {
  Sample S(GetParam());
  DebugInfo Info(S.program());
  unsigned InTill = 0, InKeep = 0;
  for (uint64_t Address : addressesOf({header(), 7, 0}, Info.rowsOf(header()))) {
    auto Chain = chainAt(Info, Address);
    if (Chain.size() < 2) // GCC 14 leaves a row without code where it moved a copy away
      continue;
    ++InKeep;
    EXPECT_EQ(Chain[0], (std::pair<std::string, unsigned>("keep", 7)));
    InTill += Chain[1] == std::pair<std::string, unsigned>("shop::Till::add", 10);
  }
  EXPECT_GE(InTill, 1u);
  EXPECT_GE(InKeep, 2u); // in Till::add and in sampleEntry
}

TEST_P(DebugInfoTest, TemplatesHaveSeveralCopies) {
  Sample S(GetParam());
  DebugInfo Info(S.program());
  std::vector<uint64_t> Copies = addressesOf({header(), 11, 0}, Info.rowsOf(header()));
  EXPECT_GE(Copies.size(), 2u);
  for (uint64_t Address : Copies)
    EXPECT_EQ(Info.framesAt(Address).front().Function.rfind("twice", 0), 0u);
}

TEST_P(DebugInfoTest, UnknownPlacesHaveNoCode) {
  Sample S(GetParam());
  DebugInfo Info(S.program());
  EXPECT_TRUE(addressesOf({cpp(), 2, 1}, Info.rowsOf(cpp())).empty());
  EXPECT_TRUE(Info.rowsOf("/no/such/file.cpp").empty());
  EXPECT_TRUE(Info.framesAt(0x10).empty());
}

/// By the table of symbols.
uint64_t addressOf(const std::string &Program, const std::string &Symbol) {
  std::string Command = "nm " + Program + " | grep ' " + Symbol + "$'";
  std::unique_ptr<FILE, int (*)(FILE *)> Pipe(popen(Command.c_str(), "r"), pclose);
  unsigned long Address = 0;
  EXPECT_EQ(fscanf(Pipe.get(), "%lx", &Address), 1);
  return Address;
}

TEST(DebugInfo, SymbolsServeWhereThereIsNoDwarf) {
  Sample S(Build{"plain", "g++ -std=c++17 -O1"});
  DebugInfo Info(S.program());
  EXPECT_FALSE(Info.hasLines());
  uint64_t Entry = addressOf(S.program(), "sampleEntry"), Sink = addressOf(S.program(), "Sink");
  EXPECT_TRUE(Info.framesAt(Entry).empty());
  EXPECT_EQ(Info.symbolAt(Entry + 4), "sampleEntry+0x4");
  EXPECT_EQ(Info.variableAt(Sink), "Sink");
  EXPECT_EQ(Info.variableAt(Entry), "") << "a function";
  EXPECT_EQ(Info.symbolAt(0x7fffffff), "0x7fffffff");
}

TEST(DebugInfo, NamesOfSymbolsHaveNoParameters) {
  EXPECT_EQ(symbolName("_ZN7Trainer4stepERKSt6vectorIiSaIiEE"), "Trainer::step");
  EXPECT_EQ(symbolName("_Z5twiceIiET_S0_"), "twice<int>");
  EXPECT_EQ(symbolName("main"), "main");
}

TEST(DebugInfo, WhatHeadersPutIntoEveryProgramIsNotTheUsers) {
  EXPECT_TRUE(isLibraryFunction("_ZNK2at6Tensor3addERKS0_RKN3c106ScalarE"));
  EXPECT_TRUE(isLibraryFunction("_ZNSt6vectorIN2at6TensorESaIS1_EE9push_backERKS1_"));
  EXPECT_TRUE(isLibraryFunction("_ZSt4moveIRiEONSt16remove_referenceIT_E4typeEOS2_"));
  EXPECT_FALSE(isLibraryFunction("_ZN7Trainer4stepERKSt6vectorIN2at6TensorESaIS2_EE"));
  EXPECT_FALSE(isLibraryFunction("_Z5trainRN5torch2nn6LinearE"));
  EXPECT_FALSE(isLibraryFunction("main"));
}

INSTANTIATE_TEST_SUITE_P(Compilers, DebugInfoTest, testing::ValuesIn(builds()),
                         [](const auto &Info) {
                           std::string Name = Info.param.Name;
                           for (char &C : Name)
                             C = std::isalnum(static_cast<unsigned char>(C)) ? C : '_';
                           return Name;
                         });

TEST(DebugInfo, AProgramWithoutDebugInformationAnswersNothing) {
  Sample S({"stripped", "g++ -s"});
  DebugInfo Info(S.program());
  EXPECT_FALSE(Info.hasLines());
  EXPECT_TRUE(Info.rowsOf(cpp()).empty());
}

TEST(DebugInfo, AFileThatIsNoProgramAnswersNothing) {
  EXPECT_FALSE(DebugInfo(cpp()).hasLines());
  EXPECT_FALSE(DebugInfo("/no/such/file").hasLines());
}

TEST(Points, TheNextColumnStandsForAnExpression) {
  std::vector<LineRow> Rows = {{8, 5, 0x10}, {8, 23, 0x20}, {8, 30, 0x30}, {9, 1, 0x40}};
  Rows.push_back({8, 24, 0x50, /*StartsStatement=*/false}); // moved there by the optimizer
  EXPECT_EQ(addressesOf({"f", 8, 23}, Rows), std::vector<uint64_t>{0x20});
  EXPECT_EQ(addressesOf({"f", 8, 24}, Rows), std::vector<uint64_t>{0x30});
  EXPECT_EQ(addressesOf({"f", 8, 70}, Rows), std::vector<uint64_t>{0x30});
  EXPECT_EQ(addressesOf({"f", 8, 0}, Rows), (std::vector<uint64_t>{0x10, 0x20, 0x30}));
  EXPECT_TRUE(addressesOf({"f", 7, 1}, Rows).empty());
}
