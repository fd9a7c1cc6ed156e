//===-- WaysTest.cpp - Ways through functions, and what callers hear -------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/facts/Ways.h"

#include "checks/flow/Analyzed.h"
#include "checks/rules/retained-activation/Restarts.h"

using namespace clang;
using namespace tensorleak;

namespace {

/// The event of kind \p K, the \p Number-th in the order of the facts.
unsigned event(const FunctionFacts &Facts, EventKind K, unsigned Number = 0) {
  for (unsigned I = 0; I < Facts.Events.size(); ++I)
    if (Facts.Events[I].Kind == K && !Facts.Events[I].Declares && Number-- == 0)
      return I;
  ADD_FAILURE() << "no such event";
  return 0;
}

bool isUnconditional(const std::string &Body) {
  Analyzed A("void f(std::vector<Tensor> &list, Tensor x, bool b, int n) {" + Body + "}");
  const FunctionFacts &Facts = *A.function("f").Facts;
  return isUnconditional(Facts, event(Facts, EventKind::Grow));
}

TEST(Ways, AreAllOrSome) {
  EXPECT_TRUE(isUnconditional("list.push_back(x);"));
  EXPECT_TRUE(isUnconditional("for (int i = 0; i < n; ++i) list.push_back(x);"));
  EXPECT_TRUE(isUnconditional("do { list.push_back(x); } while (b);"));
  EXPECT_TRUE(isUnconditional("if (b) n = 2; list.push_back(x);"));
  EXPECT_FALSE(isUnconditional("if (b) list.push_back(x);"));
  EXPECT_FALSE(isUnconditional("if (b) return; list.push_back(x);"));
  EXPECT_FALSE(isUnconditional("for (int i = 0; i < n; ++i) if (b) list.push_back(x);"));
  EXPECT_FALSE(isUnconditional("if (b) for (int i = 0; i < n; ++i) list.push_back(x);"));
}

bool clearLeadsToGrowth(const std::string &Body) {
  Analyzed A("void f(std::vector<Tensor> &list, Tensor x, bool b, int n) {" + Body + "}");
  const FunctionFacts &Facts = *A.function("f").Facts;
  return leadsTo(Facts, event(Facts, EventKind::Shrink), event(Facts, EventKind::Grow));
}

TEST(Ways, LeadFromOneEventToAnother) {
  EXPECT_TRUE(clearLeadsToGrowth("list.clear(); list.push_back(x);"));
  EXPECT_FALSE(clearLeadsToGrowth("list.push_back(x); list.clear();"));
  EXPECT_TRUE(clearLeadsToGrowth("while (b) { list.push_back(x); list.clear(); }"));
  EXPECT_FALSE(
      clearLeadsToGrowth("while (b) { list.push_back(x); if (n) { list.clear(); break; } }"));
}

bool clearExcludesGrowth(const std::string &Round) {
  Analyzed A("void f(std::vector<Tensor> &list, Tensor x, bool b, int n) { for (int i = 0; i < n; "
             "++i) {" +
             Round + "} }");
  const FunctionFacts &Facts = *A.function("f").Facts;
  return excludeEachOther(Facts, event(Facts, EventKind::Shrink), event(Facts, EventKind::Grow), 0);
}

TEST(Ways, OfOneRoundHaveOneEventOrBoth) {
  EXPECT_TRUE(clearExcludesGrowth("if (b) { list.clear(); continue; } list.push_back(x);"));
  EXPECT_TRUE(clearExcludesGrowth("if (b) list.clear(); else list.push_back(x);"));
  EXPECT_FALSE(clearExcludesGrowth("if (b) list.clear(); list.push_back(x);"));
  EXPECT_FALSE(clearExcludesGrowth("list.push_back(x); if (b) list.clear();"));
  EXPECT_FALSE(clearExcludesGrowth("list.clear(); list.push_back(x);"));
}

/// Of the first store in a loop: does it happen in one round only?
bool isInOneRound(const std::string &Body) {
  Analyzed A("void f(Tensor y, Tensor x, bool b, int n) {" + Body + "}");
  const FunctionFacts &Facts = *A.function("f").Facts;
  unsigned Store = event(Facts, EventKind::Store);
  return isInOneRound(Facts, Store, Facts.Events[Store].InLoop);
}

TEST(Rounds, AreTheFirstOrAny) {
  EXPECT_TRUE(isInOneRound("for (int i = 0; i < n; ++i) if (i == 0) y = x;"));
  EXPECT_TRUE(isInOneRound("bool first = true; while (b) { if (first) y = x; first = false; }"));
  EXPECT_FALSE(isInOneRound("for (int i = 0; i < n; ++i) if (i % 8 == 0) y = x;"));
  EXPECT_FALSE(isInOneRound("for (int i = 0; i < n; ++i) y = x;"));
  EXPECT_FALSE(isInOneRound("while (b) { bool first = true; if (first) y = x; first = false; }"));
}

bool holdsNothing(const std::string &Body) {
  Analyzed A("void f(Tensor x, bool b, int n) {" + Body + "}");
  const FunctionFacts &Facts = *A.function("f").Facts;
  unsigned Store = event(Facts, EventKind::Store);
  return holdsNothing(A.unit(), Facts, Store);
}

TEST(Emptiness, IsAskedOrKnown) {
  EXPECT_TRUE(holdsNothing("Tensor y; y = x;"));
  EXPECT_TRUE(holdsNothing("Tensor y = x; if (!y.defined()) y = x;"));
  EXPECT_TRUE(holdsNothing("Tensor y = x; if (y.defined()) { } else { y = x; }"));
  EXPECT_TRUE(holdsNothing("Tensor y = x; if (b && y.numel() == 0) y = x;"));
  EXPECT_FALSE(holdsNothing("Tensor y = x; y = x;"));
  EXPECT_FALSE(holdsNothing("Tensor y = x; if (!y.defined() || y.size(0) > 8) y = x;"));
  EXPECT_FALSE(holdsNothing("Tensor y; for (int i = 0; i < n; ++i) y = x;"));
}

TEST(Summaries, SayWhatAReferenceLeadsTo) {
  Analyzed A(R"(
    struct Log { std::vector<Tensor> list, other; };
    std::vector<Tensor> &of(Log &log) { return log.list; }
    std::vector<Tensor> &either(Log &log, bool b) { return b ? log.list : log.other; }
    std::vector<Tensor> copy(Log &log) { return log.list; }
    std::vector<Tensor> &all() { static std::vector<Tensor> list; return list; })");
  auto Places = [&](const char *Name) {
    return A.unit().summaryOf(*A.function(Name).Facts->Function)->ReturnedPlaces;
  };
  ASSERT_EQ(Places("of").size(), 1u);
  EXPECT_EQ(Places("of")[0].Root, RelativePlace::Param);
  EXPECT_EQ(Places("of")[0].Fields.size(), 1u);
  ASSERT_EQ(Places("all").size(), 1u);
  EXPECT_EQ(Places("all")[0].Root, RelativePlace::Variable);
  EXPECT_TRUE(Places("either").empty());
  EXPECT_TRUE(Places("copy").empty());
}

} // namespace
