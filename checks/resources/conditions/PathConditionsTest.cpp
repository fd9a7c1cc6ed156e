//===-- PathConditionsTest.cpp - What can hold together, and where ---------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asserts under which conditions the blocks of small functions run; what follows for
// resources is tested in ResourceTest and test/checks.
//
//===----------------------------------------------------------------------===//
#include "checks/resources/conditions/Guards.h"
#include "checks/resources/facts/MemberWrites.h"

#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/ASTMatchers/ASTMatchers.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include <gtest/gtest.h>

using namespace clang;
using namespace tensorleak;

namespace {

class Analyzed {
public:
  explicit Analyzed(const std::string &Body)
      : Ast(tooling::buildASTFromCodeWithArgs(
            "void at(int); bool ask(); int number(); void change(int *);\n" + Body,
            {"-std=c++17"})) {
    using namespace ast_matchers;
    Facts.Function = selectFirst<FunctionDecl>(
        "f", match(functionDecl(hasName("f"), isDefinition()).bind("f"), Ast->getASTContext()));
    CFG::BuildOptions Options;
    Options.PruneTriviallyFalseEdges = false;
    Options.setAllAlwaysAdd();
    Cfg = CFG::buildCFG(Facts.Function, Facts.Function->getBody(), &Ast->getASTContext(), Options);
    Facts.Cfg = Cfg.get();
    Facts.Writes = &Writes;
    Facts.Blocks.resize(Cfg->getNumBlockIDs());
    Paths = std::make_unique<PathConditions>(Facts);
  }

  /// Of the block that calls at(\p Number).
  const CFGBlock *block(int64_t Number) const {
    for (const CFGBlock *Block : *Cfg)
      for (const CFGElement &Element : *Block) {
        auto S = Element.getAs<CFGStmt>();
        const auto *Call = S ? dyn_cast<CallExpr>(S->getStmt()) : nullptr;
        if (Call && Call->getNumArgs() == 1)
          if (const auto *N = dyn_cast<IntegerLiteral>(Call->getArg(0));
              N && N->getValue() == Number)
            return Block;
      }
    return nullptr;
  }

  bool isPassage(int64_t Number) const { return Paths->passages().isPassage(*block(Number)); }
  Conditions at(int64_t Number) const { return Paths->at(*block(Number)); }
  Logic &logic() const { return Paths->logic(); }

