//===-- AnalysisTest.cpp - What the analyses infer ------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asserts what was inferred; what the rules say of it is tested in test/checks.
//
//===----------------------------------------------------------------------===//
#include "checks/analysis/Ownership.h"
#include "checks/analysis/Unit.h"

#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include <gtest/gtest.h>

using namespace clang;
using namespace tensorleak;

namespace {

/// One analysed file on the stand-in headers.
class Analyzed {
public:
  explicit Analyzed(const std::string &Code)
      : Ast(tooling::buildASTFromCodeWithArgs("#include <torch/torch.h>\nusing torch::Tensor;\n" +
                                                  Code,
                                              {"-std=c++17", "-I" TENSORLEAK_MOCK_HEADERS})) {
    const SourceManager &SM = Ast->getSourceManager();
    for (auto It = Ast->top_level_begin(); It != Ast->top_level_end(); ++It)
      if (SM.isInMainFile((*It)->getLocation()))
        Decls.push_back(*It);
    Result = std::make_unique<Unit>(Ast->getASTContext(), Decls, tensorleak::AnalyzerOptions(), Stats);
  }

  const FunctionUnit &function(llvm::StringRef Name) const {
    for (const FunctionUnit &F : Result->functions())
      if (F.Facts->Function->getNameAsString() == Name)
        return F;
    ADD_FAILURE() << "no function " << Name.str();
    return Result->functions().front();
  }

  /// The state when the variable is initialized or assigned last.
  EventState stored(llvm::StringRef Function, llvm::StringRef Variable) const {
    const FunctionUnit &F = function(Function);
    EventState Last;
    for (unsigned I = 0; I < F.Facts->Events.size(); ++I)
      if (F.Facts->Events[I].Kind == EventKind::Store && name(F, F.Facts->Events[I]) == Variable)
        Last = F.State.AtEvent[I];
    EXPECT_TRUE(Last.Reached) << "nothing is stored in " << Variable.str();
    return Last;
  }

  unsigned count(llvm::StringRef Function, EventKind Kind) const {
    const FunctionUnit &F = function(Function);
    return llvm::count_if(F.Facts->Events, [&](const Event &E) { return E.Kind == Kind; });
  }

  uint8_t fate(llvm::StringRef Function, llvm::StringRef Variable) const {
    const FunctionUnit &F = function(Function);
    for (PlaceId P = 0; P < F.Facts->Places.size(); ++P)
      if (const ValueDecl *D = F.Facts->Places[P].Decl; D && D->getName() == Variable)
        return Result->flow().fateOf(*F.Facts, P);
    ADD_FAILURE() << "no variable " << Variable.str();
    return 0;
  }

  const Unit &unit() const { return *Result; }

private:
  static llvm::StringRef name(const FunctionUnit &F, const Event &E) {
    const ValueDecl *D = F.Facts->Places[E.Place].Decl;
    return D ? D->getName() : "";
  }

  std::unique_ptr<ASTUnit> Ast;
  std::vector<Decl *> Decls;
  AnalyzerStats Stats;
  std::unique_ptr<Unit> Result;
};

TEST(GradMode, EndsWithTheGuardsScope) {
  Analyzed A(R"(void f(torch::nn::Linear net, Tensor x) {
    { torch::NoGradGuard guard; auto inside = net->forward(x); }
    auto after = net->forward(x);
    torch::AutoGradMode mode(false);
    auto late = net->forward(x);
  })");
  EXPECT_EQ(A.stored("f", "inside").GradMode, Mode::Off);
  EXPECT_EQ(A.stored("f", "inside").Info.Carries, Graph::No);
  EXPECT_EQ(A.stored("f", "after").GradMode, Mode::On);
  EXPECT_EQ(A.stored("f", "after").Info.Carries, Graph::Yes);
  EXPECT_EQ(A.stored("f", "late").Info.Carries, Graph::No);
}

TEST(GradMode, IsUnknownWhereOnlyOneBranchSetsIt) {
  Analyzed A(R"(void f(torch::nn::Linear net, Tensor x, bool train) {
    torch::AutoGradMode mode(train);
    auto y = net->forward(x);
  })");
  EXPECT_EQ(A.stored("f", "y").GradMode, Mode::Either);
  EXPECT_EQ(A.stored("f", "y").Info.Carries, Graph::Unknown);
}

TEST(GradMode, ComesFromTheCallersWhenAllAgree) {
  Analyzed A(R"(
    static void always(torch::nn::Linear net, Tensor x) { auto y = net->forward(x); }
    static void once(torch::nn::Linear net, Tensor x) { auto y = net->forward(x); }
    void f(torch::nn::Linear net, Tensor x) {
      once(net, x);
      torch::NoGradGuard guard;
      always(net, x);
      once(net, x);
    })");
  EXPECT_EQ(A.function("always").Entry, Mode::Off);
  EXPECT_EQ(A.function("once").Entry, Mode::On);
}

TEST(GraphCarrying, FollowsOpsAndEndsAtDetach) {
  Analyzed A(R"(void f(torch::nn::Linear net, torch::nn::ReLU relu, Tensor x) {
    auto y = net->forward(x);
    auto doubled = y * 2;
    auto copy = doubled.clone();
    auto cut = copy.detach();
    auto index = copy.argmax(1);
    auto constant = torch::ones({2});
    auto leaf = torch::ones({2}, torch::requires_grad());
    auto plain = relu->forward(constant);
  })");
  EXPECT_EQ(A.stored("f", "copy").Info.Carries, Graph::Yes);
  EXPECT_EQ(A.stored("f", "cut").Info.Carries, Graph::No);
  EXPECT_EQ(A.stored("f", "index").Info.Carries, Graph::No);
  EXPECT_EQ(A.stored("f", "constant").Info.Carries, Graph::No);
  EXPECT_EQ(A.stored("f", "leaf").Info.Carries, Graph::Leaf);
  EXPECT_EQ(A.stored("f", "plain").Info.Carries, Graph::No);
}

