//===-- AnalysisTest.cpp - What the analyses infer ------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asserts what was inferred; what the rules say of it is tested in test/checks.
//
//===----------------------------------------------------------------------===//
#include "checks/flow/Analyzed.h"
#include "checks/questions/ParameterUse.h"
#include "checks/rules/missing-no-grad/EntryPoints.h"
#include "checks/rules/missing-no-grad/LoadedModules.h"
#include "checks/rules/missing-zero-grad/MemberOptimizers.h"
#include "checks/rules/undeleted-tensor/HandleResults.h"

using namespace clang;
using namespace tensorleak;

namespace {

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
    auto symbolic = torch::zeros({batch, 8});
  })");
  EXPECT_EQ(A.stored("f", "a").Info.Type.bytes(), 1024 * 2048 * 4);
  EXPECT_EQ(A.stored("f", "b").Info.Type.bytes(), 2048 * 8 * 8);
  EXPECT_EQ(A.stored("f", "sum").Info.Type.bytes(), 1024 * 2048 * 4);
  EXPECT_EQ(A.stored("f", "product").Info.Type.bytes(), 2048 * 2048 * 4);
  EXPECT_EQ(A.stored("f", "symbolic").Info.Type.bytes(), std::nullopt);
  EXPECT_EQ(A.stored("f", "symbolic").Info.Type.bytesFormula(), "32 * batch");
}

TEST(Shapes, AVariableThatIsOnlyHandedOnIsAConstant) {
  for (const char *Use :
       {"auto g = [n] { return n; };", "auto g = [&] { return n + 1; };", "const int &r = n;",
        "int m = c ? n : 2;", "show(n);", "auto p = std::make_shared<int>(n);"}) {
    Analyzed A(
        std::string("#include <memory>\nvoid show(const int &); void f(bool c) { int n = 4; ") +
        Use + " auto a = torch::zeros({n, 8}); }");
    EXPECT_EQ(A.stored("f", "a").Info.Type.bytes(), 128) << Use;
  }
}

TEST(Shapes, AVariableThatAnotherMayWriteIsNone) {
  for (const char *Use : {"auto g = [&] { ++n; };", "int &r = n;", "int *p = &n;", "read(n);",
                          "(c ? n : m) = 3;", "auto g = [n]() mutable { return ++n; };"}) {
    Analyzed A(std::string("void read(int &); void f(bool c) { int n = 4, m = 5; ") + Use +
               " auto a = torch::zeros({n, 8}); }");
    EXPECT_EQ(A.stored("f", "a").Info.Type.bytes(), std::nullopt) << Use;
  }
}

TEST(Shapes, AChangedVariableIsNoConstant) {
  Analyzed A("void f() { int n = 4; n += 1; auto a = torch::zeros({n, 8}); }");
  EXPECT_EQ(A.stored("f", "a").Info.Type.bytes(), std::nullopt);
  EXPECT_EQ(A.stored("f", "a").Info.Type.bytesFormula(), "");
}

TEST(Flow, TellsApartWhatALocalHoldsAtATime) {
  Analyzed A(R"(
    void show(float);
    void f(torch::nn::Linear net, Tensor x) {
      Tensor y;
      for (int i = 0; i < 9; ++i) {
        y = net->forward(x);
        y.sum().backward();
      }
      y = net->forward(x);
      show(y.sum().item<float>());
    }
    void g(torch::nn::Linear net, Tensor x) {
      Tensor y;
      auto run = [&y] { y.sum().backward(); };
      y = net->forward(x);
      run();
      y = net->forward(x);
    }
    void later(std::function<void()>);
    void h(torch::nn::Linear net, Tensor x) {
      Tensor y;
      auto run = [&y] { y.sum().backward(); };
      y = net->forward(x);
      later(run);
      y = net->forward(x);
    })");
  for (const char *Function : {"f", "g"}) { // a lambda that is called there runs there
    auto InOrder = A.fatesOfStores(Function, "y");
    ASSERT_EQ(InOrder.size(), 2u);
    EXPECT_TRUE(InOrder[0] & ReachesBackward);
    EXPECT_FALSE(InOrder[1] & ReachesBackward);
  }
  for (uint8_t Fate : A.fatesOfStores("h", "y")) // it may run at any time
    EXPECT_TRUE(Fate & ReachesBackward);
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

TEST(HandleResults, AreWhatCFunctionsComputeFromTheirHandles) {
  Analyzed A(R"(extern "C" {
    void *sum(void *a) { return new Tensor(*(Tensor *)a + 1); }
    void *product(Tensor *a) { auto *p = new Tensor(*a * *a); return p; }
    void *factory(long n) { return new Tensor(torch::zeros({n})); }
    void *shared(void *a) { return new Tensor(*(Tensor *)a); }
    void drop(void *a) { delete (Tensor *)a; }
  }
  void *other(void *a) { return new Tensor(*(Tensor *)a + 1); })");
  std::vector<HandleResult> Found = findHandleResults(A.unit());
  ASSERT_EQ(Found.size(), 2u);
  EXPECT_EQ(Found[0].Function->getName(), "sum");
  EXPECT_EQ(Found[1].Function->getName(), "product");
  EXPECT_EQ(Found[0].Computed.size(), 1u);
  ASSERT_TRUE(findHandleDeleter(A.unit()));
  EXPECT_EQ(findHandleDeleter(A.unit())->getName(), "drop");
}

