//===-- Branches.cpp - Other ways to write a branch ---------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/metamorphic/rewriter/Rewritings.h"

using namespace clang;

namespace tensorleak::rewriter {
namespace {

/// An if with nothing but a condition, which the file itself spells.
struct Branch {
  const IfStmt *If;
  unsigned Begin, Open, Close; ///< `if`, `(` and `)`
  Span Whole;
};

std::optional<Branch> branchOf(const Unit &U, const IfStmt &If) {
  auto Begin = U.span({If.getIfLoc(), If.getIfLoc()});
  auto Open = U.span({If.getLParenLoc(), If.getLParenLoc()});
  auto Close = U.span({If.getRParenLoc(), If.getRParenLoc()});
  auto Whole = U.statement(&If);
  if (!Begin || !Open || !Close || !Whole || If.getInit() || If.getConditionVariable() ||
      If.isConstexpr())
    return std::nullopt;
  // The semicolon of the last statement belongs to it.
  const Stmt *Last = If.getElse() ? If.getElse() : If.getThen();
  if (auto End = U.statement(Last))
    Whole->End = End->End;
  return Branch{&If, Begin->Begin, Open->Begin, Close->Begin, *Whole};
}

std::vector<Branch> branchesIn(const Unit &U, const FunctionDecl &F) {
  std::vector<Branch> Out;
  for (const auto *If : U.all<IfStmt>(F.getBody()))
    if (U.isInCompound(If))
      if (auto Found = branchOf(U, *If))
        Out.push_back(*Found);
  return Out;
}

bool leavesAtEnd(const Stmt *S) {
  if (const auto *Block = dyn_cast<CompoundStmt>(S))
    return !Block->body_empty() && leavesAtEnd(Block->body_back());
  if (const auto *Expression = dyn_cast<Expr>(S))
    return isa<CXXThrowExpr>(Expression->IgnoreImplicit());
  return isa<ReturnStmt, BreakStmt, ContinueStmt>(S);
}

bool hasLabels(const Unit &U, const Stmt *Body) {
  return !U.all<LabelStmt>(Body).empty() || !U.all<SwitchStmt>(Body).empty();
}

/// Where an else may begin: its end would stand behind the last statement of the block.
void addElse(const Unit &U, Sites &Out, const Branch &B) {
  const auto *Block = cast<CompoundStmt>(U.parent(B.If));
  auto End = U.span({Block->getRBracLoc(), Block->getRBracLoc()});
  if (!End || B.If->getElse() || Block->body_back() == B.If || !leavesAtEnd(B.If->getThen()))
    return;
  Out.push_back({U.line(B.Begin), {U.behind(B.Whole.End, "else {"), {End->Begin, 0, "} "}}});
}

/// The last statement of a function without result, or of a loop's body.
const char *wayOut(const Unit &U, const FunctionDecl &F, const IfStmt *If) {
  const auto *Block = cast<CompoundStmt>(U.parent(If));
  if (Block->body_back() != If)
    return nullptr;
  if (Block == F.getBody())
    return F.getReturnType()->isVoidType() || isa<CXXConstructorDecl>(F) ? "return" : nullptr;
  const Stmt *Parent = U.parent(Block);
  return isa_and_nonnull<ForStmt, WhileStmt, CXXForRangeStmt>(Parent) ? "continue" : nullptr;
}

void addReturn(const Unit &U, Sites &Out, const FunctionDecl &F, const Branch &B) {
  const char *Leave = B.If->getElse() ? nullptr : wayOut(U, F, B.If);
  if (Leave)
    Out.push_back(
        {U.line(B.Begin), {{B.Open + 1, 0, "!("}, {B.Close, 1, std::string(")) ") + Leave + ";"}}});
}

using Adder = void (*)(const Unit &, Sites &, const FunctionDecl &, const Branch &);

void addToBranches(const Unit &U, Sites &Out, Adder Add) {
  for (const FunctionDecl *F : U.functions())
    if (!hasLabels(U, F->getBody()))
      for (const Branch &B : branchesIn(U, *F))
        Add(U, Out, *F, B);
}

} // namespace

void returnToElse(const Unit &U, Sites &Out) {
  addToBranches(U, Out, [](const Unit &U, Sites &Out, const FunctionDecl &, const Branch &B) {
    addElse(U, Out, B);
  });
}

void ifToReturn(const Unit &U, Sites &Out) { addToBranches(U, Out, addReturn); }

void negateIf(const Unit &U, Sites &Out) {
  addToBranches(U, Out, [](const Unit &U, Sites &Out, const FunctionDecl &, const Branch &B) {
    if (!B.If->getElse())
      Out.push_back({U.line(B.Begin), {{B.Open + 1, 0, "!("}, {B.Close, 1, ")) {} else"}}});
  });
}

void namedConditions(const Unit &U, Sites &Out) {
  addToBranches(U, Out, [](const Unit &U, Sites &Out, const FunctionDecl &, const Branch &B) {
    const std::string Name = "holds_" + std::to_string(U.line(B.Begin));
    Out.push_back({U.line(B.Begin),
                   {{B.Begin, B.Open + 1 - B.Begin, "const bool " + Name + " = static_cast<bool>("},
                    {B.Close, 1, "); if (" + Name + ")"}}});
  });
}

void lambdaConditions(const Unit &U, Sites &Out) {
  addToBranches(U, Out, [](const Unit &U, Sites &Out, const FunctionDecl &, const Branch &B) {
    Out.push_back({U.line(B.Begin),
                   {{B.Open + 1, 0, "[&] { return static_cast<bool>("}, {B.Close, 0, "); }()"}}});
  });
}

} // namespace tensorleak::rewriter
