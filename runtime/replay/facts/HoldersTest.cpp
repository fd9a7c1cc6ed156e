//===-- HoldersTest.cpp - From pointers in memory to variables ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paths as a search through the memory of Inputs/Places.cpp would have found them.
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/facts/Holders.h"
#include "runtime/replay/debuginfo/CompiledPlaces.h"

using namespace tensorleak;
using test::Places;
using trace::HolderPath;
using trace::RootKind;

namespace {

constexpr uint64_t Base = 0x400000000;

/// A run of the program that one search looked at.
class SearchedRun {
public:
  explicit SearchedRun(const Places &Program) : Program(Program) {
    R.Modules.push_back({Base, Base, Base + 0x1000000, Program.program(), ""});
  }

  /// A way that leads to another target each time.
  HolderPath &add(RootKind Root) {
    HolderPath P;
    P.Root = Root;
    P.Target.SiteId = 7;
    P.Target.Address = R.HolderPaths.size() + 1;
    R.HolderPaths.push_back(P);
    return R.HolderPaths.back();
  }
  HolderPath &addGlobal(const std::string &Name) {
    HolderPath &P = add(RootKind::Global);
    P.Address = Base + Program.at(Name).Address;
    return P;
  }
  HolderPath &addLocal(const std::string &Name) {
    HolderPath &P = add(RootKind::Stack);
    const test::Place &Where = Program.at(Name);
    P.Pc = Base + Where.Address;
    P.FromFrameEnd = Where.FromEnd;
    P.FromStackPointer = Where.FromStack;
    return P;
  }

  HeldSite held() const {
    DebugFiles Files;
    Symbolizer Symbols(R, Files);
    std::vector<HeldSite> Sites = heldSites(R, Symbols);
    EXPECT_EQ(Sites.size(), 1u);
    return Sites.at(0);
  }

private:
  const Places &Program;
  Recording R;
};

class HoldersTest : public testing::Test {
protected:
  Places Program{"g++ -g -O0"};
  SearchedRun Run{Program};
};

} // namespace

TEST_F(HoldersTest, AGlobalVariableIsNamedDownToTheMember) {
  Run.addGlobal("global").Nodes = 3;
  Run.addGlobal("global").Nodes = 7;
  HeldSite Held = Run.held();
  EXPECT_EQ(Held.Targets, 2u);
  EXPECT_EQ(Held.Unheld, 0u);
  ASSERT_EQ(Held.Holders.size(), 1u);
  EXPECT_EQ(Held.Holders[0].Name, "GlobalRoom.Left.Books");
  EXPECT_EQ(Held.Holders[0].Declarations.size(), 3u);
  EXPECT_EQ(describe(Held.Holders[0]),
            "'GlobalRoom.Left.Books' (a member of Shelf, Places.cpp:10), through 7 autograd nodes");
}

TEST_F(HoldersTest, WhatNvccMadeKeepsNothingForTheProgram) {
  for (const char *Variable : {"nvcc", "nvcc", "stub", "stub"})
    Run.addGlobal(Variable);
  EXPECT_TRUE(Run.held().Holders.empty());
  Run.addGlobal("static");
  Run.addGlobal("static");
  EXPECT_EQ(Run.held().Holders.size(), 1u);
}

TEST_F(HoldersTest, PointingToAnObjectByTwoMembersIsNoSecondObject) {
  Run.addGlobal("global");
  Run.addGlobal("global").Target.Address = 1;
  EXPECT_TRUE(Run.held().Holders.empty()); // it is known of one object only
  Run.addGlobal("global");
  EXPECT_EQ(Run.held().Holders.size(), 1u);
}

TEST_F(HoldersTest, AStaticVariableBelongsToItsFunction) {
  Run.addGlobal("static");
  Run.addGlobal("static");
  HeldSite Held = Run.held();
  ASSERT_EQ(Held.Holders.size(), 1u);
  EXPECT_EQ(Held.Holders[0].What, "a static variable of main");
}

TEST_F(HoldersTest, AThreadLocalVariableIsKnownByItsOffset) {
  for (int I = 0; I < 2; ++I) {
    HolderPath &P = Run.add(RootKind::ThreadLocal);
    P.Address = Program.at("history").Address;
    P.Pc = Base;
  }
  HeldSite Held = Run.held();
  ASSERT_EQ(Held.Holders.size(), 1u);
  EXPECT_EQ(Held.Holders[0].Name, "History");
  EXPECT_EQ(Held.Holders[0].What, "a thread_local variable of main");
}

TEST_F(HoldersTest, AWayIsFollowedUntilLibTorchsObjects) {
  for (const char *Torch : {"N3c1010TensorImplE", "N2at6TensorE", "N5torch8autograd4NodeE"})
    Run.addLocal("owned").Hops = {{Torch, 8}, {"", 8}};
  HeldSite Held = Run.held();
  ASSERT_EQ(Held.Holders.size(), 1u);
  EXPECT_EQ(Held.Holders[0].Name, "Owned.Books");
  EXPECT_EQ(Held.Holders[0].Targets, 3u);
}

TEST_F(HoldersTest, WhatIsSeenOnceIsNoHolder) {
  Run.addLocal("shared");
  Run.add(RootKind::None);
  Run.add(RootKind::Unknown);
  HeldSite Held = Run.held();
  EXPECT_EQ(Held.Targets, 3u);
  EXPECT_EQ(Held.Unheld, 1u);
  EXPECT_TRUE(Held.Holders.empty());
}

TEST_F(HoldersTest, LibrariesKeepInOnePlaceAndWordsAreLeftOverAnywhere) {
  constexpr uint64_t Far = 1 << 20, Near = 64;
  for (uint64_t I = 1; I <= 3; ++I)
    Run.add(RootKind::Library).Address = I * Far;
  EXPECT_EQ(Run.held().Unheld, 3u);
  Run.add(RootKind::Library).Address = Far; // the same variable
  EXPECT_EQ(Run.held().Unheld, 2u);
  Run.add(RootKind::Library).Address = 2 * Far + Near; // the next entry of a table
  EXPECT_EQ(Run.held().Unheld, 1u);
}

TEST_F(HoldersTest, TheMostFrequentComesFirst) {
  for (int I = 0; I < 2; ++I)
    Run.addGlobal("global");
  for (int I = 0; I < 3; ++I)
    Run.addLocal("shared");
  HeldSite Held = Run.held();
  ASSERT_EQ(Held.Holders.size(), 2u);
  EXPECT_EQ(Held.Holders[0].Name, "Pet");
  EXPECT_EQ(Held.Holders[0].What, "a local variable of main");
}

TEST_F(HoldersTest, OfTwoThatLeadToAsMuchTheOneThatLastsKeepsIt) {
  for (int I = 0; I < 4; ++I)
    Run.addLocal("shared").Target.Address = uint64_t(I);
  for (int I = 0; I < 3; ++I)
    Run.addGlobal("static").Target.Address = uint64_t(I);
  EXPECT_EQ(Run.held().Holders[0].What, "a static variable of main");
}

TEST_F(HoldersTest, AddressesOutsideOfModulesHaveNoName) {
  Run.add(RootKind::Global).Address = 16;
  Run.add(RootKind::Global).Address = 16;
  EXPECT_TRUE(Run.held().Holders.empty());
}
