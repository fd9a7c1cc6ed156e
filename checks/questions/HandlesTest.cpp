//===-- HandlesTest.cpp - Who refers to which memory, and until when ------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/questions/Handles.h"

#include "checks/flow/Analyzed.h"

using namespace clang;
using namespace tensorleak;

namespace {

/// The function `f` of a piece of code.
class Asked {
public:
  explicit Asked(const std::string &Code, BudgetLimits Limits = {})
      : A(Code, std::move(Limits)), Known(A.unit()), F(A.function("f")) {}

  /// The last store to the variable.
  unsigned store(llvm::StringRef Name) const {
    PlaceId P = F.Facts->Places.find(A.variable("f", Name), NoId);
    unsigned Last = NoId;
    for (unsigned I = 0; I < F.Facts->Events.size(); ++I)
      if (F.Facts->Events[I].Kind == EventKind::Store && F.Facts->Events[I].Place == P)
        Last = I;
    EXPECT_NE(Last, unsigned(NoId)) << "nothing is stored in " << Name.str();
    return Last;
  }

  /// Whether the op that makes what is stored in the variable is the last to read its input.
  Sole lastUse(llvm::StringRef Result) {
    ValueId V = F.Facts->Events[store(Result)].Val;
    for (unsigned I = 0; I < F.Facts->Events.size(); ++I)
      if (F.Facts->Events[I].Kind == EventKind::Compute && F.Facts->Events[I].Val == V)
        return Known.isLastUse(F, I, F.Facts->Values[V].Inputs.front());
    ADD_FAILURE() << Result.str() << " is not computed";
    return Sole::No;
  }

  Analyzed A;
  Handles Known;
  const FunctionUnit &F;
};

TEST(LastUse, IsOfATemporaryBehindCopies) {
  Asked Q("void f(torch::Device d) { auto x = torch::ones({2}).to(d); auto y = x + 1; }");
  EXPECT_EQ(Q.lastUse("y"), Sole::Yes);
}

TEST(LastUse, IsNoneWhileAnotherHandleIsRead) {
  Asked Q(R"(void f(torch::Device d) {
    auto a = torch::ones({2}); auto x = a.to(d); auto y = x + 1; a.sum(); })");
  EXPECT_EQ(Q.lastUse("y"), Sole::No);
}

TEST(LastUse, IsNoneOfWhatAnotherKeeps) {
  auto LastUse = [](const std::string &Event) {
    return Asked("void f(Tensor w, torch::Device d) { auto x = torch::ones({2}).to(d); " + Event +
                 " auto y = x + 1; }")
        .lastUse("y");
  };
  EXPECT_EQ(LastUse("x.sum();"), Sole::Yes);
  EXPECT_EQ(LastUse("w.register_hook([x](Tensor g) { return g * x; });"), Sole::No);
  EXPECT_EQ(LastUse("w.mutable_grad() = x;"), Sole::No);
  EXPECT_EQ(LastUse("torch::optim::SGD o({x}, 0.1);"), Sole::No);
}

TEST(LastUse, LooksAtPathsNotAtTheOrderOfTheSource) {
  Asked Q(R"(void f(bool c) {
    auto x = torch::ones({2}); Tensor y;
    if (c) y = x + 1; else x.sum(); })");
  EXPECT_EQ(Q.lastUse("y"), Sole::Yes);
  Asked InLoop(R"(void f() {
    auto x = torch::ones({2}); Tensor y;
    for (int i = 0; i < 3; ++i) { y = x + 1; } })");
  EXPECT_EQ(InLoop.lastUse("y"), Sole::No);
}

TEST(LastUse, OfAParameterIsAQuestionToAllCallers) {
  constexpr const char *Function = "void f(Tensor x) { auto y = x + 1; }";
  EXPECT_EQ(Asked(Function).lastUse("y"), Sole::No) << "nobody in view calls it";
  EXPECT_EQ(
      Asked(std::string("static ") + Function + "void g() { f(torch::ones({2})); }").lastUse("y"),
      Sole::Yes);
  EXPECT_EQ(Asked(std::string(Function) + "void g() { f(torch::ones({2})); }").lastUse("y"),
            Sole::InView);
  EXPECT_EQ(Asked(std::string("static ") + Function +
                  "void g() { auto a = torch::ones({2}); f(a); f(std::move(a)); }")
                .lastUse("y"),
            Sole::No);
}

TEST(LastUse, IsUnknownOverTheBudget) {
  constexpr const char *Code = "void f() { auto x = torch::ones({2}); auto y = x + 1; }";
  EXPECT_EQ(Asked(Code).lastUse("y"), Sole::Yes);
  Asked Q(Code);
  BudgetUse Used;
  const BudgetLimits None{{Budget::StoreVisits, 0}};
  BudgetRecorder Recorder(Used, None);
  EXPECT_EQ(Q.lastUse("y"), Sole::No);
  EXPECT_EQ(Used, (BudgetUse{{Budget::StoreVisits, {"f"}}}));
}

TEST(LastUse, IsUnknownOfAFunctionThatCallsItself) {
  Asked Q(R"(Tensor f(int n) {
    auto x = n ? f(n - 1) : torch::ones({2}); auto y = x + 1; return y; })");
  EXPECT_EQ(Q.lastUse("y"), Sole::No);
}

TEST(Allocations, AreTheLargestOfTheCallsInView) {
  Asked Q(R"(
    static Tensor small() { return torch::ones({2}); }
    static Tensor large() { small(); return torch::ones({1024}); }
    void f() { auto x = large(); })");
  EXPECT_EQ(Q.Known.largestAllocation(*Q.A.function("small").Facts->Function), 8);
  EXPECT_EQ(Q.Known.largestAllocation(*Q.A.function("large").Facts->Function), 4096);
  EXPECT_EQ(Q.Known.largestAllocation(*Q.F.Facts->Function), 4096);
}

TEST(Sizes, OfParametersComeFromTheCallsInView) {
  Analyzed A(R"(
    static void f(Tensor x, Tensor y) { auto z = x + 1; auto w = y + 1; }
    void g() { f(torch::ones({4, 4}), torch::ones({2})); f(torch::ones({4, 4}), torch::ones({3})); }
  )");
  const FunctionUnit &F = A.function("f");
  const StateResult &State = A.unit().stateInCalls(F);
  std::vector<std::optional<int64_t>> Bytes;
  for (const Event &E : F.Facts->Events)
    if (E.Kind == EventKind::Compute)
      Bytes.push_back(State.Values[E.Val].Type.bytes());
  EXPECT_EQ(Bytes, (std::vector<std::optional<int64_t>>{64, std::nullopt})) << "the calls differ";
}

TEST(Sizes, OfMembersComeFromTheConstructionsInView) {
  constexpr const char *Class = R"(
    struct Net { Net(int hidden) : bias(torch::zeros({hidden, 4})) {} Tensor bias; };)";
  auto BytesOf = [](const std::string &Code) {
    Analyzed A(Code);
    const FunctionUnit &F = A.function("Net");
    for (unsigned I = 0; I < F.Facts->Events.size(); ++I)
      if (F.Facts->Events[I].Kind == EventKind::Store)
        return F.State.AtEvent[I].Info.Type.bytes();
    return std::optional<int64_t>(-1);
  };
  EXPECT_EQ(BytesOf(std::string(Class) + "void f() { Net a(8), b(8); }"), 128);
  EXPECT_EQ(BytesOf(std::string(Class) + "void f() { Net a(8), b(9); }"), std::nullopt);
  EXPECT_EQ(BytesOf(Class), std::nullopt);
}

} // namespace
