//===-- ModuleNamesTest.cpp -----------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/questions/ModuleNames.h"

#include "checks/flow/Analyzed.h"

using namespace clang;

namespace tensorleak {
namespace {

TEST(ModuleNames, FollowAMemberToWhatItsConstructorIsGiven) {
  Analyzed A(R"(
    void look(const torch::nn::Linear &seen) { seen->weight.sum(); }
    class Kept { torch::nn::Linear kept; public: explicit Kept(torch::nn::Linear n) : kept(n) {} };
    class Unmade {
      torch::nn::Linear lost;
      public: explicit Unmade(torch::nn::Linear n) : lost(n) {}
    };
    void f(std::vector<torch::nn::Linear> &all) {
      torch::nn::Linear net(8, 8), listed(8, 8);
      auto same = net;
      Kept keeper(same);
      look(net);
      all.push_back(listed);
    })");
  auto Names = [&](const ValueDecl *Module) {
    std::vector<std::string> Out;
    if (auto All = namesOf(A.unit(), *Module))
      for (const ValueDecl *Each : *All)
        Out.push_back(Each->getNameAsString());
    llvm::sort(Out);
    return Out;
  };
  EXPECT_EQ(Names(A.field("kept")), (std::vector<std::string>{"kept", "n", "net", "same", "seen"}));
  EXPECT_EQ(Names(A.variable("look", "seen")), (std::vector<std::string>{"seen"}));
  EXPECT_TRUE(Names(A.field("lost")).empty());           // nothing makes an Unmade
  EXPECT_TRUE(Names(A.variable("f", "listed")).empty()); // a list has it
}

} // namespace
} // namespace tensorleak
