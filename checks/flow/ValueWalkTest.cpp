//===-- ValueWalkTest.cpp - What a value is computed from -----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/flow/ValueWalk.h"

#include "checks/flow/Analyzed.h"
#include <set>

using namespace clang;
using namespace tensorleak;

namespace {

using Names = std::set<std::string>;
using Next = ValueWalk::Next;
using Variables = ValueWalk::Variables;
using Answer = ValueWalk::Answer;

/// The function `f` of a piece of code.
class Walked {
public:
  explicit Walked(const std::string &Code, BudgetLimits Limits = {})
      : A(Code, std::move(Limits)), Facts(*A.function("f").Facts) {}

  PlaceId place(llvm::StringRef Name) const {
    return Facts.Places.find(A.variable("f", Name), NoId);
  }

  /// The event of the store to the variable with that number, from 0 on.
  unsigned store(llvm::StringRef Name, unsigned Number = 0) const {
    for (unsigned I = 0; I < Facts.Events.size(); ++I)
      if (Facts.Events[I].Kind == EventKind::Store && Facts.Events[I].Place == place(Name) &&
          Number-- == 0)
        return I;
    ADD_FAILURE() << "no such store to " << Name.str();
    return 0;
  }
  ValueId stored(llvm::StringRef Name, unsigned Number = 0) const {
    return Facts.Events[store(Name, Number)].Val;
  }

  /// The variables that \p Walk sees read behind \p V.
  Names reads(ValueWalk Walk, ValueId V) const {
    Names Read;
    Walk.any(V, [&](ValueId Part, unsigned) {
      const Value &Val = Facts.Values[Part];
      if (Val.From == Source::Load && Facts.Places[Val.Loaded].Decl)
        Read.insert(Facts.Places[Val.Loaded].Decl->getNameAsString());
      return Next::Into;
    });
    return Read;
  }

  Analyzed A;
  const FunctionFacts &Facts;
};

constexpr const char *Chain = R"(void f(Tensor a, Tensor b, Tensor c) {
  Tensor x = a;
  Tensor y = (x + b) * c;
  x = b;
  Tensor z = x + 1;
})";

TEST(ValueWalk, StaysInTheExpression) {
  Walked W(Chain);
  EXPECT_EQ(W.reads(ValueWalk(W.Facts), W.stored("y")), (Names{"x", "b", "c"}));
}

TEST(ValueWalk, GoesThroughAllWritesOfAVariable) {
  Walked W("void f(Tensor a, Tensor b) { Tensor x = a; Tensor z = x + 1; x = b; }");
  EXPECT_EQ(W.reads(ValueWalk(W.Facts, Variables::AllWrites), W.stored("z")),
            (Names{"x", "a", "b"}));
}

TEST(ValueWalk, GoesThroughWhatWasStoredLast) {
  Walked W(Chain);
  auto Behind = [&](llvm::StringRef Name) {
    ValueWalk Walk(W.Facts, Variables::Earlier);
    return W.reads(Walk.before(W.store(Name)), W.stored(Name));
  };
  EXPECT_EQ(Behind("y"), (Names{"x", "a", "b", "c"}));
  EXPECT_EQ(Behind("z"), (Names{"x", "b"})) << "and not through what was there before";
}

TEST(ValueWalk, SeesWhatWasAddedSinceTheLastStore) {
  Walked W("void f(Tensor a, Tensor b, Tensor c) {"
           "  Tensor x = c; x.add_(c); x = a; x.add_(b); Tensor y = x + 1; }");
  ValueWalk Walk(W.Facts, Variables::Earlier);
  EXPECT_EQ(W.reads(Walk.before(W.store("y")), W.stored("y")), (Names{"x", "a", "b"}));
}

TEST(ValueWalk, EndsWhereTheGraphEnds) {
  Walked W("void f(Tensor a, Tensor b) { Tensor x = a.detach() + b; }");
  EXPECT_EQ(W.reads(ValueWalk(W.Facts), W.stored("x")), (Names{"a", "b"}));
  EXPECT_EQ(W.reads(ValueWalk(W.Facts).alongGraph(), W.stored("x")), (Names{"b"}));
}

