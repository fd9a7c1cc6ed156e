//===-- VariablesTest.cpp - Places in memory and their names --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs Inputs/Places.cpp, which says where its variables are, and asks for their names.
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/MemberWalk.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <memory>

using namespace tensorleak;
namespace fs = std::filesystem;

namespace {

struct Place {
  uint64_t Address = 0;
  int64_t FromEnd = 0, FromStack = 0;
};

/// The program built by one compiler, and what it printed.
class Places {
public:
  explicit Places(const std::string &Compiler) {
    std::string Template = fs::temp_directory_path() / "places-XXXXXX";
    Folder = mkdtemp(Template.data());
    fs::path Source = fs::canonical(fs::path(__FILE__).parent_path() / "Inputs" / "Places.cpp");
    std::string Command = Compiler + " -std=c++17 -o " + program() + " " + Source.string();
    EXPECT_EQ(std::system(Command.c_str()), 0) << Command;
    std::unique_ptr<FILE, int (*)(FILE *)> Output(popen(program().c_str(), "r"), pclose);
    char Name[32];
    for (Place P; std::fscanf(Output.get(), "%31s %lu %ld %ld", Name, &P.Address, &P.FromEnd,
                              &P.FromStack) == 4;)
      All[Name] = P;
    Info = std::make_unique<DebugInfo>(program());
    Known = std::make_unique<Variables>(*Info);
  }
  ~Places() { fs::remove_all(Folder); }

  std::optional<PlaceInVariable> local(const std::string &Name) {
    const Place &P = All.at(Name);
    return Known->localAt({P.Address, P.FromEnd, P.FromStack, std::nullopt});
  }
  std::optional<PlaceInVariable> global(const std::string &Name) {
    return Known->globalAt(All.at(Name).Address);
  }
  /// The members that lead to a place, as "Class::Name".
  std::vector<std::string> members(const std::optional<PlaceInVariable> &V,
                                   const std::vector<std::pair<std::string, uint64_t>> &Hops = {}) {
    MemberWalk Walk(*Info, *Known);
    if (V)
      Walk.enter(*V);
    for (const auto &[Class, Offset] : Hops)
      Walk.follow(Class, Offset);
    std::vector<std::string> Out;
    for (const NamedMember &M : Walk.members())
      Out.push_back(M.Class + "::" + M.Name);
    return Out;
  }

private:
  std::string program() const { return Folder / "places"; }
  fs::path Folder;
  std::map<std::string, Place> All;
  std::unique_ptr<DebugInfo> Info;
  std::unique_ptr<Variables> Known;
};

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
  EXPECT_EQ(Local->Where.Line, 42u);
  auto Global = P.global("global");
  ASSERT_TRUE(Global);
  EXPECT_EQ(Global->Name, "GlobalRoom");
  EXPECT_EQ(Global->Function, "");
  auto Static = P.global("static");
  ASSERT_TRUE(Static);
  EXPECT_EQ(Static->Name, "Rooms");
  EXPECT_EQ(Static->Function, "main");
}

TEST_P(VariablesTest, MembersAreNamed) {
  Places P(GetParam());
  EXPECT_EQ(P.members(P.local("local")), (Strings{"Room::Right", "Shelf::Books"}));
  EXPECT_EQ(P.members(P.global("global")), (Strings{"Room::Left", "Shelf::Books"}));
}

TEST_P(VariablesTest, PointersAreFollowedThroughTheStandardLibrary) {
  Places P(GetParam());
  EXPECT_EQ(P.members(P.local("owned"), {{"", 8}}), (Strings{"Shelf::Books"}));
  // The second room of the vector; a room has 72 bytes, its right shelf begins at 40.
  EXPECT_EQ(P.members(P.global("static"), {{"", 72 + 40 + 8}}),
            (Strings{"Room::Right", "Shelf::Books"}));
}

TEST_P(VariablesTest, TheObjectOfASharedPointerLiesBehindItsCounts) {
  Places P(GetParam());
  auto Pet = P.local("shared");
  ASSERT_TRUE(Pet);
  EXPECT_EQ(P.members(Pet, {{"3Cat", 16}}), (Strings{"Cat::Toy"}));
  const char *Counts = "St23_Sp_counted_ptr_inplaceI3CatSaIvELN9__gnu_cxx12_Lock_policyE2EE";
  EXPECT_EQ(P.members(Pet, {{Counts, 16 + 16}}), (Strings{"Cat::Toy"}));
  EXPECT_EQ(P.members(Pet, {{Counts, 8}}), Strings{});
}

INSTANTIATE_TEST_SUITE_P(Compilers, VariablesTest, testing::ValuesIn(compilers()),
                         [](const testing::TestParamInfo<std::string> &I) {
                           std::string Name = I.param;
                           for (char &C : Name)
                             C = std::isalnum(static_cast<unsigned char>(C)) ? C : '_';
                           return Name;
                         });