TEST(Freezing, IsOfAllParametersOrOfSomeByName) {
  Analyzed A(R"(
    struct Nets { torch::nn::Linear all{8, 8}, named{8, 8}, some{8, 8}; };
    void f(Nets &n) {
      torch::optim::SGD optimizer(n.some->parameters(), 0.1);
      for (auto item : n.all->named_parameters()) item.value().set_requires_grad(false);
      for (auto &item : n.named->named_parameters())
        if (item.key() == "weight") item.value().requires_grad_(false);
      for (auto &item : n.some->named_parameters())
        if (item.key() == "weight") item.value().requires_grad_(false);
    })");
  EXPECT_TRUE(A.unit().isFrozen(A.variable("f", "all")));
  EXPECT_TRUE(A.unit().isFrozen(A.variable("f", "named"))); // nothing trains the rest
  EXPECT_FALSE(A.unit().isFrozen(A.variable("f", "some")));
}

TEST(Freezing, OfWhatHasNoNameIsOfNoModule) {
  Analyzed A(R"(
    void f(Tensor x) {
      torch::nn::Linear net(2, 2);
      for (auto &p : net->parameters()) p.requires_grad_(false);
      Tensor adversarial = x.clone().requires_grad_(true);
      net->forward(adversarial).sum().backward();
    })");
  EXPECT_TRUE(A.unit().isFrozenHere(A.variable("f", "net")));
}

TEST(Flow, GoesOnToCallersThatAreAllInView) {
  Analyzed A(R"(
    using torch::nn::Linear;
    static Tensor read(Linear net) { Tensor y = net->forward(torch::ones({2})); return y; }
    static Tensor given(Linear net) { Tensor y = net->forward(torch::ones({2})); return y; }
    static Tensor run(Linear net) { Tensor y = net->forward(torch::ones({2})); return y; }
    void use(Tensor (*)(Linear));
    float f(Linear net) {
      run(net).sum().backward();
      use(&given);
      return read(net).item<float>() + given(net).item<float>();
    })");
  auto Fate = [&](llvm::StringRef Name) {
    const FunctionFacts &Facts = *A.function(Name).Facts;
    return A.unit().fateOf(Facts, Facts.Places.find(A.variable(Name, "y"), NoId));
  };
  EXPECT_EQ(Fate("read") & ReachesReturn, 0);
  EXPECT_EQ(Fate("given") & ReachesReturn, ReachesReturn);
  EXPECT_EQ(Fate("run") & ReachesReturn, ReachesReturn);
}

TEST(ParameterUse, IsMoreThanReadingAndWriting) {
  Analyzed A(R"(
    struct Nets { torch::nn::Linear plain{8, 8}, synced{8, 8}, read{8, 8}, given{8, 8},
                  copied{8, 8}, known{8, 8}, stepped{8, 8}; };
    std::vector<Tensor> given(Nets &n) { return n.given->parameters(); }
    void uses(Nets &n, Tensor x) {
      auto p = n.synced->parameters();
      for (size_t i = 0; i < p.size(); ++i) p[i].copy_(x);
      for (auto &each : n.read->parameters()) each.grad().sum();
      auto other = n.copied;
      n.copied->forward(x);
      n.plain->forward(x);
    }
    void trains(Nets &n) {
      auto second = n.known;
      torch::optim::SGD optimizer(second->parameters(), 0.1), other(n.stepped->parameters(), 0.1);
    })");
  auto MayUse = [&](const char *Function, const char *Name) {
    return mayUseGradients(A.unit(), *A.variable(Function, Name));
  };
  EXPECT_FALSE(MayUse("uses", "plain"));
  EXPECT_FALSE(MayUse("uses", "synced"));
  EXPECT_TRUE(MayUse("uses", "read"));
  EXPECT_FALSE(MayUse("uses", "copied"));
  EXPECT_TRUE(mayUseGradients(A.unit(), *A.field("known")));
  EXPECT_TRUE(MayUse("given", "given"));
  EXPECT_TRUE(MayUse("trains", "stepped"));
}