TEST(ValueWalk, StaysWithinALoop) {
  Walked W("void f(Tensor a, Tensor b) { Tensor x = a;"
           "  for (int i = 0; i < 3; ++i) { Tensor y = x + 1; x = b; } }");
  ValueWalk All(W.Facts, Variables::AllWrites);
  EXPECT_EQ(W.reads(All, W.stored("y")), (Names{"x", "a", "b"}));
  LoopId L = W.Facts.Events[W.store("y")].InLoop;
  EXPECT_EQ(W.reads(All.within(L), W.stored("y")), (Names{"x", "b"}));
}

TEST(ValueWalk, LeavesOutWhatIsWrittenInPlace) {
  Walked W("void f(Tensor a, Tensor b) { Tensor x = a; x.copy_(b); Tensor y = x + 1; }");
  ValueWalk All(W.Facts, Variables::AllWrites);
  EXPECT_EQ(W.reads(All, W.stored("y")), (Names{"x", "a", "b"}));
  EXPECT_EQ(W.reads(All.keptOnly(), W.stored("y")), (Names{"x", "a"}));
}

TEST(ValueWalk, DoesWhatTheVisitorSays) {
  Walked W("void f(Tensor a, Tensor b, Tensor c) { Tensor x = (a + b) * c; }");
  auto Behind = [&](Next AtOps) {
    Names Read;
    ValueWalk(W.Facts).any(W.stored("x"), [&](ValueId V, unsigned) {
      const Value &Val = W.Facts.Values[V];
      if (Val.From != Source::Load)
        return AtOps;
      Read.insert(W.Facts.Places[Val.Loaded].Decl->getNameAsString());
      return Next::Into;
    });
    return Read;
  };
  EXPECT_EQ(Behind(Next::Into), (Names{"a", "b", "c"}));
  EXPECT_EQ(Behind(Next::Self), (Names{"a"}));
  EXPECT_EQ(Behind(Next::Past), (Names{}));
  EXPECT_EQ(Behind(Next::Found), (Names{}));
}

TEST(ValueWalk, VisitsInTheOrderOfEvaluation) {
  Walked W("void f(Tensor a, Tensor b, Tensor c) { Tensor x = (a + b) * c; }");
  std::string Order;
  ValueWalk(W.Facts).any(W.stored("x"), [&](ValueId V, unsigned) {
    const Value &Val = W.Facts.Values[V];
    if (Val.From == Source::Load)
      Order += W.Facts.Places[Val.Loaded].Decl->getNameAsString();
    return Next::Into;
  });
  EXPECT_EQ(Order, "abc");
}

TEST(ValueWalk, LooksAtEachValueOnceInACycle) {
  Walked W("void f(Tensor a) { Tensor x = a;"
           "  for (int i = 0; i < 3; ++i) { x = x + 1; x = x * x; } }");
  unsigned Visits = 0;
  ValueWalk Walk(W.Facts, Variables::AllWrites);
  EXPECT_EQ(Walk.any(W.stored("x", 2),
                     [&](ValueId, unsigned) {
                       ++Visits;
                       return Next::Into;
                     }),
            Answer::No);
  EXPECT_LE(Visits, W.Facts.Values.size());
}

//===-- Over the budget ---------------------------------------------------===//

/// What is asked of the walks where they may look at two values only.
constexpr const char *Long = R"(
  void f(Tensor a, Tensor b, Tensor unused) {
    Tensor own = torch::zeros({4});
    Tensor x = torch::zeros({4});
    Tensor y = a + b + a + b;
    for (int i = 0; i < 3; ++i) x = a + b + a + b + x;
    Tensor view = (y + 1) + (y + 2);
  })";

