//===-- CountedLoops.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/loops/CountedLoops.h"

#include "checks/resources/facts/ResourceGenerator.h"
#include "checks/source/Statements.h"

using namespace clang;

namespace tensorleak {

const ValueDecl *namedBy(const Expr *E) {
  E = E ? bare(E) : nullptr;
  const auto *Ref = dyn_cast_or_null<DeclRefExpr>(E);
  return Ref ? Ref->getDecl() : nullptr;
}

/// `i++`, `++i`, `i += 1`.
static bool countsUp(const Stmt *S, const ValueDecl &Counter, const ASTContext &Context) {
  const auto *Inc = dyn_cast_or_null<Expr>(S);
  Inc = Inc ? bare(Inc) : nullptr;
  if (const auto *Op = dyn_cast_or_null<UnaryOperator>(Inc))
    return Op->isIncrementOp() && namedBy(Op->getSubExpr()) == &Counter;
  const auto *Op = dyn_cast_or_null<CompoundAssignOperator>(Inc);
  return Op && Op->getOpcode() == BO_AddAssign && namedBy(Op->getLHS()) == &Counter &&
         constantIn(Context, Op->getRHS()) == 1;
}

/// What \p S gives \p Counter: `int i = 0`, `i = 0`.
static const Expr *valueGivenBy(const Stmt *S, const ValueDecl &Counter) {
  if (const auto *D = dyn_cast_or_null<DeclStmt>(S)) {
    const auto *V = D->isSingleDecl() ? dyn_cast<VarDecl>(D->getSingleDecl()) : nullptr;
    return V == &Counter ? V->getInit() : nullptr;
  }
  const auto *Set = dyn_cast_or_null<BinaryOperator>(S);
  bool IsSet = Set && Set->getOpcode() == BO_Assign && namedBy(Set->getLHS()) == &Counter;
  return IsSet ? Set->getRHS() : nullptr;
}

/// The statement before \p Loop in its block that is about \p Counter.
static const Stmt *beginBefore(const Stmt &Loop, const Stmt *Whole, const ValueDecl &Counter) {
  const Stmt *Begin = nullptr;
  anyBelow(Whole, [&](const Stmt &S) {
    const auto *Block = dyn_cast<CompoundStmt>(&S);
    if (!Block || !llvm::is_contained(Block->body(), &Loop))
      return false;
    for (const Stmt *Each : Block->body()) {
      if (Each == &Loop)
        break;
      bool IsAbout = valueGivenBy(Each, Counter) || anyBelow(Each, [&](const Stmt &Part) {
                       const auto *Ref = dyn_cast<DeclRefExpr>(&Part);
                       return Ref && Ref->getDecl() == &Counter;
                     });
      Begin = IsAbout ? Each : Begin;
    }
    return true;
  });
  return Begin;
}

/// The last statement of the body of a `while`, where nothing before it changes \p Counter.
static const Stmt *countedAtEnd(const Stmt &Body, const ValueDecl &Counter) {
  const auto *Block = dyn_cast<CompoundStmt>(&Body);
  const Stmt *Last = Block && !Block->body_empty() ? Block->body_back() : nullptr;
  bool Changes = anyBelow(&Body, [&](const Stmt &S) {
    const auto *Op = dyn_cast<UnaryOperator>(&S);
    const auto *Set = dyn_cast<BinaryOperator>(&S);
    const Expr *Changed = Op && (Op->isIncrementDecrementOp() || Op->getOpcode() == UO_AddrOf)
                              ? Op->getSubExpr()
                          : Set && Set->isAssignmentOp() ? Set->getLHS()
                                                         : nullptr;
    return &S != Last && Changed && namedBy(Changed) == &Counter;
  });
  return Changes ? nullptr : Last;
}

const Expr *conditionOf(const Stmt &Loop) {
  if (const auto *For = dyn_cast<ForStmt>(&Loop))
    return For->getCond();
  const auto *While = dyn_cast<WhileStmt>(&Loop);
  return While ? While->getCond() : nullptr;
}

/// What counts the rounds up.
static const Stmt *incrementOf(const Stmt &Loop, const ValueDecl &Counter) {
  if (const auto *For = dyn_cast<ForStmt>(&Loop))
    return For->getInc();
  const Stmt *Body = loopBody(Loop);
  return Body ? countedAtEnd(*Body, Counter) : nullptr;
}

namespace {
/// `i < n`, or `n > i`; `i + 1 < n`.
struct Limit {
  std::pair<const ValueDecl *, int64_t> Counter;
  const Expr *Value;
  bool IsReached;
};
} // namespace

/// `i`, or `i + 1`.
static std::pair<const ValueDecl *, int64_t> counterIn(const Expr *E, const ASTContext &Context) {
  const auto *Sum = dyn_cast<BinaryOperator>(bare(E));
  auto Ahead =
      Sum && Sum->getOpcode() == BO_Add ? constantIn(Context, Sum->getRHS()) : std::nullopt;
  return Ahead ? std::pair(namedBy(Sum->getLHS()), *Ahead) : std::pair(namedBy(E), int64_t(0));
}

static std::optional<Limit> limitOf(const Stmt &Loop, const ASTContext &Context) {
  const Expr *Condition = conditionOf(Loop);
  const auto *Cond = Condition ? dyn_cast<BinaryOperator>(bare(Condition)) : nullptr;
  if (!Cond || !Cond->isComparisonOp())
    return std::nullopt;
  const Limit Sides[] = {
      {counterIn(Cond->getLHS(), Context), Cond->getRHS(), Cond->getOpcode() == BO_LE},
      {counterIn(Cond->getRHS(), Context), Cond->getLHS(), Cond->getOpcode() == BO_GE}};
  for (const Limit &Each : Sides)
    if (const ValueDecl *Counter = Each.Counter.first;
        Counter && countsUp(incrementOf(Loop, *Counter), *Counter, Context))
      return Each;
  return std::nullopt;
}

std::optional<CountedLoop> countedLoop(const Stmt &Loop, const Stmt *Whole,
                                       const ASTContext &Context) {
  const Stmt *Body = loopBody(Loop);
  const auto Until = Body ? limitOf(Loop, Context) : std::nullopt;
  if (!Until)
    return std::nullopt;
  const auto *For = dyn_cast<ForStmt>(&Loop);
  const Stmt *Begin = For && For->getInit() ? For->getInit() : nullptr;
  if (!Begin)
    Begin = beginBefore(Loop, Whole, *Until->Counter.first);
  const Expr *First = valueGivenBy(Begin, *Until->Counter.first);
  if (!First)
    return std::nullopt;
  return CountedLoop{Until->Counter.first, First, Begin, Until->Value, Until->Counter.second,
                     Until->IsReached,     Body};
}

//===-- Downwards ---------------------------------------------------------===//

namespace {
/// `i >= 0`, `i-- > 0`, `--i`.
struct DownTest {
  const ValueDecl *Counter;
  int64_t Last; ///< the lowest value of the counter behind the test where that holds
  bool Counts;
};
} // namespace

static std::optional<DownTest> downTestOf(const Expr &Condition, const ASTContext &Context) {
  const Expr *Tested = bare(&Condition);
  int64_t Least = 1; // `while (i)`
  if (const auto *Op = dyn_cast<BinaryOperator>(Tested)) {
    const auto Code = Op->getOpcode();
    auto Bound = constantIn(Context, Op->getRHS());
    if (!Bound || (Code != BO_GT && Code != BO_GE && Code != BO_NE))
      return std::nullopt;
    Least = Code == BO_GE ? *Bound : *Bound + 1;
    Tested = bare(Op->getLHS());
  }
  const auto *Step = dyn_cast<UnaryOperator>(Tested);
  if (Step && Step->isDecrementOp())
    return DownTest{namedBy(Step->getSubExpr()), Step->isPostfix() ? Least - 1 : Least, true};
  return DownTest{namedBy(Tested), Least, false};
}

static bool countsDown(const Stmt *S, const ValueDecl &Counter) {
  const auto *Op = dyn_cast_or_null<UnaryOperator>(S);
  return Op && Op->isDecrementOp() && namedBy(Op->getSubExpr()) == &Counter;
}

std::optional<CountedDown> countedDown(const Stmt &Loop, const Stmt *Whole,
                                       const ASTContext &Context) {
  const Stmt *Body = loopBody(Loop);
  const Expr *Condition = Body ? conditionOf(Loop) : nullptr;
  const auto Test = Condition ? downTestOf(*Condition, Context) : std::nullopt;
  if (!Test || !Test->Counter || Test->Last < 0 ||
      (!Test->Counts && !countsDown(incrementOf(Loop, *Test->Counter), *Test->Counter)))
    return std::nullopt;
  const auto *For = dyn_cast<ForStmt>(&Loop);
  const Stmt *Begin = For && For->getInit() ? For->getInit() : nullptr;
  if (!Begin)
    Begin = beginBefore(Loop, Whole, *Test->Counter);
  const Expr *Top = valueGivenBy(Begin, *Test->Counter);
  if (!Top)
    return std::nullopt;
  return CountedDown{Test->Counter, Top, Begin, Body, Test->Last, !Test->Counts};
}

unsigned roundsOf(const CountedLoop &Loop, const ASTContext &Context) {
  auto First = constantIn(Context, Loop.First), Limit = constantIn(Context, Loop.Limit);
  if (!First || !Limit)
    return ManyElements;
  const int64_t Rounds = *Limit - *First - Loop.Ahead + Loop.ReachesLimit;
  return Rounds < 0 || Rounds > ManyElements ? ManyElements : unsigned(Rounds);
}

} // namespace tensorleak
