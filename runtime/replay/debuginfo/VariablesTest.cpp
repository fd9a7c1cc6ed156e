//===-- VariablesTest.cpp - Places in memory and their names --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs Inputs/Places.cpp, which prints where its variables are, and asks for their names.
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/debuginfo/CompiledPlaces.h"
#include "runtime/replay/debuginfo/MemberWalk.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <memory>

using namespace tensorleak;
using test::Places;

namespace {

/// The members that lead to a place, as "Class::Name".
std::vector<std::string> membersOf(Places &P, const std::optional<PlaceInVariable> &V,
                                   const std::vector<std::pair<std::string, uint64_t>> &Hops = {}) {
  MemberWalk Walk(*P.Info, *P.Known);
  if (V)
    Walk.enter(*V);
  for (const auto &[Class, Offset] : Hops)
    Walk.follow(Class, Offset);
  std::vector<std::string> Out;
  for (const NamedMember &M : Walk.members())
    Out.push_back(M.Class + "::" + M.Name);
  return Out;
}

std::vector<std::string> compilers() {
  std::vector<std::string> Out;
  for (const char *Compiler :
       {"g++ -g -O0", "g++ -g -O2", "clang++-22 -g -O0", "clang++-22 -g -O1"})
    if (std::string C = Compiler;
        std::system((C.substr(0, C.find(' ')) + " --version >/dev/null 2>&1").c_str()) == 0)
      Out.push_back(C);
  return Out;
}

class VariablesTest : public testing::TestWithParam<std::string> {};

using Strings = std::vector<std::string>;

} // namespace

TEST_P(VariablesTest, VariablesAreNamed) {
  Places P(GetParam());
  auto Local = P.local("local");
  ASSERT_TRUE(Local);
  EXPECT_EQ(Local->Name, "Local");
  EXPECT_EQ(Local->Function, "main");
  EXPECT_TRUE(Local->IsLocal);
  EXPECT_EQ(Local->Where.Line, 55u);
  auto Global = P.global("global");
  ASSERT_TRUE(Global);
  EXPECT_EQ(Global->Name, "GlobalRoom");
  EXPECT_EQ(Global->Function, "");
  auto Static = P.global("static");
  ASSERT_TRUE(Static);
  EXPECT_EQ(Static->Name, "Rooms");
  EXPECT_EQ(Static->Function, "main");
}

TEST_P(VariablesTest, ThreadLocalVariablesAreNamed) {
  Places P(GetParam());
  auto Thread = P.threadLocal("thread");
  ASSERT_TRUE(Thread);
  EXPECT_EQ(Thread->Name, "ThreadRoom");
  EXPECT_TRUE(Thread->IsThreadLocal);
  EXPECT_EQ(membersOf(P, Thread), (Strings{"Room::Right", "Shelf::Books"}));
  auto History = P.threadLocal("history");
  ASSERT_TRUE(History);
  EXPECT_EQ(History->Name, "History");
  EXPECT_EQ(History->Function, "main");
}

TEST_P(VariablesTest, MembersAreNamed) {
  Places P(GetParam());
  EXPECT_EQ(membersOf(P, P.local("local")), (Strings{"Room::Right", "Shelf::Books"}));
  EXPECT_EQ(membersOf(P, P.global("global")), (Strings{"Room::Left", "Shelf::Books"}));
}

TEST_P(VariablesTest, PointersAreFollowedThroughTheStandardLibrary) {
  Places P(GetParam());
  EXPECT_EQ(membersOf(P, P.local("owned"), {{"", 8}}), (Strings{"Shelf::Books"}));
  // The second room of the vector; a room has 72 bytes, its right shelf begins at 40.
  EXPECT_EQ(membersOf(P, P.global("static"), {{"", 72 + 40 + 8}}),
            (Strings{"Room::Right", "Shelf::Books"}));
}

TEST_P(VariablesTest, TheObjectOfASharedPointerLiesBehindItsCounts) {
  Places P(GetParam());
  auto Pet = P.local("shared");
  ASSERT_TRUE(Pet);
  EXPECT_EQ(membersOf(P, Pet, {{"3Cat", 16}}), (Strings{"Cat::Toy"}));
  const char *Counts = "St23_Sp_counted_ptr_inplaceI3CatSaIvELN9__gnu_cxx12_Lock_policyE2EE";
  EXPECT_EQ(membersOf(P, Pet, {{Counts, 16 + 16}}), (Strings{"Cat::Toy"}));
  EXPECT_EQ(membersOf(P, Pet, {{Counts, 8}}), Strings{});
}

TEST_P(VariablesTest, ObjectsOfClassesThatAreOnlyDeclaredAreNamed) {
  Places P(GetParam());
  auto Foreign = P.local("foreign");
  ASSERT_TRUE(Foreign);
  EXPECT_EQ(Foreign->Name, "Foreign");
  EXPECT_EQ(membersOf(P, Foreign), Strings{});
  EXPECT_EQ(membersOf(P, P.local("ward")), (Strings{"Ward::Alarm"}));
}

INSTANTIATE_TEST_SUITE_P(Compilers, VariablesTest, testing::ValuesIn(compilers()),
                         [](const testing::TestParamInfo<std::string> &I) {
                           std::string Name = I.param;
                           for (char &C : Name)
                             C = std::isalnum(static_cast<unsigned char>(C)) ? C : '_';
                           return Name;
                         });