TEST(ValueWalk, IsUnknownOverTheBudget) {
  Walked W(Long);
  BudgetUse Used;
  const BudgetLimits Two{{Budget::WalkSteps, 2}};
  BudgetRecorder Recorder(Used, Two);
  FunctionAtHand Here(*W.Facts.Function);
  auto Goes = [](ValueId, unsigned) { return Next::Into; };
  EXPECT_EQ(ValueWalk(W.Facts).any(W.stored("y"), Goes), Answer::Unknown);
  EXPECT_EQ(ValueWalk(W.Facts).any(W.stored("own"), Goes), Answer::No) << "one value";
  EXPECT_EQ(Used, (BudgetUse{{Budget::WalkSteps, {"f"}}}));
}

TEST(ValueWalk, OverTheBudgetAnswersKeepSilent) {
  Walked W(Long);
  ValueId X = W.stored("x", 1), Y = W.stored("y");
  LoopId L = W.Facts.Events[W.store("x", 1)].InLoop;
  auto HasX = [&] { return dependsOnItself(W.Facts, X, W.place("x"), L, true); };
  auto WasRun = [&] { return wasRunBackward(W.Facts, {Y}, NoId); };
  EXPECT_TRUE(HasX());
  EXPECT_FALSE(WasRun());
  EXPECT_EQ(parametersBehind(W.Facts, Y).size(), 2u);

  BudgetUse Used;
  const BudgetLimits None{{Budget::WalkSteps, 0}};
  BudgetRecorder Recorder(Used, None);
  EXPECT_FALSE(HasX()) << "what depends on itself is reported";
  EXPECT_TRUE(WasRun()) << "what was run holds no activations";
  EXPECT_EQ(parametersBehind(W.Facts, Y).size(), 3u) << "callers take all of them into account";
}

//===-- Functions that go over a budget -----------------------------------===//

constexpr const char *Loop = R"(void f(torch::nn::Linear net, Tensor a) {
  Tensor x;
  for (int i = 0; i < 3; ++i) { x = net->forward(a); x.backward(); }
  x = a;
  Tensor y = x;
})";

TEST(Budgets, AFunctionWithoutAStateIsNotAnalysed) {
  Analyzed A(std::string("void g() {}\n") + Loop, {{Budget::StateVisits, 1}});
  ASSERT_EQ(A.unit().functions().size(), 1u);
  EXPECT_EQ(A.unit().functions().front().Facts->Function->getName(), "g");
  EXPECT_EQ(A.stats().OverBudget, (BudgetUse{{Budget::StateVisits, {"f"}}}));
}

TEST(Budgets, WithoutReachingStoresEachVariableIsOne) {
  EXPECT_EQ(Analyzed(Loop).fatesOfStores("f", "x").back() & ReachesBackward, 0);
  Analyzed A(Loop, {{Budget::StoreVisits, 1}});
  EXPECT_EQ(A.fatesOfStores("f", "x").back() & ReachesBackward, ReachesBackward);
  EXPECT_EQ(A.stats().OverBudget, (BudgetUse{{Budget::StoreVisits, {"f"}}}));
}

TEST(Budgets, ASummaryIsWholeOrNone) {
  constexpr const char *Code = R"(
    struct S { std::vector<Tensor> kept; };
    void helper(S &s, Tensor t) { s.kept.clear(); s.kept.push_back(t); }
    void f(S &s, Tensor t) { helper(s, t); })";
  EXPECT_EQ(Analyzed(Code).count("f", EventKind::Shrink), 1u);
  Analyzed A(Code, {{Budget::SummaryEffects, 1}});
  EXPECT_EQ(A.count("f", EventKind::Grow), 0u) << "what grows may be cleared too";
  EXPECT_EQ(A.count("f", EventKind::Unknown), 1u);
  EXPECT_EQ(A.stats().OverBudget, (BudgetUse{{Budget::SummaryEffects, {"helper"}}}));
}

TEST(Budgets, EqualEffectsOfAHelperCountOnce) {
  Analyzed A(R"(
    struct S { std::vector<Tensor> kept; };
    void helper(S &s) { s.kept.clear(); }
    void twice(S &s) { helper(s); helper(s); }
    void f(S &s) { twice(s); })");
  EXPECT_EQ(A.count("twice", EventKind::Shrink), 2u);
  EXPECT_EQ(A.count("f", EventKind::Shrink), 1u);
}

} // namespace