TEST(GraphCarrying, GoesThroughFunctionsOfTheFile) {
  Analyzed A(R"(
    static Tensor run(torch::nn::Linear net, Tensor x) { return net->forward(x); }
    static Tensor twice(Tensor x) { return x * 2; }
    void f(torch::nn::Linear net, Tensor x) {
      auto y = run(net, x);
      auto z = twice(y);
      auto c = twice(torch::ones({2}));
    })");
  EXPECT_EQ(A.stored("f", "y").Info.Carries, Graph::Yes);
  EXPECT_EQ(A.stored("f", "z").Info.Carries, Graph::Yes);
  EXPECT_EQ(A.stored("f", "c").Info.Carries, Graph::No);
}

TEST(Shapes, ComeFromFactoriesConstantsAndOps) {
  Analyzed A(R"(void f(int64_t batch) {
    const int n = 1024;
    int64_t m = 2 * n;
    auto a = torch::zeros({n, m});
    auto b = torch::zeros({m, 8}, torch::kFloat64);
    auto t = a.t();
    auto sum = a + 1;
    auto product = torch::matmul(t, a);
    auto unknown = torch::zeros({batch, 8});
  })");
  EXPECT_EQ(A.stored("f", "a").Info.Type.bytes(), 1024 * 2048 * 4);
  EXPECT_EQ(A.stored("f", "b").Info.Type.bytes(), 2048 * 8 * 8);
  EXPECT_EQ(A.stored("f", "sum").Info.Type.bytes(), 1024 * 2048 * 4);
  EXPECT_EQ(A.stored("f", "product").Info.Type.bytes(), 2048 * 2048 * 4);
  EXPECT_EQ(A.stored("f", "unknown").Info.Type.bytes(), std::nullopt);
}

TEST(Shapes, AChangedVariableIsNoConstant) {
  Analyzed A("void f() { int n = 4; n += 1; auto a = torch::zeros({n, 8}); }");
  EXPECT_EQ(A.stored("f", "a").Info.Type.bytes(), std::nullopt);
}

TEST(Shapes, BroadcastAndMismatch) {
  EXPECT_EQ(broadcast(Shape{{4, 1}}, Shape{{3}}), (Shape{{4, 3}}));
  EXPECT_EQ(broadcast(Shape{{4, 2}}, Shape{{3}}), std::nullopt);
}

TEST(Flow, TellsWhereTensorsEndUp) {
  Analyzed A(R"(
    void unknown(Tensor);
    Tensor f(torch::nn::Linear net, Tensor x) {
      auto loss = net->forward(x);
      auto total = loss + 1;
      total.backward();
      auto given = net->forward(x);
      unknown(given);
      auto shown = net->forward(x);
      auto result = shown.detach();
      return result;
    })");
  EXPECT_TRUE(A.fate("f", "loss") & ReachesBackward);
  EXPECT_TRUE(A.fate("f", "given") & ReachesUnknown);
  EXPECT_TRUE(A.fate("f", "result") & ReachesReturn);
  EXPECT_FALSE(A.fate("f", "shown") & (ReachesReturn | ReachesBackward));
}

TEST(Summaries, BringCalleesEffectsToTheCall) {
  Analyzed A(R"(
    static void reset(torch::optim::Optimizer &o) { o.zero_grad(); }
    static void outer(torch::optim::Optimizer &o) { reset(o); }
    void f(torch::nn::Linear net) {
      torch::optim::SGD optimizer(net->parameters(), 0.1);
      outer(optimizer);
      auto again = [&] { optimizer.zero_grad(); };
      again();
    })");
  EXPECT_EQ(A.count("f", EventKind::ResetGrad), 2u);
}

TEST(Ownership, LooksAtEveryPath) {
  Analyzed A(R"(
    void early(bool quick) { auto *t = new Tensor(); if (quick) return; delete t; }
    void both(bool quick) { auto *t = new Tensor(); if (quick) { delete t; return; } delete t; }
    Tensor *given() { auto *t = new Tensor(); return t; }
    void again() { Tensor *t = nullptr; for (int i = 0; i < 3; ++i) t = new Tensor(); delete t; })");
  EXPECT_EQ(findLostMemory(*A.function("early").Facts).size(), 1u);
  EXPECT_EQ(findLostMemory(*A.function("both").Facts).size(), 0u);
  EXPECT_EQ(findLostMemory(*A.function("given").Facts).size(), 0u);
  auto Again = findLostMemory(*A.function("again").Facts);
  ASSERT_EQ(Again.size(), 1u);
  EXPECT_TRUE(Again.front().Overwritten);
}

TEST(Budget, SkipsAndSays) {
  auto Ast = tooling::buildASTFromCodeWithArgs("int f(int x) { return x ? 1 : 2; }", {"-std=c++17"});
  std::vector<Decl *> Decls(Ast->top_level_begin(), Ast->top_level_end());
  tensorleak::AnalyzerOptions Options;
  Options.MaxBlocks = 2;
  AnalyzerStats Stats;
  Unit U(Ast->getASTContext(), Decls, Options, Stats);
  ASSERT_EQ(Stats.Skipped.size(), 1u);
  EXPECT_EQ(Stats.Skipped.front().Reason, "MaxBlocks");
}

} // namespace