TEST(LoadedModules, KnowWhoElseHasTheirParameters) {
  Analyzed A(R"(
  class Own { torch::jit::Module kept; public:
    void load(const std::string &path) { kept = torch::jit::load(path); }
  };
  class Lent { torch::jit::Module lent; public:
    void load(const std::string &path) { lent = torch::jit::load(path); }
    torch::jit::Module &get() { return lent; }
  };
  )");
  EXPECT_TRUE(isLoadedForItself(A.unit(), *A.field("kept")));
  EXPECT_FALSE(isLoadedForItself(A.unit(), *A.field("lent")));
}

TEST(LoadedModules, KnowWhatCallersDoWithAResult) {
  Analyzed A(R"(Tensor read(Tensor x) { return x * 2; }
  Tensor handed(Tensor x) { return x * 2; }
  Tensor uncalled(Tensor x) { return x * 2; }
  float reader(Tensor x) { return read(x).item<float>() + handed(x).item<float>(); }
  Tensor giver(Tensor x) { return handed(x); }
  )");
  EXPECT_TRUE(isOnlyReadByCallers(A.unit(), A.function("read")));
  EXPECT_FALSE(isOnlyReadByCallers(A.unit(), A.function("handed")));
  EXPECT_FALSE(isOnlyReadByCallers(A.unit(), A.function("uncalled")));
}

TEST(MemberOptimizers, AreResetByWhoeverReachesThem) {
  Analyzed A(R"(
  class Alone { torch::nn::Linear net{4, 4}; torch::optim::SGD alone{net->parameters(), 0.1};
    public: void step() { alone.step(); } };
  class Given { torch::nn::Linear net; torch::optim::SGD given;
    public: Given(torch::nn::Linear n) : net(n), given(net->parameters(), 0.1) {} };
  )");
  EXPECT_FALSE(mayBeReset(A.unit(), *A.field("alone")));
  EXPECT_TRUE(mayBeReset(A.unit(), *A.field("given")));
}

TEST(Budgets, AFunctionOfTooManyBlocksIsSkippedAndCounted) {
  Analyzed A("int f(int x) { return x ? 1 : 2; }", {{Budget::Blocks, 2}});
  EXPECT_TRUE(A.unit().functions().empty());
  EXPECT_EQ(A.stats().FunctionsAnalyzed, 0u);
  ASSERT_EQ(A.stats().Skipped.size(), 1u);
  EXPECT_EQ(A.stats().Skipped.front().Name, "f");
  EXPECT_EQ(A.stats().OverBudget, (BudgetUse{{Budget::Blocks, {"f"}}}));
}

//===-- What a loop calls -------------------------------------------------===//

/// Events of the kind, in the loops of the function and outside of them.
static std::pair<unsigned, unsigned> inLoops(const Analyzed &A, llvm::StringRef Function,
                                             EventKind Kind) {
  std::pair<unsigned, unsigned> Found;
  for (const Event &E : A.function(Function).Facts->Events)
    if (E.Kind == Kind)
      ++(E.InLoop == NoId ? Found.second : Found.first);
  return Found;
}

constexpr const char *Steps = R"(
  void keep(std::vector<Tensor> &into, Tensor x) { into.push_back(x); }
  struct Trainer {
    std::vector<Tensor> kept;
    void step(Tensor x) { keep(kept, x); }
    void epoch() { for (int i = 0; i < 9; ++i) step(torch::ones({2})); }
    void once() { step(torch::ones({2})); }
  };
  template <class F> void each(int n, F run) { for (int i = 0; i < n; ++i) run(i); }
  void given() {
    std::vector<Tensor> list;
    each(9, [&](int) { list.push_back(torch::ones({2})); });
  }
  void recursive(std::vector<Tensor> &list, int n) {
    for (int i = 0; i < n; ++i) { list.push_back(torch::ones({2})); recursive(list, n - 1); }
  }
)";

TEST(Splicing, ThroughAnyNumberOfCalls) {
  Analyzed A(Steps);
  EXPECT_EQ(inLoops(A, "epoch", EventKind::Grow), std::make_pair(1u, 0u));
  EXPECT_EQ(A.function("epoch").Facts->Splices.size(), 2u);
}

TEST(Splicing, OnlyWhereALoopCalls) {
  Analyzed A(Steps);
  EXPECT_TRUE(A.function("once").Facts->Splices.empty());
  EXPECT_TRUE(A.function("recursive").Facts->Splices.empty());
}

TEST(Splicing, WhatATemplateIsGivenToCall) {
  Analyzed A(Steps);
  const FunctionFacts &Facts = *A.function("given").Facts;
  EXPECT_EQ(inLoops(A, "given", EventKind::Grow), std::make_pair(1u, 0u));
  for (const Event &E : Facts.Events)
    if (E.Kind == EventKind::Grow) {
      EXPECT_EQ(Facts.Places[E.Place].Decl, A.variable("given", "list"));
      EXPECT_EQ(Facts.Places[E.Place].Root, Place::Local);
    }
}

} // namespace
