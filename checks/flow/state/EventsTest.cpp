//===-- EventsTest.cpp - What follows from what Events.def states ---------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/flow/Analyzed.h"
#include "checks/questions/ParameterUse.h"
#include "checks/rules/missing-no-grad/LoadedModules.h"

using namespace clang;
using namespace tensorleak;

namespace {

/// What callers of f hear of, in the order of the summary.
std::string heardOf(const std::string &Code) {
  Analyzed A(Code);
  const Summary *S = A.unit().summaryOf(*A.function("f").Facts->Function);
  std::string Heard;
  for (const SummaryEffect &Effect : S->Effects)
    Heard += (Heard.empty() ? "" : " ") + events::name(Effect.Kind).str();
  return Heard;
}

TEST(Events, CallersHearWhatHappensToWhatIsTheirs) {
  EXPECT_EQ(heardOf("void f(Tensor &t, Tensor x) { t = x; }"), "Store");
  EXPECT_EQ(heardOf("void f(std::vector<Tensor> &v, Tensor x) { v.push_back(x); }"), "Grow");
  EXPECT_EQ(heardOf("void f(std::vector<Tensor> &v) { v.clear(); }"), "Shrink");
  EXPECT_EQ(heardOf("void f(Tensor &t, Tensor x) { t.add_(x); }"), "Mutate");
  EXPECT_EQ(heardOf("void f(Tensor &t) { t.detach_(); }"), "DetachSelf");
  EXPECT_EQ(heardOf("void f(Tensor &t) { t.reset(); }"), "Drop");
  EXPECT_EQ(heardOf("void f(Tensor &t) { t.grad().detach_(); }"), "CutGrad");
  EXPECT_EQ(heardOf("void f(torch::optim::SGD &o) { o.step(); }"), "Step");
  EXPECT_EQ(heardOf("void f(torch::optim::SGD &o) { o.zero_grad(); }"), "ResetGrad");
  EXPECT_EQ(heardOf("void f(Tensor &t) { t.register_hook([](Tensor g) { return g; }); }"), "Hook");
  EXPECT_EQ(heardOf("void f(Tensor &t) { t.remove_hook(0); }"), "Unhook");
}

TEST(Events, CallersHearWhatMayHappenToWhatIsTheirs) {
  EXPECT_EQ(heardOf("void unseen(Tensor &); void f(Tensor &t) { unseen(t); }"), "Unknown");
}

TEST(Events, CallersHearWhatRunsWherever) {
  EXPECT_EQ(heardOf("void f(torch::nn::Linear net, Tensor x) { net->forward(x); }"), "Forward");
  EXPECT_EQ(heardOf("void f(Tensor x) { torch::nn::Linear net(2, 2); net->forward(x); }"),
            "Forward");
  EXPECT_EQ(heardOf("static torch::nn::Linear net{2, 2}; Tensor make();"
                    "void f() { make().sum().backward(); }"),
            "Backward");
}

TEST(Events, CallersDoNotHearOfLocals) {
  EXPECT_EQ(heardOf("void f(Tensor x) { Tensor t; t = x; t.add_(x); t.detach_(); t.reset(); }"),
            "");
  EXPECT_EQ(heardOf("void f(Tensor x) { std::vector<Tensor> v; v.push_back(x); v.clear(); }"), "");
  EXPECT_EQ(heardOf("void f() { torch::NoGradGuard guard; }"), "");
}

/// What the tensor that f stores in `last` carries.
Graph carriedByLast(const std::string &Body) {
  Analyzed A("void f(torch::nn::Linear net, Tensor x) {"
             "  Tensor t = net->forward(x); " +
             Body + " Tensor last = t; }");
  return A.stored("f", "last").Info.Carries;
}

TEST(Events, EndAndStartGraphs) {
  EXPECT_EQ(carriedByLast("t.sum();"), Graph::Yes);
  EXPECT_EQ(carriedByLast("t.detach_();"), Graph::No);
  EXPECT_EQ(carriedByLast("t.reset();"), Graph::No);
  EXPECT_EQ(carriedByLast("t = torch::ones({2}); t.requires_grad_();"), Graph::Leaf);
}

TEST(Events, LetGoOfWhatAPlaceHolds) {
  Analyzed A(
      "struct Kept { std::vector<Tensor> cleared, filled; Tensor reset, detached, read; };"
      "void f(Kept &k, Tensor x) { k.cleared.clear(); k.filled.push_back(x); k.reset.reset();"
      "  k.detached.detach_(); x = k.read + 1; }");
  auto IsShed = [&](const char *Name) { return A.unit().shrinksHere(A.field(Name)); };
  EXPECT_TRUE(IsShed("cleared"));
  EXPECT_TRUE(IsShed("reset"));
  EXPECT_TRUE(IsShed("detached"));
  EXPECT_FALSE(IsShed("filled"));
  EXPECT_FALSE(IsShed("read"));
}

TEST(Events, UseGradientsWhereTheyTouchOrAskForThem) {
  auto MayUse = [](const std::string &Body) {
    Analyzed A("void f(torch::nn::Linear net) { for (auto &p : net->parameters()) " + Body + " }");
    return mayUseGradients(A.unit(), *A.variable("f", "net"));
  };
  EXPECT_FALSE(MayUse("p.sum();"));
  EXPECT_TRUE(MayUse("p.mutable_grad() = torch::ones({2});"));
  EXPECT_TRUE(MayUse("p.mutable_grad().reset();"));
  EXPECT_TRUE(MayUse("p.grad().detach_();"));
  EXPECT_TRUE(MayUse("p.set_requires_grad(true);"));
  EXPECT_TRUE(MayUse("p.register_hook([](Tensor g) { return g; });"));
}

TEST(Events, ShowThatSomethingIsTrained) {
  auto Trains = [](const std::string &Body) {
    Analyzed A("void f(torch::nn::Linear net, torch::optim::SGD &o, Tensor t) {" + Body + "}");
    return trainsSomething(A.unit());
  };
  EXPECT_FALSE(Trains("net->forward(t); o.zero_grad(); t.detach_();"));
  EXPECT_TRUE(Trains("t.backward();"));
  EXPECT_TRUE(Trains("o.step();"));
  EXPECT_TRUE(Trains("torch::optim::SGD other(net->parameters(), 0.1);"));
  EXPECT_TRUE(Trains("t.mutable_grad() = t;"));
  EXPECT_TRUE(Trains("t.set_requires_grad(true);"));
}

TEST(Events, ShowThatALoopIsOneOfSteps) {
  auto IsStepLoop = [](const std::string &Body) {
    Analyzed A("void f(torch::nn::Linear net, torch::optim::SGD &o, Tensor t) {"
               "  for (int i = 0; i < 9; ++i) { " +
               Body + " } }");
    return A.unit().isStepLoop(A.function("f"), 0);
  };
  EXPECT_FALSE(IsStepLoop("t.sum(); o.zero_grad();"));
  EXPECT_TRUE(IsStepLoop("t.backward();"));
  EXPECT_TRUE(IsStepLoop("net->forward(t);"));
  EXPECT_TRUE(IsStepLoop("o.step();"));
}

} // namespace
