//===-- DataflowTest.cpp - The driver of the dataflows --------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/flow/Dataflow.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include <gtest/gtest.h>
#include <set>

using namespace clang;
using namespace tensorleak;

namespace {

/// A function `f` with its control-flow graph.
class Graph {
public:
  explicit Graph(const std::string &Body)
      : Ast(tooling::buildASTFromCodeWithArgs(
            "void a(); void b(); void c(); void f(bool x) {" + Body + "}", {"-std=c++17"})) {
    for (auto It = Ast->top_level_begin(); It != Ast->top_level_end(); ++It)
      if (const FunctionDecl *D = (*It)->getAsFunction(); D && D->hasBody())
        F = D;
    CFG::BuildOptions Options;
    Options.PruneTriviallyFalseEdges = false;
    Options.setAllAlwaysAdd();
    Cfg = CFG::buildCFG(F, F->getBody(), &Ast->getASTContext(), Options);
  }

  const FunctionDecl *F = nullptr;
  std::unique_ptr<CFG> Cfg;

private:
  std::unique_ptr<ASTUnit> Ast;
};

using Names = std::set<std::string>;

/// What may have been called on the way. \p Derived may know of branches.
template <class Derived> class Calls : public ForwardDataflow<Derived, Names> {
public:
  using ForwardDataflow<Derived, Names>::ForwardDataflow;

  void transfer(const CFGBlock &Block, Names &S) {
    ++Transfers;
    for (const CFGElement &Element : Block)
      if (auto Stmt = Element.getAs<CFGStmt>())
        if (const auto *Call = dyn_cast<CallExpr>(Stmt->getStmt()))
          S.insert(Call->getDirectCallee()->getNameAsString());
  }
  bool join(Names &Into, const Names &From) {
    size_t Before = Into.size();
    Into.insert(From.begin(), From.end());
    return Into.size() != Before;
  }

  /// Before the block that calls \p Name; nothing where it is not reached.
  std::optional<Names> before(const std::string &Name) {
    std::optional<Names> Found;
    this->forEachReached([&](const CFGBlock &Block, const Names &S) {
      Names Own;
      transfer(Block, Own);
      if (Own.count(Name))
        Found = S;
    });
    return Found;
  }

  unsigned Transfers = 0;
};

class MayCall : public Calls<MayCall> {
public:
  using Calls::Calls;
};

/// Takes a condition that is a literal at its word.
class MayCallOnPath : public Calls<MayCallOnPath> {
public:
  using Calls::Calls;

  bool refine(const CFGBlock &Block, unsigned Successor, Names &S) {
    const auto *Bool = dyn_cast_or_null<CXXBoolLiteralExpr>(Block.getLastCondition());
    if (!Bool)
      return true;
    S.insert(Successor == 0 ? "then" : "else");
    return Bool->getValue() == (Successor == 0);
  }
};

TEST(Dataflow, JoinsTheBranches) {
  Graph G("if (x) a(); else b(); c();");
  MayCall Flow(*G.Cfg);
  ASSERT_TRUE(Flow.solve({}, Budget::StateVisits));
  EXPECT_EQ(Flow.before("c"), (Names{"a", "b"}));
}

TEST(Dataflow, BringsRoundALoopWhatItsEndDoes) {
  Graph G("a(); while (x) { b(); if (x) c(); }");
  MayCall Flow(*G.Cfg);
  ASSERT_TRUE(Flow.solve({}, Budget::StateVisits));
  EXPECT_EQ(Flow.before("b"), (Names{"a", "b", "c"})) << "c of the round before";
  EXPECT_EQ(Flow.before("a"), Names());
}

TEST(Dataflow, LooksAtABlockOnceWhereNothingIsNew) {
  Graph G("a(); if (x) b(); c();");
  MayCall Flow(*G.Cfg);
  ASSERT_TRUE(Flow.solve({}, Budget::StateVisits));
  EXPECT_EQ(Flow.Transfers, G.Cfg->getNumBlockIDs()) << "each after all that leads to it";
}

TEST(Dataflow, StartsWithWhatHoldsAtTheEntry) {
  Graph G("a();");
  MayCall Flow(*G.Cfg);
  ASSERT_TRUE(Flow.solve({"before"}, Budget::StateVisits));
  EXPECT_EQ(Flow.before("a"), (Names{"before"}));
}

TEST(Dataflow, BranchesAddWhatTheyTellAndMayNeverBeTaken) {
  Graph G("if (true) a(); else b(); c();");
  MayCallOnPath Flow(*G.Cfg);
  ASSERT_TRUE(Flow.solve({}, Budget::StateVisits));
  EXPECT_EQ(Flow.before("b"), std::nullopt) << "no path leads there";
  EXPECT_EQ(Flow.before("c"), (Names{"a", "then"}));
}

/// Never comes to an end in a loop.
class Counter : public ForwardDataflow<Counter, unsigned> {
public:
  using ForwardDataflow::ForwardDataflow;
  void transfer(const CFGBlock &, unsigned &S) { ++S; }
  bool join(unsigned &Into, unsigned From) {
    bool IsNew = From > Into;
    Into = std::max(Into, From);
    return IsNew;
  }
};

TEST(Dataflow, KnowsNothingWhereItDidNotConverge) {
  Graph G("while (x) a();");
  BudgetUse Used;
  BudgetRecorder Recorder(Used);
  FunctionAtHand Here(*G.F);
  Counter Flow(*G.Cfg);
  EXPECT_FALSE(Flow.solve(0, Budget::StateVisits));
  unsigned Reached = 0;
  Flow.forEachReached([&](const CFGBlock &, unsigned) { ++Reached; });
  EXPECT_EQ(Reached, 0u);
  EXPECT_EQ(Used, (BudgetUse{{Budget::StateVisits, {"f"}}}));
}

TEST(Dataflow, ConvergesWithoutALoop) {
  Graph G("if (x) a(); else b(); c();");
  BudgetUse Used;
  BudgetRecorder Recorder(Used);
  EXPECT_TRUE(Counter(*G.Cfg).solve(0, Budget::StateVisits));
  EXPECT_TRUE(Used.empty());
}

TEST(Budgets, CountForTheFunctionAtHandAndTheInnermostRecorder) {
  Graph G("");
  const BudgetLimits Limits{{Budget::WalkSteps, 3}};
  BudgetUse Outer, Inner;
  BudgetRecorder First(Outer);
  {
    BudgetRecorder Second(Inner, Limits);
    EXPECT_FALSE(isOver(Budget::WalkSteps, 3));
    EXPECT_TRUE(isOver(Budget::WalkSteps, 4));
    FunctionAtHand Here(*G.F);
    EXPECT_TRUE(isOver(Budget::WalkSteps, 4));
  }
  EXPECT_FALSE(isOver(Budget::WalkSteps, 4)) << "the limit was the inner one's";
  EXPECT_EQ(Inner, (BudgetUse{{Budget::WalkSteps, {"", "f"}}}));
  EXPECT_TRUE(Outer.empty());
}

TEST(Budgets, DoNotCountWhatAWordMeans) {
  BudgetUse Used;
  BudgetRecorder Recorder(Used);
  EXPECT_TRUE(isOver(Budget::NestedModules, 9));
  EXPECT_TRUE(Used.empty());
}

} // namespace
