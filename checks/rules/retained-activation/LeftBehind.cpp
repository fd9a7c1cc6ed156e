//===-- LeftBehind.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/retained-activation/LeftBehind.h"

#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {
namespace {

/// What `taken++` counts up; null for other expressions.
const FieldDecl *countedUp(const Stmt &S) {
  const auto *Op = dyn_cast<UnaryOperator>(&S);
  return Op && Op->isIncrementOp() ? memberOfThis(Op->getSubExpr()) : nullptr;
}

/// How often the functions of a file name a member, and how often only to do what is asked here.
struct Mentions {
  unsigned All = 0, Harmless = 0;
};

bool names(const Stmt &S, const FieldDecl &Member) {
  const auto *M = dyn_cast<MemberExpr>(&S);
  return M && M->getMemberDecl() == &Member;
}

class QueueReads {
public:
  QueueReads(Unit &U, const FieldDecl &Queue) : U(U), Queue(Queue) {}

  const FieldDecl *cursor();

private:
  void forEachStmt(llvm::function_ref<void(const Stmt &)> Visit) const;
  const Expr *indexIn(const Expr &E) const;
  bool addsOrCounts(const Stmt &S) const;
  void read(const Stmt &S);
  bool onlyGrows(const FieldDecl &Number) const;

  Unit &U;
  const FieldDecl &Queue;
  Mentions Named;
  llvm::SmallPtrSet<const FieldDecl *, 2> Cursors; ///< null among them: read otherwise
};

/// Of all functions in view; of methods also where no analysis could follow them.
void QueueReads::forEachStmt(llvm::function_ref<void(const Stmt &)> Visit) const {
  auto VisitAll = [&](const Stmt &S) {
    Visit(S);
    return false;
  };
  for (const FunctionUnit &F : U.functions())
    anyIn(*F.Facts->Function, VisitAll);
  if (const auto *Class = dyn_cast<CXXRecordDecl>(Queue.getParent()))
    for (const CXXMethodDecl *M : Class->methods())
      anyIn(*M, VisitAll);
}

/// `queue[i]`, `queue.at(i)`: i; null for other expressions.
const Expr *QueueReads::indexIn(const Expr &E) const {
  const auto *Op = dyn_cast<CXXOperatorCallExpr>(&E);
  if (Op && Op->getOperator() == OO_Subscript && memberOfThis(Op->getArg(0)) == &Queue)
    return Op->getArg(1);
  const auto *Call = dyn_cast<CXXMemberCallExpr>(&E);
  if (!Call || !Call->getMethodDecl() || Call->getNumArgs() != 1 ||
      memberOfThis(Call->getImplicitObjectArgument()) != &Queue)
    return nullptr;
  auto Of = U.model().effectOf(*Call->getMethodDecl());
  return Of && Of->What == Does::Element ? Call->getArg(0) : nullptr;
}

/// `queue.push_back(x)`, `queue.size()`.
bool QueueReads::addsOrCounts(const Stmt &S) const {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(&S);
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  if (!Method || memberOfThis(Call->getImplicitObjectArgument()) != &Queue)
    return false;
  auto E = U.model().effectOf(*Method);
  return (Method->isConst() && Call->getType()->isArithmeticType()) || (E && E->What == Does::Grow);
}

/// A copy of an element leaves it as it is; who moves it, or gets a reference, may empty it.
void QueueReads::read(const Stmt &S) {
  Named.All += names(S, Queue);
  Named.Harmless += addsOrCounts(S);
  const auto *Copy = dyn_cast<CXXConstructExpr>(&S);
  const bool IsCopy = Copy && Copy->getConstructor()->isCopyConstructor();
  const Expr *Index = IsCopy ? indexIn(*Copy->getArg(0)->IgnoreParenImpCasts()) : nullptr;
  if (!Index)
    return;
  ++Named.Harmless;
  const Expr *Number = Index->IgnoreParenImpCasts();
  const FieldDecl *Up = countedUp(*Number);
  Cursors.insert(Up ? Up : memberOfThis(Number));
}

/// All that anybody does with it is to read it and to count it up.
bool QueueReads::onlyGrows(const FieldDecl &Number) const {
  unsigned CountedUp = 0;
  Mentions Of;
  forEachStmt([&](const Stmt &S) {
    Of.All += names(S, Number);
    const auto *Cast = dyn_cast<ImplicitCastExpr>(&S);
    const bool Reads = Cast && Cast->getCastKind() == CK_LValueToRValue &&
                       names(*Cast->getSubExpr()->IgnoreParens(), Number);
    CountedUp += countedUp(S) == &Number;
    Of.Harmless += Reads || countedUp(S) == &Number;
  });
  return CountedUp && Of.All == Of.Harmless;
}

const FieldDecl *QueueReads::cursor() {
  forEachStmt([&](const Stmt &S) { read(S); });
  if (Cursors.size() != 1 || Named.All != Named.Harmless)
    return nullptr;
  const FieldDecl *Number = *Cursors.begin();
  return Number && Number->getType()->isIntegerType() && onlyGrows(*Number) ? Number : nullptr;
}

} // namespace

const FieldDecl *passedBy(Unit &U, const FieldDecl &Queue, const FunctionFacts &Filler) {
  const FieldDecl *Number = QueueReads(U, Queue).cursor();
  const bool IsAsked =
      Number && anyIn(*Filler.Function, [&](const Stmt &S) { return names(S, *Number); });
  return IsAsked ? Number : nullptr;
}

} // namespace tensorleak