  bool canBoth(int64_t A, int64_t B) const {
    Conditions Together = at(A);
    Together.append(at(B));
    return logic().arePossible(Together) != Answer::No;
  }
  bool implies(int64_t A, int64_t B) const {
    Conditions Together = at(A);
    Together.push_back(logic().no(logic().all(at(B))));
    return logic().arePossible(Together) == Answer::No;
  }

private:
  std::unique_ptr<ASTUnit> Ast;
  std::unique_ptr<CFG> Cfg;
  MemberWrites Writes;
  ResourceFacts Facts;
  std::unique_ptr<PathConditions> Paths;
};

TEST(PathConditions, AreTheSameHoweverTheyAreSpelled) {
  Analyzed A("void f(int n) { if (n > 0) at(1); if (0 < n) at(2); if (!(n <= 0)) at(3);"
             "  if (n >= 1 && n != 0) at(4); if (n - 1 >= 0) at(5); }");
  for (int I = 2; I <= 5; ++I) {
    EXPECT_TRUE(A.implies(1, I)) << I;
    EXPECT_TRUE(A.implies(I, 1)) << I;
  }
}

TEST(PathConditions, KnowWhatHelpersReplyToZeroAndToOthers) {
  Analyzed A("void log(int); bool failed(int e) { if (e) { log(e); return true; } return false; }"
             "bool succeeded(int e) { bool ok = e == 0; if (!ok) log(e); return ok; }"
             "int negated(int e) { if (e == 0) return 0; if (ask()) throw 1; return -1; }"
             "int once(int e) { do { if (e == 0) return 7; } while (0); return e; }"
             "bool sometimes(int e) { if (e && ask()) return false; return true; }"
             "bool written(int e) { e = number(); if (e) return true; return false; }"
             "bool pong(int e); bool ping(int e) { if (e == 7) return pong(e); return pong(e); }"
             "bool pong(int e) { if (!e) return false; return ping(e) || ask(); }"
             "bool wrapped(int e, int line) { return failed(e); }"
             "void f(int n) { if (n) at(1); if (failed(n)) at(2);"
             "  if (!succeeded(n)) at(3); if (negated(n) < 0) at(4); if (once(n) != 7) at(5);"
             "  if (!sometimes(n)) at(6); if (written(n)) at(7); if (ping(n)) at(8);"
             "  if (wrapped(n, 3)) at(9); }");
  for (int I = 2; I <= 4; ++I) {
    EXPECT_TRUE(A.implies(1, I)) << I;
    EXPECT_TRUE(A.implies(I, 1)) << I;
  }
  EXPECT_TRUE(A.implies(5, 1)); // and not the other way: n may be 7
  EXPECT_FALSE(A.implies(1, 6));
  EXPECT_FALSE(A.implies(7, 1));
  EXPECT_FALSE(A.implies(1, 8));
  EXPECT_TRUE(A.implies(9, 1) && A.implies(1, 9));
}

TEST(PathConditions, KnowIntegers) {
  Analyzed A("void f(int n, unsigned u, bool b) { if (n > 4) at(1); if (n > 0) at(2);"
             "  if (n == 3) at(3); if (u != 0) at(4); if (u > 0) at(5); if (b == true) at(6);"
             "  if (b) at(7); }");
  EXPECT_TRUE(A.implies(1, 2));
  EXPECT_FALSE(A.implies(2, 1));
  EXPECT_FALSE(A.canBoth(1, 3));
  EXPECT_TRUE(A.canBoth(2, 3));
  EXPECT_TRUE(A.implies(4, 5));
  EXPECT_TRUE(A.implies(6, 7));
}

TEST(PathConditions, GoByTheValueThatAVariableHas) {
  Analyzed A("void f(int n) { if (n > 0) at(1); n = number(); if (n > 0) at(2); n = 3;"
             "  if (n > 2) at(3); int m = n + 1; if (m == 4) at(4); bool b = number() > 7;"
             "  if (b) at(5); if (!b) at(6); }");
  EXPECT_FALSE(A.implies(1, 2));
  EXPECT_TRUE(A.at(3).empty());
  EXPECT_TRUE(A.at(4).empty());
  EXPECT_FALSE(A.canBoth(5, 6));
}

TEST(PathConditions, FollowAFlagThroughItsBranches) {
  Analyzed A("void f(int n) { bool b = false; if (n > 4) { b = true; at(1); } if (b) at(2);"
             "  else at(3); }");
  EXPECT_TRUE(A.implies(1, 2));
  EXPECT_TRUE(A.implies(2, 1));
  EXPECT_FALSE(A.canBoth(1, 3));
}

TEST(PathConditions, ComeTogetherWhereWaysMeet) {
  Analyzed A("void f(int n) { if (n > 4) at(1); else at(2); at(3); if (n < 0) return; at(4); }");
  EXPECT_TRUE(A.at(3).empty());
  EXPECT_FALSE(A.canBoth(1, 2));
  EXPECT_TRUE(A.implies(1, 4));
}

TEST(PathConditions, KnowTheCasesOfASwitch) {
  Analyzed A("void f(int n) { switch (n) { case 1: at(1); break; case 2: at(2); break;"
             "  default: at(3); } if (n == 2) at(4); if (n > 2) at(5); at(6); }");
  EXPECT_FALSE(A.canBoth(1, 2));
  EXPECT_TRUE(A.implies(2, 4));
  EXPECT_TRUE(A.implies(5, 3));
  EXPECT_TRUE(A.at(6).empty());
}

TEST(PathConditions, LookIntoLambdasThatAreCalledAtOnce) {
  Analyzed A("void f(int n, int m) { if (n > 0) at(1); if ([&] { return bool(n > 0); }()) at(2);"
             "  if ([&] { return n > 0 && m > 0; }()) at(3); [&] { m = number(); m += 1; }();"
             "  if (n > 0) at(4); if (m > 0) at(5); }");
  EXPECT_TRUE(A.implies(1, 2));
  EXPECT_TRUE(A.implies(2, 1));
  EXPECT_TRUE(A.implies(3, 1));
  EXPECT_TRUE(A.implies(3, 4));
  EXPECT_FALSE(A.implies(3, 5));
}

TEST(PathConditions, AskEachCallAnew) {
  Analyzed A("void f(int n) { if (ask()) at(1); if (ask()) at(2); change(&n); if (n > 1) at(3);"
             "  change(&n); if (n > 1) at(4); }");
  EXPECT_FALSE(A.implies(1, 2));
  EXPECT_FALSE(A.implies(3, 4));
}

TEST(PathConditions, BelongToARound) {
  Analyzed A("void f(int n) { for (int i = 0; i < n; ++i) { if (i == 0) at(1); at(2); } at(3); }");
  auto Ended = [&](int64_t Number) {
    Conditions Out;
    for (Condition C : A.at(Number))
      A.logic().addParts(A.logic().ended(C, 0), Out);
    return Out;
  };
  Conditions Twice = Ended(1), Later = Ended(1);
  Twice.append(A.at(1));
  Later.append(A.at(2));
  EXPECT_EQ(A.logic().arePossible(Twice), Answer::No); // i is 0 in one round only
  EXPECT_EQ(A.logic().arePossible(Later), Answer::Yes);
}

TEST(PathConditions, KeepAFlagThatARoundHasSet) {
  Analyzed A("void f(int n) { bool first = true; while (ask()) {"
             "  if (first) { first = false; at(1); } } }");
  Conditions Twice = A.at(1);
  for (Condition C : A.at(1))
    A.logic().addParts(A.logic().ended(C, 0), Twice);
  EXPECT_EQ(A.logic().arePossible(Twice), Answer::No);
}

TEST(Logic, CountsWhatItCannotAfford) {
  Logic L;
  Condition Any = L.never();
  for (int I = 0; I < 300; ++I)
    Any = L.either(Any, L.isNegative(Linear::term(L.add({}))));
  EXPECT_EQ(L.arePossible({Any}), Answer::Unknown);
  EXPECT_EQ(L.undecided(), 1u);
  EXPECT_EQ(L.arePossible({Any}), Answer::Unknown); // the same question, which is not asked again
  EXPECT_EQ(L.undecided(), 1u);
}

TEST(Logic, ForgetsAnswersWhenItLearnsOfRounds) {
  Logic L;
  Term Counter;
  Counter.Loops = only(0);
  TermId I = L.add(Counter);
  Condition IsLess = L.isNegative(*Linear::term(I).plus(Linear::constant(5), -1));
  Condition WasNot = L.no(L.ended(IsLess, 0));
  EXPECT_EQ(L.arePossible({IsLess, WasNot}), Answer::Yes);
  L.setMonotone(I, 0, 1); // it rises: it was less too
  EXPECT_EQ(L.arePossible({IsLess, WasNot}), Answer::No);
}

TEST(Logic, GrantsWhatIsNotUnderstood) {
  Logic L;
  Term Opaque;
  Opaque.IsCertain = false;
  Condition Known = L.isNegative(Linear::term(L.add({})));
  Condition Unknown = L.isNegative(Linear::term(L.add(Opaque)));
  auto IsUncertain = [](const Term &T) { return !T.IsCertain; };
  EXPECT_EQ(L.without(L.both(Known, Unknown), IsUncertain), Known);
  EXPECT_EQ(L.without(L.both(Known, L.no(Unknown)), IsUncertain), Known);
  EXPECT_TRUE(L.without(L.either(Known, Unknown), IsUncertain)->isLiteral(true));
}

//===-- Where all ways pass -----------------------------------------------===//

TEST(Passages, LieOutsideOfBranchesAndLoops) {
  Analyzed A("void f(int n) { at(1); if (n > 7) at(2); at(3);\n"
             "  for (int i = 0; i < n; ++i) at(4);\n"
             "  at(5); while (n > 0) { if (ask()) return; at(6); --n; } at(7); }");
  EXPECT_TRUE(A.isPassage(1));
  EXPECT_FALSE(A.isPassage(2));
  EXPECT_TRUE(A.isPassage(3));
  EXPECT_FALSE(A.isPassage(4));
  EXPECT_TRUE(A.isPassage(5));
  EXPECT_FALSE(A.isPassage(6));
  EXPECT_TRUE(A.isPassage(7)); // a way out does not come back
}

TEST(Passages, WaysMeetAtTheEndOfTheFunction) {
  Analyzed A("void f(int n) { at(1); if (n > 7) at(2); }");
  EXPECT_TRUE(A.isPassage(1));
  EXPECT_FALSE(A.isPassage(2));
  Analyzed B("void f(int n) { at(1); if (n > 7) { at(2); return; } at(3); }");
  EXPECT_TRUE(B.isPassage(3));
}

TEST(Passages, NoneLiesBesideAJump) {
  Analyzed A("void f(int n) { if (n > 7) goto end; at(1); if (ask()) at(2); at(3); end: at(4); }");
  EXPECT_FALSE(A.isPassage(1));
  EXPECT_FALSE(A.isPassage(3));
  EXPECT_TRUE(A.isPassage(4));
}

TEST(Passages, WhatALoopCountedIsForgotten) {
  Analyzed A("void f(int n) { for (int i = 0; i < n; ++i) at(1); at(2); }");
  EXPECT_TRUE(A.at(2).empty());
}

TEST(Passages, WhatIsAskedLaterIsKept) {
  Analyzed A("void f(int n) { int i = 0; for (; i < n && n < 9; ++i) at(1); at(2);\n"
             "  int k = 0; for (; k < n; ++k) at(3); at(4); if (k == 3) at(5); }");
  EXPECT_EQ(A.at(4).size(), A.at(2).size() + 1);
}

/// `j` ends at `m` or below, and is not negative: so is `m` not.
TEST(Passages, WhatALoopSaysOfOthersIsKept) {
  Analyzed A("void f(unsigned n, int m) { for (unsigned j = n; int(j) > m; --j) at(1); at(2); }");
  Analyzed B("void f(int n, int m) { for (int j = n; j > m; --j) at(1); at(2); }");
  EXPECT_TRUE(B.at(2).empty());
  EXPECT_FALSE(A.at(2).empty());
}

//===-- Across calls ------------------------------------------------------===//

/// Whether `a` is known to be the same behind \p Call of a method as before it.
bool isKeptBy(const std::string &Call, const std::string &Others = "") {
  Analyzed A("struct Part { int a; }; struct Base { virtual ~Base() {} }; void inc(int &n) { ++n; "
             "} int twice(int n) { return 2 * n; }\n" +
             Others + "\nstruct S { int a, b; Part part;\n" +
             "  void setB() { b = 1; } void setA() { a = 1; } void deep() { setB(); setA(); }\n"
             "  void loop(int n) { if (n) { setB(); loop(n - 1); } }\n"
             "  void byReference() { inc(a); } void byAddress() { int *p = &a; *p = 3; }\n"
             "  void byCopy() { twice(a); } void byPart() { part.a = 3; }\n"
             "  void whole() { *this = S(); } void inLambda() { [this] { a = 2; }(); }\n"
             "  void unseen(); virtual void some() {} void callsSome() { some(); }\n"
             "  void byPointer(void (*g)()) { g(); }\n"
             "  struct Ends { S *s; ~Ends() { s->a = 0; } }; void atEnd() { Ends e{this}; }\n"
             "  template <class T> struct Both : Ends { T t; }; void atEndOfBase() { Both<int> "
             "b{{this}, 3}; }\n"
             "  Base *base; void byDelete() { delete base; }\n"
             "  void f() { const bool was = a > 2; " +
             Call + "; const bool is = a > 2; if (was) at(1); if (is) at(2); } };");
  return A.implies(1, 2) && A.implies(2, 1);
}

TEST(AcrossCalls, MembersThatNobodyWritesAreKept) {
  for (const char *Call : {"setB()", "loop(3)", "byCopy()", "byPart()"})
    EXPECT_TRUE(isKeptBy(Call)) << Call;
}

TEST(AcrossCalls, MembersThatSomeoneWritesAreNot) {
  for (const char *Call : {"setA()", "deep()", "byReference()", "byAddress()", "whole()",
                           "inLambda()", "atEnd()", "atEndOfBase()"})
    EXPECT_FALSE(isKeptBy(Call)) << Call;
}

/// Each function names the last declaration before it.
TEST(AcrossCalls, VariablesThatAreDeclaredTwiceAreTheSame) {
  Analyzed A("extern int a; void setA() { a = 1; } int a;\n"
             "void f() { const bool was = a > 2; setA(); const bool is = a > 2;\n"
             "  if (was) at(1); if (is) at(2); }");
  EXPECT_FALSE(A.implies(1, 2));
}

TEST(AcrossCalls, WhatIsNotSeenMayWriteAll) {
  for (const char *Call : {"unseen()", "some()", "callsSome()", "byPointer(nullptr)", "byDelete()"})
    EXPECT_FALSE(isKeptBy(Call)) << Call;
}

} // namespace
